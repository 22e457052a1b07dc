import type { Column, Dtype } from '../contract/column.js';
import { describeColumns } from './columns-of.js';
import { DataFrame } from './danfo.js';
import type { Cell } from './tabular.js';

/** Danfo's label of each dtype. It has no label for doubles; the values keep full precision under `float32`. */
const LABELS: Record<Dtype, string> = {
  string: 'string',
  boolean: 'boolean',
  int32: 'int32',
  float64: 'float32',
  datetime: 'string',
};

/**
 * Builds a frame on ready columns. Danfo's rows and row labels are made only when a method first asks for them, so
 * that this takes the same time for any number of rows.
 *
 * @param columns What each column is; {@link columnsOf} gives it back.
 * @param arrays One plain array a column, of equal lengths; the frame takes them over.
 */
export function frameFromColumns<Row extends object = object>(
  columns: readonly Column[],
  arrays: Cell[][],
): DataFrame<Row> {
  const frame = new DataFrame([], {
    columns: columns.map(({ name }) => name),
    dtypes: columns.map(({ dtype }) => LABELS[dtype]),
  });
  const rows = arrays[0]?.length ?? 0;
  if (rows > 0) fillLazily(frame, arrays, rows);
  describeColumns(frame, columns);
  return frame as unknown as DataFrame<Row>;
}

function fillLazily(frame: DataFrame, arrays: Cell[][], rows: number): void {
  Object.defineProperty(frame, '$dataIncolumnFormat', {
    value: arrays,
    writable: true,
    configurable: true,
    enumerable: true,
  });
  defineLazily(frame, '$index', () => Array.from({ length: rows }, (_, row) => row));
  defineLazily(frame, '$data', () => rowsOf(arrays, rows), 'shape');
  Object.defineProperty(frame, 'shape', { configurable: true, get: () => [rows, frame.columns.length] });
}

/** A property that is made when first read, and then is an ordinary one; `stale` is deleted at that moment. */
function defineLazily(target: object, name: string, make: () => unknown, stale?: string): void {
  const settle = (value: unknown): unknown => {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
    if (stale !== undefined) Reflect.deleteProperty(target, stale);
    return value;
  };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    get: () => settle(make()),
    set: settle,
  });
}

function rowsOf(arrays: Cell[][], rows: number): Cell[][] {
  return Array.from({ length: rows }, (_, row) => arrays.map((array) => array[row]));
}
