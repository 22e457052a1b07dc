import type { CellFault } from '../events.js';
import type { CellContext } from './cell-context.js';

/**
 * Errors that no cell awaits: thrown in a timer or an event, or rejections that nothing handles. Those of the cell that
 * runs fail it; those of a cell that is over are told as its own, later.
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
    process.on('uncaughtException', (thrown) => this.add(thrown));
    process.on('unhandledRejection', (thrown) => this.add(thrown));
  }

  /** Takes an error of the cell that causes what happens now. */
  add(thrown: unknown): void {
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
