import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect, types } from 'node:util';
import { mimeBundle } from '../display/mime-bundle.js';
import type { CellFault, Unfinished } from '../wire/runner.js';
import { ENDING_RESOURCES, PENDING_PROMISE, setTimeoutOfNode, TEST_RUNNER } from './node-internals.js';
import type { OutputQueue } from './output-queue.js';
import { currentCalls } from './stack.js';

/** What code that works for cells asks of them. */
export interface Cells {
  /** The id of the cell, or comm message, that caused what runs now. */
  current(): number;
  /** Whether a cell was interrupted. */
  hasStruck(cell: number): boolean;
}

/**
 * Knows which cell, or comm message (id below 0), caused what runs now, even after an `await`, in a timer or an event.
 */
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

/** Shows each value in the place where it was given, even if its picture is ready later. */
export class ShownValues {
  readonly #output: OutputQueue;
  readonly #context: CellContext;
  readonly #promises = new WeakSet<object>();

  constructor(output: OutputQueue, context: CellContext) {
    this.#output = output;
    this.#context = context;
  }

  /**
   * Shows a value as its MIME bundle; resolves once it is shown.
   *
   * @throws Whatever the value's own display method throws.
   */
  show(value: unknown, type: 'display' | 'result'): Promise<void> {
    const shown = this.#show(value, type);
    this.#promises.add(shown);
    return shown;
  }

  /** Whether a value is a promise that `show` returned: a cell that ends in `display(x)` shows only x. */
  isPromise(value: unknown): boolean {
    return this.#promises.has(Object(value));
  }

  async #show(value: unknown, type: 'display' | 'result'): Promise<void> {
    const { fill, draw } = this.#output.reserve(this.#context.current());
    try {
      const bundle = await draw(() => mimeBundle(value));
      fill(bundle ? { type, ...bundle } : undefined);
    } catch (error) {
      fill(undefined);
      throw error;
    }
  }
}

type Emit = (this: NodeJS.Process, event: string | symbol, ...parameters: unknown[]) => boolean;

/**
 * Errors that no cell awaits: thrown in a timer or event, or unhandled rejections. Those of the running cell fail it;
 * those of a cell that has ended are reported later as its own. If the cells themselves listen for such errors, their
 * listeners get them instead, as in Node. The listeners of node:test, which receive the errors of everything that runs
 * beside a test, get them, too.
 */
export class StrayErrors {
  readonly #context: CellContext;
  readonly #describe: (thrown: unknown) => CellFault;
  readonly #onLate: (cell: number, fault: CellFault) => void;
  #first: CellFault | undefined;
  #notify: (fault: CellFault) => void = () => {};

  constructor(
    context: CellContext,
    describe: (thrown: unknown) => CellFault,
    onLate: (cell: number, fault: CellFault) => void,
  ) {
    this.#context = context;
    this.#describe = describe;
    this.#onLate = onLate;
    this.#takeUnheard();
  }

  /** Takes an error as uncaught on behalf of the cell that caused what runs now, although Node did not see it. */
  raise(thrown: unknown): void {
    Reflect.apply(process.emit, process, ['uncaughtException', thrown, 'uncaughtException']);
  }

  /** Takes the errors for which the cells have no listener, even if they remove all listeners. */
  #takeUnheard(): void {
    const { emit } = process;
    const add = (thrown: unknown): void => this.#add(thrown);
    // Some packages end a process that has no listener.
    const ours = (): void => {};
    const others = new WeakSet<object>([ours]);
    const isHeard = (event: string): boolean =>
      process.listeners(event as NodeJS.Signals).some((each) => !others.has(each));
    const emitOrTake: Emit = function (event, ...parameters) {
      if (event !== 'uncaughtException' && event !== 'unhandledRejection')
        return Reflect.apply(emit, this, [event, ...parameters]);
      if (isHeard(event)) return Reflect.apply(emit, this, [event, ...parameters]);
      // Node gives a rejection without listener to the listeners of uncaught exceptions.
      if (isHeard('uncaughtException')) return false;
      add(parameters[0]);
      Reflect.apply(emit, this, [event, ...parameters]);
      return true;
    };
    process.on('newListener', (_: string, listener: object) => {
      if (isAddedByTests()) others.add(listener);
    });
    process.on('uncaughtException', ours).on('unhandledRejection', ours);
    Reflect.set(process, 'emit', emitOrTake);
  }

  #add(thrown: unknown): void {
    const cell = this.#context.current();
    const fault = this.#describe(thrown);
    if (cell !== this.#context.running) {
      this.#onLate(cell, fault);
      return;
    }
    this.#first ??= fault;
    this.#notify(fault);
  }

  /** The running cell's first error; forgets it and later ones. */
  take(): CellFault | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first;
  }

  /** The running cell's next error. */
  next(): Promise<CellFault> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}

/** Whether node:test is adding a listener now. */
function isAddedByTests(): boolean {
  const [own, ...scripts] = currentCalls(20).map((call) => call.getScriptNameOrSourceURL());
  const adder = scripts.find((each) => each !== own && each !== 'node:events');
  return adder !== undefined && adder !== null && TEST_RUNNER.test(adder);
}

/** How long to wait for work that nothing awaits. */
const PATIENCE_MS = 1000;
/** How long to wait even if no work is seen but something else is alive: the threads of native code are not listed. */
const UNSEEN_MS = 100;
const POLL_MS = 10;

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
