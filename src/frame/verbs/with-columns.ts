import { ColumnError, UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { noMore } from '../../base/nearest.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf, describeVector } from '../tabular/columns-of.js';
import type { DataFrame } from '../tabular/data-frame.js';
import { placeOf, type Tabular, vectorOf, vectorsOf } from '../tabular/tabular.js';
import { shortestTimes } from '../vector/iso-time.js';
import { type Cell, isMissing, type Vector, vectorOfCells } from '../vector/vector.js';
import { lacksReturn } from './filter-rows.js';
import { namedValues } from './group-by.js';
import { type RowView, withRowView } from './row-view.js';

/** The values of a new column: a function that computes them from each row, or a list of them, one for each row. */
export type NewColumn<Row extends object> =
  | ((row: RowView<Row>, at: number) => Cell)
  | readonly Cell[]
  | Float64Array
  | Int32Array;

/** The value in a row that a {@link NewColumn} gives. */
type NewValue<Column> = Column extends (...given: never[]) => infer Value
  ? Value
  : Column extends { readonly [at: number]: infer Value }
    ? Value
    : never;

/** A row with the new columns; of unknown columns where the frame's are not known. */
type ExtendedRow<Row extends object, Added> = [keyof Row] extends [never]
  ? object
  : Omit<Row, keyof Added> & { [Name in keyof Added]: NewValue<Added[Name]> };

/**
 * Adds columns to a frame, or replaces those of the same name. Each is computed from the frame as it was given, so no
 * new column sees another one.
 *
 * @param added By name: a function of a row (one object that shows each row in turn, so do not store it), or the
 * values. NaN and null are missing. If every text is an ISO 8601 time in UTC, the column becomes `datetime`, in the
 * form of other frames.
 * @returns A new frame.
 * @throws {ColumnError} If the number of values is not that of the rows; if a value is an object, a list, a symbol, a
 * big integer or a promise, which the message names with its row; or if a function reads a column that does not exist.
 * @throws {UsageError} If a column is neither a function nor a list.
 * @example withColumns(pnl, { roi: (row) => row.pnl / row.invested, won: (row) => row.pnl > 0 });
 */
export function withColumns<Row extends object, const Added extends Readonly<Record<string, NewColumn<Row>>>>(
  frame: DataFrame<Row>,
  added: Added,
): DataFrame<ExtendedRow<Row, Added>>;
export function withColumns<Row extends object, const Added extends Readonly<Record<string, NewColumn<Row>>>>(
  frame: DataFrame<Row>,
  added: Added,
  ...others: readonly unknown[]
): DataFrame<ExtendedRow<Row, Added>> {
  noMore(
    'withColumns',
    others,
    "name all columns at once: withColumns(frame, { double: (row) => 2 * row.pnl, note: () => 'x' })",
  );
  const columns = columnsOf(frame);
  const vectors = vectorsOf(frame);
  for (const [name, values] of namedValues(added, 'withColumns(frame, { roi: (row) => row.pnl / row.invested })')) {
    const given = givenVector(frame, name, values);
    const known = frame.columns.indexOf(name);
    const place = known >= 0 ? known : columns.length;
    const column = describeVector(name, given);
    columns[place] = column;
    vectors[place] = column.dtype === 'datetime' ? shortestTimes(given) : given;
  }
  return frameFromVectors(columns, vectors, frame);
}

function givenVector<Row extends object>(frame: DataFrame<Row>, name: string, values: NewColumn<Row>): Vector {
  if (typeof values === 'function') {
    const cells = computed(frame, values);
    if (cells.length > 0 && lacksReturn(values) && cells.every((cell) => cell === undefined)) {
      throw new UsageError(`The function for "${name}" has braces but returns nothing: write { return row.pnl > 0; }.`);
    }
    return checkedVector(name, cells);
  }
  if (!Array.isArray(values) && !(values instanceof Float64Array) && !(values instanceof Int32Array)) {
    throw new UsageError(`withColumns needs a function of a row or a list for "${name}"; got ${typeof values}.`);
  }
  const rows = frame.shape[0];
  if (values.length !== rows) {
    throw new ColumnError(`The new column "${name}" has ${values.length} values, but the frame has ${rows} rows.`);
  }
  return Array.isArray(values)
    ? checkedVector(name, [...values])
    : { kind: 'number', values: Float64Array.from(values) };
}

function computed<Row extends object>(frame: Tabular, value: (row: RowView<Row>, at: number) => Cell): Cell[] {
  return withRowView<Row, Cell[]>(frame, (view, cursor) => {
    const cells: Cell[] = [];
    for (let row = 0; row < (frame.shape[0] ?? 0); row += 1) {
      cursor.row = row;
      cells.push(value(view, row));
    }
    return cells;
  });
}

/** Refuses what only TypeScript would have told. */
function checkedVector(name: string, cells: readonly Cell[]): Vector {
  const vector = vectorOfCells(cells);
  if (vector.kind !== 'mixed') return vector;
  for (const [row, cell] of cells.entries()) {
    const isCell = isMissing(cell) || cell instanceof Date || CELLS.includes(typeof cell);
    if (!isCell) throw new ColumnError(refusal(name, row, cell));
  }
  return vector;
}

const CELLS: readonly string[] = ['string', 'number', 'boolean'];

function refusal(name: string, row: number, cell: unknown): string {
  const isPromise = cell instanceof Promise;
  const found = isPromise ? 'a promise' : Array.isArray(cell) ? 'a list' : `a value of type ${typeof cell}`;
  const remedy = isPromise
    ? 'await it before'
    : typeof cell === 'bigint'
      ? 'give Number(value), or String(value) from 2⁵³ on'
      : 'give a part of it, or text such as JSON.stringify makes';
  return `The new column "${name}" has ${found} in row ${row}, counted from 0, but a column holds numbers, text, booleans and dates: ${remedy}.`;
}

/**
 * A frame with the named columns of another, in that order; the frame itself if `names` is undefined.
 *
 * @throws {ColumnError} If the frame lacks one of them; the message names the most similar column.
 */
export function chosenColumns(frame: DataFrame, names: readonly string[] | undefined): DataFrame {
  if (!names) return frame;
  const described = columnsOf(frame);
  const columns = names.map((name) => itemAt(described, placeOf(frame, name)));
  return frameFromVectors(
    columns,
    names.map((name) => vectorOf(frame, name)),
    frame,
  );
}
