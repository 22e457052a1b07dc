import { types } from 'node:util';
import { isOwnHook } from '../../base/own-hook.js';
import { inheritedValue, isObject } from './property.js';

/** One column of a {@link Table}. */
export interface TableColumn {
  readonly name: string;
  /** `datetime` and `boolean` are compared as such; any other name is only shown. */
  readonly type: string;
  /**
   * A number for each row by which rows are sorted and compared: the number itself, milliseconds since 1970, 0 and 1; NaN
   * where a value is missing. Absent if the column is sorted by its text.
   */
  keys?(): Float64Array;
  /** The column's text, as the number of a word for each row; -1 where it is missing. Absent if it holds none. */
  texts?(): { codes: Int32Array; words: readonly string[] };
  /** The values in some rows as they are shown; a missing one as an empty text. */
  shown(rows: readonly number[]): string[];
  /** The same with nothing shortened or rounded, to be copied or computed with. Default: as they are shown. */
  whole?(rows: readonly number[]): string[];
}

/** A value that can be looked at row by row. */
export interface Table {
  /** What such values are called. Default: by their class. */
  readonly type?: string;
  readonly rows: number;
  /** The names of the columns. */
  readonly columns: readonly string[];
  /** How many values the value reads before it can show any, as a cell that ends in it does. Default: none. */
  readonly unread?: number;
  /** The column at a place, from 0. */
  column(at: number): TableColumn;
}

/**
 * The method by which a value of ours, such as a frame, says that it is a {@link Table}; it costs nothing until a column
 * is asked for.
 */
const TABLE = Symbol.for('oddslab.table');

/** Whether {@link knownTable} asks a value. Runs nothing of it. */
export function saysTable(value: object): boolean {
  return ownMethod(value, TABLE) !== undefined;
}

/** The table that a value says it is; undefined if it says nothing, something else, or what says it is the user's code. */
export function knownTable(value: object): Table | undefined {
  const method = ownMethod(value, TABLE);
  if (!method) return undefined;
  try {
    const table: unknown = Reflect.apply(method, value, []);
    return isTable(table) ? table : undefined;
  } catch {
    return undefined;
  }
}

/** A method of a value that this package has marked as its own, see {@link isOwnHook}. */
export function ownMethod(value: object, name: symbol): (() => unknown) | undefined {
  const method = inheritedValue(value, name);
  if (typeof method !== 'function' || types.isProxy(method) || !isOwnHook(method)) return undefined;
  return method as () => unknown;
}

function isTable(value: unknown): value is Table {
  if (!isObject(value) || types.isProxy(value)) return false;
  const { rows, columns, column } = value as Partial<Table>;
  return Number.isInteger(rows) && Array.isArray(columns) && typeof column === 'function';
}

/** The keys of a column, see {@link TableColumn.keys}; of text its place among the sorted texts, by code units. */
export function keysOf(column: TableColumn): Float64Array {
  if (column.keys) return column.keys();
  const { codes, words } = column.texts?.() ?? { codes: new Int32Array(), words: [] };
  const places = placesOf(words);
  return Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : (places[code] ?? Number.NaN)));
}

/** The place of each word among the sorted ones; equal words have the same. */
function placesOf(words: readonly string[]): Float64Array {
  const order = Array.from(words.keys()).sort((a, b) => compareText(words[a] ?? '', words[b] ?? ''));
  const places = new Float64Array(words.length);
  let place = 0;
  for (const [at, code] of order.entries()) {
    if (at > 0 && words[code] !== words[order[at - 1] ?? 0]) place += 1;
    places[code] = place;
  }
  return places;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
