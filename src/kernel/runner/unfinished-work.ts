import { inspect, types } from 'node:util';
import type { Unfinished } from '../events.js';

/** How long what nobody awaits is waited for. */
const PATIENCE_MS = 1000;
/** How long also where no work is seen, but something else is alive: the threads of native code are not listed. */
const UNSEEN_MS = 100;
const POLL_MS = 10;
/** What {@link process.getActiveResourcesInfo} calls work that ends; servers and open connections of theirs need not. */
const REQUESTS = /^(FSReq|GetAddrInfo|TCPConnect|TCPSocket|Process)/;

const setTimeoutOfNode = setTimeout;

/** Waits for what the cells, which are over, have left under way. */
export class UnfinishedWork {
  readonly #names = new Map<number, string>();
  readonly #values = new Map<number, Promise<unknown>>();
  readonly #waiting: () => Set<number>;

  /** @param waiting The cells with a timer that is yet to strike. */
  constructor(waiting: () => Set<number>) {
    this.#waiting = waiting;
  }

  /** Takes note of a cell and of its last value. */
  add(cell: number, name: string, value: unknown): void {
    this.#names.set(cell, name);
    for (const [each, promise] of this.#values) if (!isPending(promise)) this.#values.delete(each);
    if (isPending(value)) this.#values.set(cell, value);
  }

  /** Whether a cell's last value is a promise that is not settled yet. */
  get isPending(): boolean {
    return this.#pending().length > 0;
  }

  /**
   * Waits for the cells' last values that are promises, as long as anything can still settle them, and then a moment for
   * whatever else is under way. What fails is told as the error of its cell, as always.
   *
   * @param drained Whether nothing keeps the process alive any more.
   * @param onUnawaited Called before what nobody awaits is waited for.
   * @param timeoutMs How long the promises may take.
   */
  async finish(
    drained: () => boolean,
    onUnawaited: () => void,
    timeoutMs = Number.POSITIVE_INFINITY,
  ): Promise<Omit<Unfinished, 'hasLoop' | 'ended'>> {
    await waitWhile(() => !drained() && this.isPending, timeoutMs);
    const late = drained() ? [] : this.#pending();
    onUnawaited();
    const isWorking = (): boolean => this.#waiting().size > 0 || hasRequests();
    await waitWhile((ms) => !drained() && (ms < UNSEEN_MS || isWorking()), late.length > 0 ? 0 : PATIENCE_MS);
    const isOver = drained();
    return {
      late: this.#namesOf(late),
      timers: this.#namesOf(isOver ? [] : [...this.#waiting()]),
      hasRequests: !isOver && hasRequests(),
    };
  }

  #pending(): number[] {
    return [...this.#values].flatMap(([cell, value]) => (isPending(value) ? [cell] : []));
  }

  #namesOf(cells: number[]): string[] {
    return [...this.#names].flatMap(([cell, name]) => (cells.includes(cell) ? [name] : []));
  }
}

/** Asked without awaiting it: a rejection that nobody handles must be told as such. */
function isPending(value: unknown): value is Promise<unknown> {
  return types.isPromise(value) && /\{\s*<pending>/.test(inspect(value, { customInspect: false, depth: 0 }));
}

function hasRequests(): boolean {
  return process.getActiveResourcesInfo().some((type) => REQUESTS.test(type));
}

/** Its own timer keeps nothing alive. */
async function waitWhile(isSo: (elapsedMs: number) => boolean, longestMs: number): Promise<void> {
  const start = performance.now();
  for (let elapsedMs = 0; elapsedMs < longestMs && isSo(elapsedMs); elapsedMs = performance.now() - start) {
    await new Promise<void>((resume) => {
      process.once('beforeExit', resume);
      setTimeoutOfNode(() => {
        process.off('beforeExit', resume);
        resume();
      }, POLL_MS).unref();
    });
  }
}
