import { AsyncLocalStorage } from 'node:async_hooks';

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
