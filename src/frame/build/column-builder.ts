import type { Column } from '../../contract/definition.js';
import type { Vector } from '../vector/vector.js';
import type { Cursor } from './scan/cursor.js';

/** Collects the values of one column. Rows may be written in any order, below the number that was reserved. */
export interface ColumnBuilder {
  readonly column: Column;
  /** What a value has to look like, for error messages. */
  readonly expected: string;
  /** Makes room for that many rows. */
  reserve(rows: number): void;
  /**
   * Reads the JSON value at the cursor into a row and moves the cursor past it.
   *
   * @returns False, with the cursor unmoved, if the value does not have the plain form that is expected.
   */
  scan(cursor: Cursor, row: number): boolean;
  /** Takes a decoded JSON value, undefined if the record lacks the field. Returns false if it does not fit. */
  put(row: number, value: unknown): boolean;
  /** Whether two rows hold the same value. */
  isSame(row: number, other: number): boolean;
  /** Moves a value to another row. */
  move(from: number, to: number): void;
  /** Returns the first rows as a vector of their own; the builder continues without rows. */
  take(rows: number): Vector;
  /** Returns the first rows as a vector; the builder cannot be used afterwards. */
  finish(rows: number): Vector;
}

/** Whether a value counts as missing: undefined, null, NaN or an empty text. Columns of text may allow empty text. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number.isNaN(value);
}

type Values = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Int8Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;

/** A longer copy of an array; the array itself where it is long enough. */
export function grown<Array extends Values>(values: Array, rows: number): Array {
  if (values.length >= rows) return values;
  const longer = new (values.constructor as new (length: number) => Array)(rows);
  longer.set(values as never);
  return longer;
}

/** An array of the first rows: a view if it wastes little memory, else a copy. */
export function trimmed<Array extends Values>(values: Array, rows: number): Array {
  return (rows * 8 >= values.length * 7 ? values.subarray(0, rows) : values.slice(0, rows)) as Array;
}
