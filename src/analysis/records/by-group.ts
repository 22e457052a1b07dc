import { itemAt } from '../../base/item-at.js';
import type { Column } from '../../contract/definition.js';
import { frameFromColumns, frameFromVectors } from '../../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../../frame/tabular/data-frame.js';
import { type Tabular, vectorsOf } from '../../frame/tabular/tabular.js';
import { concatVectors } from '../../frame/vector/plain-vector.js';
import { takeVector } from '../../frame/vector/take-vector.js';
import { type Cell, lengthOf, type Vector, vectorOfCells } from '../../frame/vector/vector.js';
import {
  byKey,
  type GroupedRows,
  groupedRows,
  isInOrder,
  type KeyCells,
  type Keys,
  namesOf,
  orderGroups,
  refuseOwnColumn,
} from './grouped-rows.js';
import { faultsBy } from './record-faults.js';
import { partsOf } from './some-rows.js';

/** The option of measures that give one result of all rows or, with `by`, a row for each group. */
export interface ByOption<By extends string> {
  /**
   * What tells the groups apart: a column such as `proxy_wallet`, `day`, `week` or `month` of the date, `weekday` or
   * `hour`, all in UTC; or a list of them. Default: all rows are measured together.
   */
  readonly by: Keys<By>;
}

/** No groups: the measure gives one result. */
export interface Ungrouped {
  readonly by?: undefined;
}

/** A name as columns are written: `profit_factor` for `profitFactor`. */
type ColumnNamed<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnNamed<Rest>}`
  : Name;

/** A row of a measure by group: the keys, the figures of its result, and for wallets what their records lack. */
export type GroupRecord<By extends string, Result extends object> = KeyCells<By> & {
  [Figure in keyof Result as ColumnNamed<Figure & string>]: Result[Figure];
} & ('proxy_wallet' extends By ? { note: string | null } : object);

const NOTE = {
  name: 'note',
  dtype: 'string',
  nullable: true,
  meaning: "What the wallet's record lacks; null if nothing is known.",
} as const satisfies Column;

/** The columns of a result by group: its figures and, for wallets, what their records lack. */
export function describedGroups(by: Keys, figures: readonly Column[]): readonly Column[] {
  return namesOf(by).includes('proxy_wallet') ? [...figures, NOTE] : figures;
}

/**
 * A result by group whose figures were measured for all groups at once.
 *
 * @param order The groups that have a row, in the order of their rows.
 * @param columns Their figures, as {@link describedGroups} gives them.
 * @param figures One array a figure, one number a group.
 * @param saysOf What else the note of a wallet says; empty where that is nothing.
 */
export function groupTable<Row extends object>(
  frame: Tabular,
  grouped: GroupedRows,
  order: Uint32Array,
  columns: readonly Column[],
  figures: readonly Float64Array[],
  saysOf: (group: number) => string = () => '',
): DataFrame<Row> {
  const faultsOf = faultsBy(frame);
  const noteOf = (group: number) =>
    [...faultsOf(grouped.all, group), saysOf(group)].filter((note) => note !== '').join('; ') || null;
  const notes = columns.includes(NOTE) ? [vectorOfCells(Array.from(order, noteOf), 'text')] : [];
  return frameFromVectors<Row>(
    [...grouped.all.map(({ column }) => column), ...columns],
    [
      ...grouped.all.map(({ vector }) => takeVector(vector, order)),
      ...figures.map((values) => takeVector({ kind: 'number', values }, order)),
      ...notes,
    ],
    frame,
  );
}

/**
 * Measures each group of rows by itself.
 *
 * @param measure The measure's name, for errors.
 * @param columns What the result has of each group. A column `max_depth` holds the figure `maxDepth`.
 * @param measureOf Measures the rows of one group, or all rows: then `group` is undefined.
 * @param date The column of the date of periods, weekdays and hours, where that is another than `date`.
 * @param inOrder Whether rows are in the order of their keys. Default: where they are of times.
 * @returns A row for each group: those by time in order, others by the first figure, the greatest first.
 * @throws {ColumnError} If a column is missing, a date cannot be read, or as the measure does.
 * @throws {UsageError} If `by` names a column of the result, or nothing.
 */
export function measureGroups<Row extends object>(
  measure: string,
  frame: Tabular,
  by: Keys,
  columns: readonly Column[],
  measureOf: (rows: Tabular, group?: number, grouped?: GroupedRows) => object,
  date?: string,
  inOrder = isInOrder(frame, by),
): DataFrame<Row> {
  const described = describedGroups(by, columns);
  refuseOwnColumn(measure, by, described);
  // All rows first: what is wrong in one is told by its place in the frame, not in its group.
  measureOf(frame);
  const grouped = groupedRows(frame, by, date);
  const partOf = partsOf(frame, grouped);
  const faultsOf = faultsBy(frame);
  const results = Array.from({ length: grouped.groups }, (_, group) => ({
    ...measureOf(partOf(group), group, grouped),
    note: faultsOf(grouped.all, group).join('; ') || null,
  }));
  const figures = described.map(({ name }) => results.map((result): Cell => Reflect.get(result, propertyOf(name))));
  const order = orderGroups(
    Uint32Array.from(results, (_, group) => group),
    grouped,
    inOrder,
    itemAt(figures, 0).map(Number),
  );
  const keys = grouped.all.map(({ vector }) => takeVector(vector, order));
  const rows = figures.map((cells) => Array.from(order, (group) => cells[group]));
  const measured = frameFromColumns(described, rows);
  const allColumns = [...grouped.all.map(({ column }) => column), ...described];
  return frameFromVectors<Row>(allColumns, [...keys, ...vectorsOf(measured)], frame);
}

/** The name of the figure that a column holds. */
function propertyOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Tables of each group of rows, one below the other in the order of the keys, which stand first in each row.
 *
 * @param columns The columns of a table.
 * @param tableOf Measures the rows of one group, or all rows: the vectors of the table's columns. A frame for each of
 * many groups would take most of the time.
 * @throws {ColumnError} If a column is missing, a date cannot be read, or as the measure does.
 * @throws {UsageError} If `by` names a column of the result, or nothing.
 */
export function tablesOfGroups<Row extends object, By extends string>(
  measure: string,
  frame: Tabular,
  by: Keys<By>,
  columns: readonly Column[],
  tableOf: (rows: Tabular) => readonly Vector[],
): DataFrame<KeyCells<By> & Row> {
  const whole = tableOf(frame);
  refuseOwnColumn(measure, by, columns);
  const grouped = groupedRows(frame, by);
  const partOf = partsOf(frame, grouped);
  const order = Uint32Array.from({ length: grouped.groups }, (_, group) => group).sort(byKey(grouped));
  const tables = Array.from(order, (group) => {
    const vectors = tableOf(partOf(group));
    return { rows: vectors[0] === undefined ? 0 : lengthOf(vectors[0]), vectors };
  });
  const groupOf = Uint32Array.from(tables.flatMap(({ rows }, at) => Array<number>(rows).fill(itemAt(order, at))));
  const united = columns.map(({ name }, at) =>
    concatVectors(
      name,
      tables.map(({ rows, vectors }) => ({ vector: vectors[at], rows })),
    ),
  );
  return frameFromVectors<KeyCells<By> & Row>(
    [...grouped.all.map(({ column }) => column), ...columns],
    [...grouped.all.map(({ vector }) => takeVector(vector, groupOf)), ...(tables.length === 0 ? whole : united)],
    frame,
  );
}
