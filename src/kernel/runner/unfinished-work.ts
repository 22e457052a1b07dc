import { inspect, types } from 'node:util';
import type { Unfinished } from '../events.js';

/** How long to wait for work that nothing awaits. */
const PATIENCE_MS = 1000;
/** How long to wait even if no work is seen but something else is alive: the threads of native code are not listed. */
const UNSEEN_MS = 100;
const POLL_MS = 10;
/** The types in {@link process.getActiveResourcesInfo} of work that should end: open connections, but not servers. */
const REQUESTS = /^(FSReq|GetAddrInfo|TCPConnect|TCPSocket|Process)/;

const setTimeoutOfNode = setTimeout;

/** Waits for what the cells left under way; no cell may be running. */
export class UnfinishedWork {
  readonly #names = new Map<number, string>();
  readonly #values = new Map<number, Promise<unknown>>();
  readonly #waiting: () => Set<number>;

  /** @param waiting Returns the cells with a pending timer. */
  constructor(waiting: () => Set<number>) {
    this.#waiting = waiting;
  }

  /** Records a cell and its last value. */
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
   * Waits for last values that are promises, as long as anything can still settle them, and then a moment for whatever
   * else is under way. Failures are reported as errors of their cells, as usual.
   *
   * @param drained Whether nothing keeps the process alive any more.
   * @param onUnawaited Called before the wait for unawaited work.
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

/** Checked without awaiting, so that an unhandled rejection is still reported as one. */
function isPending(value: unknown): value is Promise<unknown> {
  return types.isPromise(value) && /\{\s*<pending>/.test(inspect(value, { customInspect: false, depth: 0 }));
}

function hasRequests(): boolean {
  return process.getActiveResourcesInfo().some((type) => REQUESTS.test(type));
}

/** Waits while a condition holds, with a timer that keeps nothing alive. */
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
