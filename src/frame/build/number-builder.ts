import type { Column } from '../../contract/definition.js';
import type { NumberVector } from '../vector/vector.js';
import { type ColumnBuilder, grown, isNothing, trimmed } from './column-builder.js';
import type { Cursor } from './scan/cursor.js';
import { POWERS, scanDecimal } from './scan/scan-decimal.js';
import { scanNull } from './scan/scan-null.js';

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Builds a column of doubles or, by its dtype, of integers, from JSON numbers and from text of the same form. */
export class NumberBuilder implements ColumnBuilder {
  readonly column: Column;
  readonly expected: string;
  readonly #integers: boolean;
  #values = new Float64Array(0);

  constructor(column: Column) {
    this.column = column;
    this.#integers = column.dtype === 'int32';
    this.expected = this.#integers
      ? 'an integer, as a number or as decimal text'
      : 'a number or decimal text such as "12.5"';
  }

  reserve(rows: number): void {
    this.#values = grown(this.#values, rows);
  }

  scan(cursor: Cursor, row: number): boolean {
    const { at } = cursor;
    const number = scanDecimal(cursor);
    if (Number.isNaN(number)) return this.column.nullable && scanNull(cursor) && this.put(row, null);
    const { places } = cursor;
    if (places > 0 && this.#integers) {
      cursor.at = at;
      return false;
    }
    this.#values[row] = places > 0 ? number / (POWERS[places] ?? 1) : number;
    return true;
  }

  put(row: number, value: unknown): boolean {
    const number = isNothing(value) && this.column.nullable ? Number.NaN : this.#read(value);
    if (number === undefined) return false;
    this.#values[row] = number;
    return true;
  }

  isSame(row: number, other: number): boolean {
    const [value, second] = [this.#values[row] ?? Number.NaN, this.#values[other] ?? Number.NaN];
    return value === second || (Number.isNaN(value) && Number.isNaN(second));
  }

  move(from: number, to: number): void {
    this.#values[to] = this.#values[from] ?? Number.NaN;
  }

  take(rows: number): NumberVector {
    return { kind: 'number', values: this.#values.slice(0, rows) };
  }

  finish(rows: number): NumberVector {
    const values = trimmed(this.#values, rows);
    this.#values = new Float64Array(0);
    return { kind: 'number', values };
  }

  #read(value: unknown): number | undefined {
    if (typeof value !== 'number' && (typeof value !== 'string' || !DECIMAL.test(value))) return undefined;
    const number = Number(value);
    if (this.#integers) return Number.isSafeInteger(number) ? number : undefined;
    // A JavaScript number may be infinite, but text may not: pages keep numbers that are too large as text.
    return Number.isFinite(number) || (number === value && !Number.isNaN(number)) ? number : undefined;
  }
}
