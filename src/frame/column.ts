import { nearest } from '../contract/nearest.js';
import { ColumnError } from '../errors.js';
import { columnArrays } from './column-arrays.js';
import { columnsOf } from './columns-of.js';
import type { CellOf, ColumnName, DataFrame } from './data-frame.js';
import { isMissing } from './is-missing.js';
import type { Cell, Tabular } from './tabular.js';

/** What {@link column} answers for a column of these values: doubles, or an array with null for what is missing. */
export type ColumnValues<Value> = [NonNullable<Value>] extends [number]
  ? Float64Array
  : [NonNullable<Value>] extends [boolean]
    ? Exclude<Value, undefined>[]
    : [NonNullable<Value>] extends [string]
      ? Exclude<Value, undefined>[]
      : PlainColumn;

/**
 * One column of a frame as plain values, copied: a `Float64Array` with NaN for what is missing, or an array of text
 * or booleans with null for what is missing. Dates become ISO 8601 text. An empty frame gives an empty array.
 *
 * @param name A misspelt one is a type error where the frame's row type is known.
 * @throws {ColumnError} If the frame has no such column (the nearest one is named), or it mixes kinds of values.
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
  const values = valuesOf(frame, name);
  const numbers = numbersOf(values);
  if (numbers) return numbers;
  const kind = kindOf(frame, name, values);
  if (kind === 'number') return doublesOf(values);
  if (kind === 'boolean') return values.map((value) => (isMissing(value) ? null : value === true));
  return values.map((value) => (isMissing(value) ? null : value instanceof Date ? value.toISOString() : String(value)));
}

/**
 * One numeric column of a frame of any kind, copied; NaN for what is missing.
 *
 * @throws {ColumnError} If the frame has no such column or it holds no numbers.
 */
export function numericColumn(frame: Tabular, name: string): Float64Array {
  const values = valuesOf(frame, name);
  const numbers = numbersOf(values);
  if (numbers) return numbers;
  const kind = kindOf(frame, name, values);
  if (kind === 'number') return doublesOf(values);
  throw new ColumnError(
    `The column "${name}" holds ${kind === 'boolean' ? 'booleans' : 'text'}, but numbers are needed.`,
  );
}

function valuesOf(frame: Tabular, name: string): readonly Cell[] {
  const at = frame.columns.indexOf(name);
  if (at >= 0) return columnArrays(frame)[at] ?? [];
  const near = nearest(name, frame.columns);
  const hint = near === undefined ? `It has ${frame.columns.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
  throw new ColumnError(`The frame has no column "${name}". ${hint}`);
}

type Kind = 'number' | 'boolean' | 'string';

function kindOf(frame: Tabular, name: string, values: readonly Cell[]): Kind {
  let found: Kind | undefined;
  for (const value of values) {
    if (isMissing(value)) continue;
    const kind = kindOfCell(value);
    if (kind === found) continue;
    if (found !== undefined) {
      throw new ColumnError(`The column "${name}" mixes ${found} and ${kind} values: convert it to one kind first.`);
    }
    found = kind;
  }
  return found ?? kindWithoutValues(frame, name);
}

function kindOfCell(value: NonNullable<Cell>): Kind {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function kindWithoutValues(frame: Tabular, name: string): Kind {
  const label = labelOf(frame, name);
  if (label === 'float32' || label === 'int32') return 'number';
  if (label === 'boolean') return 'boolean';
  const dtype = columnsOf(frame).find((known) => known.name === name)?.dtype;
  return dtype === 'float64' || dtype === 'int32' ? 'number' : dtype === 'boolean' ? 'boolean' : 'string';
}

function labelOf(frame: Tabular & { readonly dtypes?: readonly string[] }, name: string): string | undefined {
  return frame.dtypes?.[frame.columns.indexOf(name)];
}

/** The values where each of them is a number, as in all of our numeric columns: one pass; undefined for any other. */
function numbersOf(values: readonly Cell[]): Float64Array | undefined {
  if (values.length === 0) return undefined;
  const numbers = new Float64Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row];
    if (typeof value !== 'number') return undefined;
    numbers[row] = value;
  }
  return numbers;
}

function doublesOf(values: readonly Cell[]): Float64Array {
  const doubles = new Float64Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row];
    doubles[row] = typeof value === 'number' ? value : isMissing(value) ? Number.NaN : Number(value);
  }
  return doubles;
}
