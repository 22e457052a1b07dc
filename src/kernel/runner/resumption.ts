import { noteAwaited, takeAwaiter } from './error-places.js';

/** What the awaits and the assignments of cells call, under the global name `__oddslab__`. */
export interface Resumption {
  /** Takes note of what an `await` is about to wait for, and gives it back. */
  waitsFor(value: unknown): unknown;
  /** Keeps the value of an `await`; false where the cell that awaited it must not go on. */
  goesOn(value: unknown): boolean;
  /** The value that was kept. */
  taken(): unknown;
  /** Whether the cell that calls must not go on. */
  isOver(): boolean;
  /** What never resolves. */
  never(): Promise<never>;
  /** Stands for a constant where it is assigned to: reads as it does, and cannot be written. */
  constant(read: () => unknown): { value: unknown };
}

/** @param isOver Whether the cell that causes what happens now was interrupted. */
export function createResumption(isOver: () => boolean): Resumption {
  let kept: unknown;
  return {
    waitsFor: noteAwaited,
    goesOn(value) {
      takeAwaiter();
      kept = value;
      return !isOver();
    },
    taken() {
      const value = kept;
      kept = undefined;
      return value;
    },
    isOver() {
      takeAwaiter();
      return isOver();
    },
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
