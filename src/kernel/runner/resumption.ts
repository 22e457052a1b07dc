import type { Cells } from './cell-context.js';
import { awaitedBy, noteAwaited } from './error-places.js';

/** What the awaits and assignments of cells call, under the global name `__oddslab__`. */
export interface Resumption {
  /** Records the offset in the cell at which an `await` is about to wait for a value; returns the value. */
  waitsFor(value: unknown, at: number | undefined): unknown;
  /** The offset at which the cell waits. */
  awaited(): number | undefined;
  /** Keeps the value of a finished `await`; false if the cell that awaited it must not go on. */
  goesOn(value?: unknown): boolean;
  /** Returns the kept value and forgets it. */
  taken(): unknown;
  /** Whether the calling cell must not go on. */
  isOver(): boolean;
  /** A promise that never resolves. */
  never(): Promise<never>;
  /** Stands for a constant where it is assigned to: reading it gives the constant's value, writing it throws. */
  constant(read: () => unknown): { value: unknown };
  /** Makes the text of a function that is declared without its name say it, so that the text may be run elsewhere. */
  namedInText(declared: (...parameters: never[]) => unknown): void;
}

/** Makes the functions for one notebook. */
export function createResumption({ current, hasStruck }: Cells): Resumption {
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
    namedInText(declared) {
      const { name } = declared;
      const method = {
        toString(): string {
          const text = Function.prototype.toString.call(this);
          // A class that extends the function inherits this method.
          return this === declared ? text.replace(/^(async )?function\*? /, (start) => start + name) : text;
        },
      };
      const value = method.toString;
      Object.defineProperty(declared, 'toString', { value, configurable: true, writable: true });
    },
  };
}
