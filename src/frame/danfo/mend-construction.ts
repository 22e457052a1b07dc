import { ColumnError, UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import type { DataFrameConstructor, DataFrameOptions } from '../tabular/data-frame.js';
import { type Cell, isMissing } from '../vector/vector.js';
import { danfoLabels, type Internals, type Method, plainValues, replaceMethods } from './danfo-internals.js';

/** What danfo's loading methods pass on. */
interface Given {
  readonly data: unknown;
  /** 1 for records, 2 for an object of columns. */
  readonly type?: number;
  readonly index?: unknown;
  readonly columns?: readonly string[];
  readonly dtypes?: readonly string[];
}

/**
 * Mends how frames are made and filled:
 * - records are read by key, whereas danfo takes the order of each record's keys for the order of the columns;
 * - columns may be typed arrays, which danfo reads wrongly, and may be empty, at which danfo throws;
 * - text is never labelled a number (`0x10`, `""`, `"1.5"`), and the labels are inferred over all rows;
 * - a frame has its own rows, so that changing a frame or its copy does not change the other.
 */
export function mendConstruction(prototype: Internals): void {
  const load = loading(Reflect.get(prototype, 'loadArrayIntoNdframe') as Method);
  replaceMethods(prototype, {
    loadObjectIntoNdframe: () => loadByKey(load),
    loadArrayIntoNdframe: () =>
      function (given) {
        return load.call(this, { ...(given as Given), data: ownRows((given as Given).data) });
      },
    $setDtypes: (original) =>
      function (dtypes) {
        const rows = this.$data as readonly (readonly Cell[])[];
        const labels = dtypes ?? (Array.isArray(rows[0]) ? danfoLabels(rows) : undefined);
        return original.call(this, Array.isArray(labels) ? [...labels] : labels);
      },
  });
}

/**
 * Danfo's class, but accepting records with a column named `constructor` or without a prototype, since danfo tells records
 * from everything else by their constructor, and refusing what makes no frame, of which danfo's errors say nothing.
 */
export function constructible(frameClass: DataFrameConstructor): DataFrameConstructor {
  const constructibleClass = new Proxy(frameClass, {
    construct: (target, [data, options], newTarget): object => {
      refuseOdd(data, options);
      return Reflect.construct(target, hidesItsClass(data) ? rowsAndNames(data, options) : [data, options], newTarget);
    },
  });
  Object.defineProperty(frameClass.prototype, 'constructor', { value: constructibleClass });
  return constructibleClass;
}

function hidesItsClass(data: unknown): data is object {
  const record: unknown = Array.isArray(data) ? data[0] : data;
  return isRecord(record) && (Object.hasOwn(record, 'constructor') || Object.getPrototypeOf(record) === null);
}

/** Whether a value is an object of fields: of danfo's notion, or one that {@link constructible} adds. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const hasClass = !Object.hasOwn(value, 'constructor') && Object.getPrototypeOf(value) !== null;
  return !hasClass || value.constructor?.name === 'Object';
}

/** @throws {UsageError} If data is neither rows of cells, records, columns nor a tensor. */
function refuseOdd(data: unknown, options: DataFrameOptions | undefined): void {
  if (data === undefined || typeof Reflect.get(Object(data), 'arraySync') === 'function') return;
  if (Array.isArray(data)) {
    const isRow = Array.isArray(data[0]) ? Array.isArray : isRecord;
    const odd = data.findIndex((row) => !isRow(row));
    if (odd >= 0) throw refusal(`${shownValue(data[odd])} as row ${odd}, counted from 0`);
    const width = data[0]?.length;
    const other = data.findIndex((row) => row.length !== width);
    if (Array.isArray(data[0]) && other >= 0) {
      throw refusal(`${data[other].length} cells in row ${other}, counted from 0, where row 0 has ${width}`);
    }
    const isEmpty = data.length > 0 && !options?.columns && data.every((row) => Object.keys(row).length === 0);
    if (isEmpty) throw refusal('rows without cells');
    return;
  }
  if (!isRecord(data)) throw refusal(shownValue(data));
  for (const [name, values] of Object.entries(data)) {
    if (Array.isArray(values) || ArrayBuffer.isView(values) || plainValues(values)) continue;
    throw refusal(`${shownValue(values)} as its column "${name}"`);
  }
}

function refusal(got: string): UsageError {
  return new UsageError(
    `new DataFrame takes records, rows of cells or columns, such as [{ wallet: '0xa', pnl: 12.5 }], [['0xa', 12.5]] or ` +
      `{ wallet: ['0xa'], pnl: [12.5] }; got ${got}.`,
  );
}

function rowsAndNames(given: object, options: DataFrameOptions | undefined): [rows: unknown, options: object] {
  const names = options?.columns;
  const { data, columns } = Array.isArray(given) ? byKey(given, names) : ofColumns(given, names);
  return [data, { ...options, columns }];
}

function loadByKey(load: Method): Method {
  return function (given) {
    const { data, type, columns, ...rest } = given as Given;
    const table = type === 1 ? byKey(data as readonly object[], columns) : ofColumns(data as object, columns);
    return load.call(this, { ...rest, ...table });
  };
}

/**
 * Danfo's loading of rows, with rows of the frame's own and, if there are none, the labels and dtypes that danfo needs.
 */
function loading(original: Method): Method {
  return function (given) {
    const { data, index, columns = [], dtypes, ...rest } = given as Given;
    if ((data as readonly unknown[]).length > 0) {
      const names = columns.length > 0 ? { columns } : {};
      return original.call(this, { ...rest, data, index, ...names, ...(dtypes && { dtypes }) });
    }
    const labels = dtypes && dtypes.length > 0 ? dtypes : columns.map(() => 'undefined');
    return original.call(this, { ...rest, data: [], index: index ?? [], columns, dtypes: labels });
  };
}

function ownRows(rows: unknown): unknown[] {
  return (rows as readonly unknown[]).map((row) => (Array.isArray(row) ? [...row] : row));
}

type Table = Pick<Required<Given>, 'data' | 'columns'>;

/** The rows and column names of records. Given names select fields if all of them are fields; otherwise they rename. */
function byKey(records: readonly object[], names: readonly string[] | undefined): Table {
  const first = Object.keys(records[0] ?? {});
  const alike = !names && records.every((record) => sameNames(Object.keys(record), first));
  if (alike) return { data: records.map((record) => Object.values(record)), columns: first };
  const found = new Set<string>();
  for (const record of records) for (const key of Object.keys(record)) found.add(key);
  const keys = names?.every((name) => found.has(name)) ? [...names] : [...found];
  const arrays = keys.map((key) => fieldOf(records, key));
  return { data: records.map((_, row) => arrays.map((array) => array[row])), columns: names ?? keys };
}

function sameNames(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, at) => name === others[at]);
}

function fieldOf(records: readonly object[], key: string): Cell[] {
  const cells = records.map((record) => (Object.hasOwn(record, key) ? (Reflect.get(record, key) as Cell) : undefined));
  if (!cells.includes(undefined)) return cells;
  const missing = typeof cells.find((cell) => !isMissing(cell)) === 'number' ? Number.NaN : null;
  return cells.map((cell) => (cell === undefined ? missing : cell));
}

function ofColumns(data: object, names: readonly string[] | undefined): Table {
  const entries = Object.entries(data);
  const arrays = entries.map(([, values]) => plainValues(values) ?? (values as Cell[]));
  const rows = arrays[0]?.length ?? 0;
  const odd = arrays.findIndex(({ length }) => length !== rows);
  if (odd >= 0) {
    const [first, other] = [entries[0]?.[0], entries[odd]?.[0]];
    throw new ColumnError(
      `The columns of a frame must be of equal length: "${first}" has ${rows} values, "${other}" ${arrays[odd]?.length}.`,
    );
  }
  return {
    data: Array.from({ length: rows }, (_, row) => arrays.map((array) => array[row])),
    columns: names ?? entries.map(([name]) => name),
  };
}
