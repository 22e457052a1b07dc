import { types } from 'node:util';
import { describeValue, lengthOf } from './describe-value.js';
import { enumerableNames, isObject, propertyOf } from './property.js';
import type { Table, TableColumn } from './table.js';

/** Rows that are looked at for the names of columns. */
const LOOKED_AT = 1000;
/** Columns beyond which nothing is shown. */
const MOST_COLUMNS = 500;

/** Any list as a table; its getters and proxies are not run. */
export function rowsTable(rows: readonly unknown[] | NodeJS.TypedArray): Table {
  const count = lengthOf(rows) ?? 0;
  const names = namesIn(rows, count);
  const columns = names.length === 0 ? ['value'] : names;
  return {
    rows: count,
    columns,
    column: (at) => {
      const name = columns[at] ?? '';
      const read = (row: number): unknown => {
        const element = elementOf(rows, row);
        return names.length === 0 ? element : isRow(element) ? cellIn(element, name) : undefined;
      };
      return listColumn(name, count, read);
    },
  };
}

function cellIn(row: object, name: string): unknown {
  const property = propertyOf(row, name);
  return property && ('value' in property ? property.value : '(getter)');
}

function isRow(value: unknown): value is object {
  return isObject(value) && typeof value !== 'function' && !types.isProxy(value);
}

function elementOf(rows: readonly unknown[] | NodeJS.TypedArray, at: number): unknown {
  return types.isTypedArray(rows) ? rows[at] : propertyOf(rows, String(at))?.value;
}

/** The names of the columns; none if the rows are no objects, or objects that say nothing of themselves. */
function namesIn(rows: readonly unknown[] | NodeJS.TypedArray, count: number): string[] {
  if (types.isTypedArray(rows)) return [];
  const names = new Set<string>();
  for (let at = 0; at < Math.min(count, LOOKED_AT) && names.size < MOST_COLUMNS; at += 1) {
    const row = elementOf(rows, at);
    if (!isRow(row) || types.isDate(row)) continue;
    const length = lengthOf(row);
    const own = length === undefined ? (enumerableNames(row) ?? []) : placesUpTo(length);
    for (const name of own) names.add(name);
  }
  return [...names].slice(0, MOST_COLUMNS);
}

function placesUpTo(length: number): string[] {
  return Array.from({ length: Math.min(length, MOST_COLUMNS) }, (_, place) => String(place));
}

/** A column of which the value in each row is known. */
function listColumn(name: string, rows: number, cell: (row: number) => unknown): TableColumn {
  const type = typeIn(rows, cell);
  const isText = type === 'string';
  return {
    name,
    type,
    ...(isText
      ? { texts: () => textsIn(rows, cell) }
      : { keys: () => Float64Array.from({ length: rows }, (_, row) => keyOf(cell(row))) }),
    shown: (some) => some.map((row) => textOf(cell(row))),
    whole: (some) => some.map((row) => wholeOf(cell(row))),
  };
}

/** The type of a column, by all its values that are not missing; `string` if they are mixed, or none is there. */
function typeIn(rows: number, cell: (row: number) => unknown): string {
  let found: string | undefined;
  for (let row = 0; row < rows; row += 1) {
    const value = cell(row);
    if (isMissing(value)) continue;
    const type = typeof value === 'bigint' ? 'number' : types.isDate(value) ? 'datetime' : typeof value;
    if (found !== undefined && found !== type) return 'string';
    found = type;
  }
  return found === 'number' || found === 'datetime' || found === 'boolean' ? found : 'string';
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || Number.isNaN(value);
}

const timeOf = Date.prototype.getTime;

function keyOf(value: unknown): number {
  if (isMissing(value)) return Number.NaN;
  return types.isDate(value) ? Reflect.apply(timeOf, value, []) : Number(value);
}

/** A value as text; one that is no text in words. */
function textOf(value: unknown): string {
  if (isMissing(value)) return '';
  if (typeof value === 'string') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  return typeof value === 'bigint' ? String(value) : describeValue(value).value;
}

/** A text whole; anything else as {@link textOf}. */
function wholeOf(value: unknown): string {
  return typeof value === 'string' ? value : textOf(value);
}

/** Longest text shown in a cell. */
const LONGEST = 10_000;

function textsIn(rows: number, cell: (row: number) => unknown): { codes: Int32Array; words: string[] } {
  const numbers = new Map<string, number>();
  const codes = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const value = cell(row);
    if (isMissing(value)) {
      codes[row] = -1;
      continue;
    }
    const word = textOf(value);
    const code = numbers.get(word) ?? numbers.size;
    if (code === numbers.size) numbers.set(word, code);
    codes[row] = code;
  }
  return { codes, words: [...numbers.keys()] };
}
