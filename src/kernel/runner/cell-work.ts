import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect, types } from 'node:util';
import type { CellFault, ExitCode } from '../wire/runner.js';
import { ENDING_RESOURCES, PENDING_PROMISE, setTimeoutOfNode, TEST_RUNNER } from './node-internals.js';
import { currentCalls } from './stack.js';

/** What code that works for cells asks of them. */
export interface Cells {
  /** The id of the cell, or comm message, that caused what runs now. */
  current(): number;
  /** Whether a cell was interrupted. */
  hasStruck(cell: number): boolean;
}

/** Knows which cell, or comm message (id below 0), caused what runs now, even after an `await` or in an event. */
export class CellContext {
  readonly #storage = new AsyncLocalStorage<number>();
  /** Id of the running cell; undefined between cells. */
  running: number | undefined;
  /** Id of the last cell started; 0 before the first. */
  last = 0;

  /** The id of what caused what runs now; if unknown, the running cell or else the last one. */
  current(): number {
    return this.#storage.getStore() ?? this.running ?? this.last;
  }

  /** Runs a task on behalf of a cell or comm message. */
  run<Result>(cell: number, task: () => Result): Result {
    return this.#storage.run(cell, task);
  }
}

/**
 * Takes the errors that no cell awaits: thrown in a timer or event, or unhandled rejections. Those of the running cell
 * fail it; those of a cell that has ended are reported later as its own. Listeners of the cells get them instead, as in
 * Node; those of node:test, which hear the errors of everything that runs beside a test, get them, too.
 */
export function watchStrayErrors(
  context: CellContext,
  describe: (thrown: unknown) => CellFault,
  onLate: (cell: number, fault: CellFault) => void,
) {
  let first: CellFault | undefined;
  let notify: (fault: CellFault) => void = () => {};
  takeUnheard((thrown) => {
    const cell = context.current();
    const fault = describe(thrown);
    if (cell !== context.running) {
      onLate(cell, fault);
      return;
    }
    first ??= fault;
    notify(fault);
  });
  return {
    /** The running cell's first error; forgets it and later ones. */
    take(): CellFault | undefined {
      const taken = first;
      first = undefined;
      return taken;
    },
    /** The running cell's next error. */
    next: (): Promise<CellFault> =>
      new Promise((resolve) => {
        notify = resolve;
      }),
  };
}

/** Takes an error as uncaught on behalf of the cell that caused what runs now, although Node did not see it. */
export function raise(thrown: unknown): void {
  Reflect.apply(process.emit, process, ['uncaughtException', thrown, 'uncaughtException']);
}

/** Takes the errors for which the user's code has no listener, even if it removes all listeners. */
export function takeUnheard(take: (thrown: unknown) => void): void {
  const { emit } = process;
  // Some packages end a process that has no listener.
  const ours = (): void => {};
  const others = new WeakSet<object>([ours]);
  const isHeard = (event: string): boolean =>
    process.listeners(event as NodeJS.Signals).some((each) => !others.has(each));
  const emitOrTake = function (this: NodeJS.Process, event: string | symbol, ...parameters: unknown[]): boolean {
    const isError = event === 'uncaughtException' || event === 'unhandledRejection';
    if (!isError || isHeard(event)) return Reflect.apply(emit, this, [event, ...parameters]);
    // Node gives a rejection without listener to the listeners of uncaught exceptions.
    if (isHeard('uncaughtException')) return false;
    take(parameters[0]);
    Reflect.apply(emit, this, [event, ...parameters]);
    return true;
  };
  process.on('newListener', (_: string, listener: object) => {
    if (isAddedByTests()) others.add(listener);
  });
  process.on('uncaughtException', ours).on('unhandledRejection', ours);
  Reflect.set(process, 'emit', emitOrTake);
}

/** Whether node:test is adding a listener now. */
function isAddedByTests(): boolean {
  const [own, ...scripts] = currentCalls(20).map((call) => call.getScriptNameOrSourceURL());
  const adder = scripts.find((each) => each !== own && each !== 'node:events');
  return adder !== undefined && adder !== null && TEST_RUNNER.test(adder);
}

