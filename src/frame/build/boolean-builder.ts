import type { Column } from '../../contract/definition.js';
import type { BooleanVector } from '../vector/vector.js';
import { type ColumnBuilder, grown, isNothing, trimmed } from './column-builder.js';
import { ALSE_WORD, TRUE_WORD } from './scan/ascii.js';
import type { Cursor } from './scan/cursor.js';
import { scanNull } from './scan/scan-null.js';

/** What stands for true and for false: as text, too, in the forms that filters are sent in. */
const WORDS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
]);

/** Builds a column of booleans. */
export class BooleanBuilder implements ColumnBuilder {
  readonly column: Column;
  readonly expected = 'true or false';
  #values = new Int8Array(0);

  constructor(column: Column) {
    this.column = column;
  }

  reserve(rows: number): void {
    this.#values = grown(this.#values, rows);
  }

  scan(cursor: Cursor, row: number): boolean {
    const { view, at } = cursor;
    // A word of four bytes tells `true` from `alse`; the `f` before that is checked separately.
    if (at + 5 > view.byteLength) return false;
    if (view.getInt32(at, true) === TRUE_WORD) {
      this.#values[row] = 1;
      cursor.at = at + 4;
      return true;
    }
    if (view.getInt32(at + 1, true) !== ALSE_WORD)
      return this.column.nullable && scanNull(cursor) && this.put(row, null);
    if (cursor.bytes[at] !== 0x66) return false;
    this.#values[row] = 0;
    cursor.at = at + 5;
    return true;
  }

  put(row: number, value: unknown): boolean {
    if (isNothing(value)) {
      this.#values[row] = -1;
      return this.column.nullable;
    }
    const isTrue = WORDS.get(value);
    if (isTrue === undefined) return false;
    this.#values[row] = isTrue ? 1 : 0;
    return true;
  }

  isSame(row: number, other: number): boolean {
    return this.#values[row] === this.#values[other];
  }

  move(from: number, to: number): void {
    this.#values[to] = this.#values[from] ?? -1;
  }

  take(rows: number): BooleanVector {
    return { kind: 'boolean', values: this.#values.slice(0, rows) };
  }

  finish(rows: number): BooleanVector {
    const values = trimmed(this.#values, rows);
    this.#values = new Int8Array(0);
    return { kind: 'boolean', values };
  }
}
