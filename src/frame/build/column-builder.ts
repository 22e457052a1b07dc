import type { Column } from '../../contract/column.js';
import type { Vector } from '../vector/vector.js';
import type { Cursor } from './scan/cursor.js';

/** Collects the values of one column; rows are written in any order below what was reserved. */
export interface ColumnBuilder {
  readonly column: Column;
  /** What a value has to look like, for error messages. */
  readonly expected: string;
  /** Makes room for that many rows. */
  reserve(rows: number): void;
  /**
   * Reads the JSON value at the cursor into a row and moves on behind it.
   *
   * @returns False, with the cursor where it was, where the value is not of the plain form that it expects.
   */
  scan(cursor: Cursor, row: number): boolean;
  /** Takes a decoded JSON value, undefined where the record lacks the field; false where it does not fit. */
  put(row: number, value: unknown): boolean;
  /** Whether two rows hold the same value. */
  isSame(row: number, other: number): boolean;
  /** Moves a value to another row. */
  move(from: number, to: number): void;
  /** The first rows as a vector of their own; the builder goes on with none. */
  take(rows: number): Vector;
  /** The first rows as a vector; the builder is of no more use. */
  finish(rows: number): Vector;
}

/** Whether a value stands for a missing one, as NaN does in records of a frame, unless it is text that may be empty. */
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

/** An array of the first rows: a view where little room would be lost by it, else a copy. */
export function trimmed<Array extends Values>(values: Array, rows: number): Array {
  return (rows * 8 >= values.length * 7 ? values.subarray(0, rows) : values.slice(0, rows)) as Array;
}
