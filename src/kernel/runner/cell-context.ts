import { AsyncLocalStorage } from 'node:async_hooks';

/** Knows which cell, or which comm message of an id below 0, caused what happens now, also after an `await`, in a timer, in an event. */
export class CellContext {
  readonly #storage = new AsyncLocalStorage<number>();
  /** The id of the cell that runs; undefined between two. */
  running: number | undefined;
  /** The id of the last cell that was started; 0 before the first. */
  last = 0;

  /** The id of what caused what happens now; where nothing tells, the one that runs or the last that did. */
  current(): number {
    return this.#storage.getStore() ?? this.running ?? this.last;
  }

  /** Does a task in the name of a cell or comm message. */
  run<Result>(cell: number, task: () => Result): Result {
    return this.#storage.run(cell, task);
  }
}
