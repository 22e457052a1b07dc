import type { CellFault } from '../events.js';
import type { CellContext } from './cell-context.js';
import { currentCalls } from './stack.js';

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
  return adder?.startsWith('node:internal/test_runner/') ?? false;
}
