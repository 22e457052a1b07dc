import { ColumnError, UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { nearest } from '../../base/nearest.js';
import type { Column } from '../../contract/definition.js';
import { bucketStart, DAY_SECONDS, isoOfSeconds } from '../../contract/time.js';
import { comparedColumn, describeVector, knownColumns } from '../../frame/tabular/columns-of.js';
import { columnNames, numericVector, type Tabular, vectorOf } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';
import { takeVector } from '../../frame/vector/take-vector.js';
import { cellAt, type Vector, vectorOfCells } from '../../frame/vector/vector.js';
import { type RowGroups, rowGroups } from '../../frame/verbs/row-groups.js';
import { sumsByGroup, sumsOfAll } from '../statistics/sums.js';
import { completeNumbers } from './complete-numbers.js';
import { distinctMoments } from './moments.js';
import { GRANULARITY_OF, isPeriod, type Period, refuseCoarser } from './record-granularity.js';

/** Rows of a frame grouped by the value of a column or by the period of their date. */
export interface GroupedRows {
  /** The description of the keys, as a column of a result. */
  readonly key: Column;
  /** One key per group: periods in order, other keys in the order of their first rows. */
  readonly keys: Vector;
  readonly groups: number;
  /** For each row, the number of its group. It may be the frame's own array: never change it. */
  readonly groupOf: Uint32Array;
}

/**
 * Groups rows by the values of a column, or by the period of their `date`. Missing values form a group of their own.
 *
 * @throws {ColumnError} If the column or a date is missing, or the records are coarser than the period.
 */
export function groupedRows(frame: Tabular, by: string): GroupedRows {
  if (isPeriod(by)) return periodsOf(frame, by);
  refuseNearPeriod(frame, by);
  const vector = vectorOf(frame, by);
  const isPlain = comparedColumn(frame, by) === vector;
  const { groupOf, groups, firstRows } = (isPlain ? groupsInOrder(vector) : undefined) ?? rowGroups(frame, [by]);
  const keys = takeVector(vector, firstRows);
  return { key: knownColumns(frame)?.get(by) ?? describeVector(by, keys), keys, groups, groupOf };
}

/** Refuses a misspelt period with a hint; the error for a missing column would suggest only columns. */
function refuseNearPeriod(frame: Tabular, by: string): void {
  const names = columnNames(frame);
  if (names.includes(by)) return;
  const near = nearest(by, [...names, ...Object.keys(GRANULARITY_OF)]);
  if (near !== undefined && isPeriod(near)) {
    throw new ColumnError(`The frame has no column "${by}". Did you mean the period "${near}"?`);
  }
}

/** The groups of text whose codes count up from 0 in order of first appearance: the codes are the group numbers. */
function groupsInOrder(vector: Vector): RowGroups | undefined {
  if (vector.kind !== 'text' || !vector.distinct) return undefined;
  const { codes } = vector;
  const firstRows: number[] = [];
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    if (code >= 0 && code < firstRows.length) continue;
    if (code !== firstRows.length) return undefined;
    firstRows.push(row);
  }
  return {
    groupOf: new Uint32Array(codes.buffer, codes.byteOffset, codes.length),
    groups: firstRows.length,
    firstRows: Uint32Array.from(firstRows),
  };
}

function periodsOf(frame: Tabular, period: Period): GroupedRows {
  refuseCoarser(frame, GRANULARITY_OF[period]);
  const { times, placeOf } = distinctMoments(frame, 'date');
  const starts: number[] = [];
  const groupOfPlace = Uint32Array.from(times, (time) => {
    const day = Math.floor(time / 1000 / DAY_SECONDS);
    const start = bucketStart(GRANULARITY_OF[period], day, day);
    if (starts.at(-1) !== start) starts.push(start);
    return starts.length - 1;
  });
  const groupOf = new Uint32Array(placeOf.length);
  for (let row = 0; row < groupOf.length; row += 1) groupOf[row] = groupOfPlace[placeOf[row] as number] as number;
  const key: Column = {
    name: 'date',
    dtype: 'datetime',
    nullable: false,
    meaning: `First moment of the ${period}, UTC.`,
  };
  const texts = starts.map((start) => isoOfSeconds(start * DAY_SECONDS));
  return { key, keys: vectorOfCells(texts, 'text'), groups: starts.length, groupOf };
}

/** Orders groups by their keys as text, to break ties. */
export function byKey({ keys, groups }: Pick<GroupedRows, 'keys' | 'groups'>): (a: number, b: number) => number {
  const texts = Array.from({ length: groups }, (_, group) => String(cellAt(keys, group)));
  return (a, b) => {
    const [left, right] = [texts[a] as string, texts[b] as string];
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

/** Sums of columns by group. */
interface GroupedSums {
  readonly grouped: GroupedRows;
  /** One array per column, with one sum per group. */
  readonly sums: readonly Float64Array[];
  /** The groups that have at least one row in which no column is missing. */
  readonly present: Uint32Array;
}

/**
 * Sums columns by group, without the rows in which any of them is missing.
 *
 * @throws {ColumnError} As {@link completeNumbers} and {@link groupedRows} do.
 */
export function groupedSums(
  frame: Tabular,
  by: string,
  names: readonly string[],
  counts: readonly string[],
): GroupedSums {
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  const grouped = groupedRows(frame, by);
  const sums = columns.map((values, at) => sumsOfAll(values, counts.includes(itemAt(names, at)), grouped));
  if (sums.every((all) => all !== undefined)) {
    return { grouped, sums, present: Uint32Array.from({ length: grouped.groups }, (_, group) => group) };
  }
  const { values, rows } = completeNumbers(frame, names, { counts });
  return {
    grouped,
    sums: values.map((all) => sumsByGroup(all, rows, grouped)),
    present: presentGroups(rows, grouped),
  };
}

/** The groups that have any of these rows, in order. */
function presentGroups(rows: Int32Array, { groupOf, groups }: GroupedRows): Uint32Array {
  // If no row is left out, every group has one.
  if (rows.length === groupOf.length) return Uint32Array.from({ length: groups }, (_, group) => group);
  const present = new Uint8Array(groups);
  for (let at = 0; at < rows.length; at += 1) present[groupOf[rows[at] as number] as number] = 1;
  const kept = new Uint32Array(groups);
  let count = 0;
  for (let group = 0; group < groups; group += 1) if (present[group] === 1) kept[count++] = group;
  return kept.subarray(0, count);
}

/**
 * Refuses to group by a column that the measure computes: the result would have two columns of that name.
 *
 * @throws {UsageError} If it is one of the measure's columns.
 */
export function refuseOwnColumn(measure: string, by: string, columns: readonly Column[]): void {
  if (columns.some(({ name }) => name === by))
    throw new UsageError(`${measure} cannot group by "${by}": its result has a column of that name.`);
}
