import { itemAt } from '../../base/item-at.js';
import { noMore } from '../../base/nearest.js';
import { doublesOf } from '../vector/plain-vector.js';
import { type BooleanVector, type Cell, cellAt, cellsOf, type TextVector } from '../vector/vector.js';
import type { CellOf, ColumnName, DataFrame } from './data-frame.js';
import { numericVector, plainColumn, type Tabular, vectorsOf } from './tabular.js';

/** What {@link column} answers for a column of these values: doubles, or an array with null for what is missing. */
type ColumnValues<Value> = [NonNullable<Value>] extends [number]
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
export function column(frame: Tabular, name: string, ...others: readonly unknown[]): PlainColumn {
  noMore('column', others, "it reads one column: column(frame, 'pnl')");
  return anyColumn(frame, name);
}

/** Doubles, or an array with null for missing values. */
type PlainColumn = Float64Array | (string | null)[] | (boolean | null)[];

/**
 * The same as {@link column}, for names that are known only at run time.
 *
 * @throws {ColumnError} If the frame has no such column (the message names the most similar), or it mixes types.
 */
export function anyColumn(frame: Tabular, name: string): PlainColumn {
  const vector = plainColumn(frame, name);
  if (vector.kind === 'number') return vector.values.slice();
  return vector.kind === 'boolean' || vector.kind === 'text' ? textsOrBooleans(vector) : doublesOf(vector);
}

/**
 * A copy of one numeric column of any frame, with NaN for missing values. A column without any value counts as numeric.
 *
 * @throws {ColumnError} If the frame has no such column, or it is not numeric.
 */
export function numericColumn(frame: Tabular, name: string): Float64Array {
  const vector = numericVector(frame, name);
  return vector.kind === 'number' ? vector.values.slice() : doublesOf(vector);
}

function textsOrBooleans(vector: TextVector | BooleanVector): (string | null)[] | (boolean | null)[] {
  return cellsOf(vector) as (string | null)[] | (boolean | null)[];
}

/**
 * The rows of a frame as records, with the columns in their order. Missing numbers are NaN, as in the frame, other
 * missing values null. A frame without rows gives an empty array.
 *
 * @example recordsOf(frame)[0]; // { date: '2025-11-01T00:00:00Z', pnl: 12.5 }
 */
export function recordsOf<Row extends object>(
  frame: DataFrame<Row>,
): [keyof Row] extends [never] ? Record<ColumnName<Row>, Cell>[] : Row[];
export function recordsOf(frame: Tabular): Record<string, Cell>[];
export function recordsOf(frame: Tabular): Record<string, Cell>[] {
  const vectors = vectorsOf(frame);
  return Array.from({ length: frame.shape[0] ?? 0 }, (_, row) =>
    Object.fromEntries(vectors.map((vector, at) => [itemAt(frame.columns, at), cellAt(vector, row)])),
  );
}
