import type { CellOf, ColumnName, DataFrame } from './danfo/data-frame.js';
import type { Tabular } from './tabular.js';
import { doublesOf, numericVector, plainColumn } from './vector/plain-vector.js';
import { type BooleanVector, cellsOf, type TextVector } from './vector/vector.js';

/** What {@link column} answers for a column of these values: doubles, or an array with null for what is missing. */
export type ColumnValues<Value> = [NonNullable<Value>] extends [number]
  ? Float64Array
  : [NonNullable<Value>] extends [boolean]
    ? Exclude<Value, undefined>[]
    : [NonNullable<Value>] extends [string]
      ? Exclude<Value, undefined>[]
      : PlainColumn;

/**
 * The values of one column, copied: a `Float64Array` with NaN for missing numbers, or an array of text or booleans with
 * null for missing ones. Dates become ISO 8601 text. A frame without rows gives an empty array.
 *
 * @param name The column. A misspelt name is a type error where the row type of the frame is known.
 * @throws {ColumnError} If the frame has no such column (the message names the nearest one), or it mixes kinds of
 * values.
 * @example column(pnl, 'pnl').reduce((sum, value) => sum + value, 0);
 */
export function column<Row extends object, Name extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  name: Name,
): ColumnValues<CellOf<Row, Name>>;
export function column(frame: Tabular, name: string): PlainColumn {
  return anyColumn(frame, name);
}

/** Doubles, or an array with null for what is missing. */
export type PlainColumn = Float64Array | (string | null)[] | (boolean | null)[];

/**
 * The same as {@link column}, for names that are known at run time alone.
 *
 * @throws {ColumnError} If the frame has no such column (the nearest one is named), or it mixes kinds of values.
 */
export function anyColumn(frame: Tabular, name: string): PlainColumn {
  const vector = plainColumn(frame, name);
  if (vector.kind === 'number') return vector.values.slice();
  return vector.kind === 'boolean' || vector.kind === 'text' ? textsOrBooleans(vector) : doublesOf(vector);
}

/**
 * One numeric column of a frame of any kind, copied; NaN for what is missing, as everywhere in a column without any value.
 *
 * @throws {ColumnError} If the frame has no such column or it holds something else.
 */
export function numericColumn(frame: Tabular, name: string): Float64Array {
  const vector = numericVector(frame, name);
  return vector.kind === 'number' ? vector.values.slice() : doublesOf(vector);
}

function textsOrBooleans(vector: TextVector | BooleanVector): (string | null)[] | (boolean | null)[] {
  return cellsOf(vector) as (string | null)[] | (boolean | null)[];
}
