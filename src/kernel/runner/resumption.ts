import { awaitedBy, noteAwaited } from './error-places.js';

/** What the awaits and the assignments of cells call, under the global name `__oddslab__`. */
export interface Resumption {
  /** Takes note of where an `await` is about to wait for a value, an offset in the cell, and gives the value back. */
  waitsFor(value: unknown, at: number | undefined): unknown;
  /** Where the cell waits. */
  awaited(): number | undefined;
  /** Keeps the value of an `await`, which is over; false where the cell that awaited it must not go on. */
  goesOn(value?: unknown): boolean;
  /** The value that was kept. */
  taken(): unknown;
  /** Whether the cell that calls must not go on. */
  isOver(): boolean;
  /** What never resolves. */
  never(): Promise<never>;
  /** Stands for a constant where it is assigned to: reads as it does, and cannot be written. */
  constant(read: () => unknown): { value: unknown };
}

/**
 * @param current The cell that causes what happens now.
 * @param hasStruck Whether a cell was interrupted.
 */
export function createResumption(current: () => number, hasStruck: (cell: number) => boolean): Resumption {
  let kept: unknown;
  return {
    waitsFor(value, at) {
      noteAwaited(current(), at);
      return value;
    },
    awaited: () => awaitedBy(current()),
    goesOn(value) {
      const cell = current();
      noteAwaited(cell, undefined);
      kept = value;
      return !hasStruck(cell);
    },
    taken() {
      const value = kept;
      kept = undefined;
      return value;
    },
    isOver: () => hasStruck(current()),
    never: () => new Promise(() => {}),
    constant: (read) => ({
      get value() {
        return read();
      },
      set value(_) {
        throw new TypeError('Assignment to constant variable.');
      },
    }),
  };
}
