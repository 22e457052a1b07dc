import type { CellFault } from '../events.js';
import type { CellContext } from './cell-context.js';
import { currentCalls } from './stack.js';

type Emit = (this: NodeJS.Process, event: string | symbol, ...parameters: unknown[]) => boolean;

/**
 * Errors that no cell awaits: thrown in a timer or an event, or rejections that nothing handles. Those of the cell that
 * runs fail it; those of a cell that is over are told as its own, later. Where the cells listen for such errors
 * themselves, their listeners get them instead, as in Node; the listeners of node:test, which hear of the errors of all
 * that runs beside a test, get them too.
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

  /** Takes an error that is thrown in the name of the cell that causes what happens now, though Node does not hear of it. */
  raise(thrown: unknown): void {
    Reflect.apply(process.emit, process, ['uncaughtException', thrown, 'uncaughtException']);
  }

  /** What none of the cells' listeners is for is ours, even if they take all listeners away. */
  #takeUnheard(): void {
    const { emit } = process;
    const add = (thrown: unknown): void => this.#add(thrown);
    // There are packages that end a process in which nobody listens.
    const ours = (): void => {};
    const others = new WeakSet<object>([ours]);
    const isHeard = (event: string): boolean =>
      process.listeners(event as NodeJS.Signals).some((each) => !others.has(each));
    const emitOrTake: Emit = function (event, ...parameters) {
      if (event !== 'uncaughtException' && event !== 'unhandledRejection')
        return Reflect.apply(emit, this, [event, ...parameters]);
      if (isHeard(event)) return Reflect.apply(emit, this, [event, ...parameters]);
      // Node gives a rejection that nobody listens for to who listens for exceptions.
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

  /** The first of the running cell; forgets it and those that came after. */
  take(): CellFault | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first;
  }

  /** The next of the running cell. */
  next(): Promise<CellFault> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}

/** Whether it is node:test that adds a listener now. */
function isAddedByTests(): boolean {
  const [own, ...scripts] = currentCalls(20).map((call) => call.getScriptNameOrSourceURL());
  const adder = scripts.find((each) => each !== own && each !== 'node:events');
  return adder?.startsWith('node:internal/test_runner/') ?? false;
}