/**
 * Knows which cell has set `process.exitCode`. Node lets nobody watch that property, so it is looked at whenever a cell
 * begins or ends; node:test, which sets it where a test fails, tells itself which cell's test that was.
 */
export class ExitCause {
  readonly #names = new Map<number, string>();
  #code = 0;
  /** The cell that set it, and the one that began last. */
  #cell = 0;
  #last = 0;
  readonly #failed = new Set<number>();

  /** A cell begins. What has changed since the one before it ended was left under way by that or an earlier one. */
  begin(cell: number, name: string): void {
    this.look();
    this.#names.set(cell, name);
    this.#last = cell;
  }

  /** Notes the cell that has begun last if the code has changed. */
  look(): void {
    const code = exitCode();
    if (code === this.#code) return;
    this.#code = code;
    this.#cell = this.#last;
  }

  /** A test of a cell has failed. */
  failed(cell: number): void {
    this.#failed.add(cell);
  }

  /** The code with which the process would end now; undefined for 0. */
  get(): ExitCode | undefined {
    this.look();
    if (this.#code === 0) return undefined;
    const isTest = this.#code === 1 && this.#failed.size > 0;
    const isCause = (cell: number): boolean => (isTest ? this.#failed.has(cell) : cell === this.#cell);
    const cells = [...this.#names].flatMap(([cell, name]) => (isCause(cell) ? [name] : []));
    return { code: this.#code, isTest, cells };
  }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0);
}

/** How long to wait for work that nothing awaits. */
const PATIENCE_MS = 1000;
/** How long to wait even if no work is seen but something else is alive: the threads of native code are not listed. */
const UNSEEN_MS = 100;
const POLL_MS = 10;

/** Watches the work that the cells leave under way; `waiting` returns the cells with a pending timer. */
export function watchUnfinished(waiting: () => Set<number>) {
  const names = new Map<number, string>();
  const values = new Map<number, Promise<unknown>>();
  /** The cells whose last value is a promise that is not settled yet. */
  const pending = (): number[] => [...values].flatMap(([cell, value]) => (isPending(value) ? [cell] : []));
  const namesOf = (cells: number[]): string[] =>
    [...names].flatMap(([cell, name]) => (cells.includes(cell) ? [name] : []));
  return {
    /** Records a cell and its last value. */
    add(cell: number, name: string, value: unknown): void {
      names.set(cell, name);
      for (const [each, promise] of values) if (!isPending(promise)) values.delete(each);
      if (isPending(value)) values.set(cell, value);
    },
    /** Whether a cell's last value is a promise that is not settled yet. */
    isPending: (): boolean => pending().length > 0,
    /**
     * Waits for last values that are promises, as long as anything can still settle them, and then a moment for whatever
     * else is under way; no cell may be running. Failures are reported as errors of their cells, as usual.
     *
     * @param drained Whether nothing keeps the process alive any more.
     * @param onUnawaited Called before the wait for what is not awaited.
     */
    async finish(drained: () => boolean, onUnawaited: () => void, timeoutMs = Number.POSITIVE_INFINITY) {
      await waitWhile(() => !drained() && pending().length > 0, timeoutMs);
      const late = drained() ? [] : pending();
      onUnawaited();
      const isWorking = (): boolean => waiting().size > 0 || hasRequests();
      await waitWhile((ms) => !drained() && (ms < UNSEEN_MS || isWorking()), late.length > 0 ? 0 : PATIENCE_MS);
      const isOver = drained();
      return {
        late: namesOf(late),
        timers: namesOf(isOver ? [] : [...waiting()]),
        hasRequests: !isOver && hasRequests(),
      };
    },
  };
}

/** Checked without awaiting, so that an unhandled rejection is still reported as one. */
function isPending(value: unknown): value is Promise<unknown> {
  return types.isPromise(value) && PENDING_PROMISE.test(inspect(value, { customInspect: false, depth: 0 }));
}

function hasRequests(): boolean {
  return process.getActiveResourcesInfo().some((type) => ENDING_RESOURCES.test(type));
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
