import { ColumnError, UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import type { Column } from '../../contract/definition.js';
import { bucketStart, DAY_SECONDS, isoOfSeconds } from '../../contract/time.js';
import { comparedColumn, describeVector, knownColumns } from '../../frame/tabular/columns-of.js';
import { columnNames, rowCount, type Tabular, vectorOf } from '../../frame/tabular/tabular.js';
import { takeVector } from '../../frame/vector/take-vector.js';
import { type Cell, cellAt, type Vector, vectorOfCells } from '../../frame/vector/vector.js';
import { groupsOfKeys, type RowGroups, rowGroups } from '../../frame/verbs/row-groups.js';
import { CLOCK_PARTS, clockPartsOf, isClockPart, WEEKDAYS } from './clock-parts.js';
import { distinctMoments } from './moments.js';
import { GRANULARITY_OF, isPeriod, type Period, refuseCoarser } from './record-granularity.js';

/** The values of one thing that rows are grouped by, one a group. */
export interface GroupKey {
  /** The description of the keys, as a column of a result. */
  readonly column: Column;
  readonly vector: Vector;
}

/** What rows are grouped by: names of columns, or of parts of the calendar; one or several. */
export type Keys<By extends string = string> = By | readonly By[];

/** The keys of a row of a result by group. */
export type KeyCells<By extends string> = {
  [Key in By extends Period ? 'date' : By]: Key extends 'date' | 'proxy_wallet' | 'weekday'
    ? string
    : Key extends 'hour'
      ? number
      : Cell;
};

/** Rows of a frame grouped by the values of columns, or by the period, weekday or hour of their date. */
export interface GroupedRows {
  /** What the groups are told apart by, in the order given. */
  readonly all: readonly GroupKey[];
  /** The first of `all`: often the only one. */
  readonly key: Column;
  /** One key per group: periods in order, other keys in the order of their first rows. */
  readonly keys: Vector;
  readonly groups: number;
  /** For each row, the number of its group. It may be the frame's own array: never change it. */
  readonly groupOf: Uint32Array;
}

/**
 * Groups rows by the values of columns, or by the period, weekday or hour of their date. Missing values form a group of
 * their own.
 *
 * @param date The column of the date of periods, weekdays and hours, in which a date may be missing, such as the close of
 *   an open market. Default: `date`, which every record has.
 * @throws {ColumnError} If the column or a record's own date is missing, or the records are coarser than the period.
 * @throws {UsageError} If `by` is neither a name nor a list of names.
 */
export function groupedRows(frame: Tabular, by: Keys, date?: string): GroupedRows {
  return groupedTogether(
    frame,
    namesOf(by).map((name) => groupedByOne(frame, name, date)),
  );
}

/** Groups rows by what they were grouped by several times: each combination that a row has is a group. */
export function groupedTogether(frame: Tabular, single: readonly GroupedRows[]): GroupedRows {
  if (single.length === 1) return single[0] as GroupedRows;
  const codes = single.map(({ groupOf, groups }) => ({ codes: Int32Array.from(groupOf), count: groups }));
  const { groupOf, groups, firstRows } = groupsOfKeys(rowCount(frame), codes);
  const all = single.map(({ key, keys, groupOf: numbers }) => ({
    column: key,
    vector: takeVector(
      keys,
      firstRows.map((row) => numbers[row] as number),
    ),
  }));
  const [{ column, vector }] = all as [GroupKey];
  return { all, key: column, keys: vector, groups, groupOf };
}

/**
 * The names to group by, each once.
 *
 * @throws {UsageError} If they are neither a name nor a list of names.
 */
export function namesOf<By extends string>(by: Keys<By>): By[] {
  const names: readonly unknown[] = Array.isArray(by) ? by : [by];
  const stray = names.find((name) => typeof name !== 'string');
  if (names.length > 0 && stray === undefined && !names.includes(undefined)) return [...new Set(names)] as By[];
  const found = names.length === 0 ? 'an empty list' : stray === null ? 'null' : `a value of type ${typeof stray}`;
  throw new UsageError(
    `by must be the name of a column, such as 'proxy_wallet', a period, such as 'month', or a list of them; got ${found}.`,
  );
}

/** Groups by one key, described as the only one of its groups. */
function groupedByOne(frame: Tabular, by: string, date: string | undefined): GroupedRows {
  if (isPeriod(by)) return withOneKey(periodsOf(frame, by, date));
  if (isClockPart(frame, by)) return withOneKey(clockPartsOf(frame, by, date));
  refuseNearPeriod(frame, by);
  const vector = vectorOf(frame, by);
  const isPlain = comparedColumn(frame, by) === vector;
  const { groupOf, groups, firstRows } = (isPlain ? groupsInOrder(vector) : undefined) ?? rowGroups(frame, [by]);
  const keys = takeVector(vector, firstRows);
  return withOneKey({ key: knownColumns(frame)?.get(by) ?? describeVector(by, keys), keys, groups, groupOf });
}

/** Groups of a single key. */
export function withOneKey(groups: Omit<GroupedRows, 'all'>): GroupedRows {
  return { ...groups, all: [{ column: groups.key, vector: groups.keys }] };
}

/** Whether results list such groups in the order of their keys, as with periods, rather than by what was measured. */
export function isInOrder(frame: Tabular, by: Keys): boolean {
  return namesOf(by).some((name) => isPeriod(name) || isClockPart(frame, name));
}

/**
 * Refuses a group that there is none of, for a measure that groups another frame than the one it was given.
 *
 * @param own What the measure groups by besides columns and times.
 * @throws {ColumnError} If a name is none of these: names the nearest, or all there are.
 */
export function refuseUnknownKeys(measure: string, frame: Tabular, by: Keys, own: readonly string[] = []): void {
  const columns = columnNames(frame);
  const others = [...Object.keys(GRANULARITY_OF), ...CLOCK_PARTS, ...own].filter((name) => !columns.includes(name));
  const stray = namesOf(by).find((name) => !columns.includes(name) && !others.includes(name));
  if (stray === undefined) return;
  const near = nearest(stray, [...columns, ...others]);
  const hint = near
    ? `Did you mean "${near}"?`
    : `${measure} groups by its columns, ${columns.join(', ')}, or by ${others.join(', ')}.`;
  throw new ColumnError(`The frame has no column "${stray}". ${hint}`);
}

/** Refuses a misspelt period with a hint; the error for a missing column would suggest only columns. */
function refuseNearPeriod(frame: Tabular, by: string): void {
  const names = columnNames(frame);
  if (names.includes(by)) return;
  const near = nearest(by, [...names, ...Object.keys(GRANULARITY_OF), ...CLOCK_PARTS]);
  if (near !== undefined && !names.includes(near)) {
    const meant = isPeriod(near) ? `the period "${near}"` : `"${near}"`;
    throw new ColumnError(`The frame has no column "${by}". Did you mean ${meant}?`);
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

function periodsOf(frame: Tabular, period: Period, date: string | undefined): Omit<GroupedRows, 'all'> {
  if (date === undefined) refuseCoarser(frame, GRANULARITY_OF[period]);
  const { times, placeOf } = distinctMoments(frame, date ?? 'date', date !== undefined);
  const starts: number[] = [];
  const groupOfPlace = Uint32Array.from(times, (time) => {
    const day = Math.floor(time / 1000 / DAY_SECONDS);
    const start = bucketStart(GRANULARITY_OF[period], day, day);
    if (starts.at(-1) !== start) starts.push(start);
    return starts.length - 1;
  });
  const groupOf = new Uint32Array(placeOf.length);
  let lacksOne = false;
  for (let row = 0; row < groupOf.length; row += 1) {
    const place = placeOf[row] as number;
    if (place < 0) lacksOne = true;
    groupOf[row] = place < 0 ? starts.length : (groupOfPlace[place] as number);
  }
  const key: Column = {
    name: 'date',
    dtype: 'datetime',
    nullable: date !== undefined,
    meaning: `First moment of the ${period}${date === undefined ? '' : ` of ${date}`}, UTC.`,
  };
  const texts = [...starts.map((start) => isoOfSeconds(start * DAY_SECONDS)), ...(lacksOne ? [null] : [])];
  return { key, keys: vectorOfCells(texts, 'text'), groups: texts.length, groupOf };
}

/** Orders groups by their keys, numbers by size and others as text, to break ties. */
export function byKey({ all, groups }: Pick<GroupedRows, 'all' | 'groups'>): (a: number, b: number) => number {
  const columns = all.map(({ column, vector }) => {
    const cells = Array.from({ length: groups }, (_, group) => cellAt(vector, group));
    if (column.name === 'weekday') return cells.map((cell) => (cell ? WEEKDAYS.indexOf(String(cell)) : 'none'));
    return cells.map((cell) => (typeof cell === 'number' && !Number.isNaN(cell) ? cell : String(cell)));
  });
  return (a, b) => {
    for (const cells of columns) {
      const [left, right] = [cells[a] as string | number, cells[b] as string | number];
      if (left !== right) return compare(left, right);
    }
    return 0;
  };
}

function compare(left: string | number, right: string | number): number {
  // Missing numbers, which are text here, come last.
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
  return left < right ? -1 : 1;
}

/**
 * Puts groups in the order of a result: periods and parts of the clock by their keys; others by a figure, the greatest
 * first, those without one last, and equal ones by their keys.
 *
 * @param groups Numbers of groups; sorted in place.
 * @param figure One a group; NaN where there is none.
 */
export function orderGroups(
  groups: Uint32Array,
  grouped: GroupedRows,
  inOrder: boolean,
  figure: ArrayLike<number>,
): Uint32Array {
  const ties = byKey(grouped);
  if (inOrder) return groups.sort(ties);
  const rank = (group: number) => (Number.isNaN(figure[group]) ? Number.NEGATIVE_INFINITY : (figure[group] as number));
  return groups.sort((a, b) => (rank(a) === rank(b) ? lastOfAll(figure, a, b) || ties(a, b) : rank(b) - rank(a)));
}

/** Tells a group without a figure from one whose figure is −∞. */
function lastOfAll(figure: ArrayLike<number>, a: number, b: number): number {
  return Number(Number.isNaN(figure[a])) - Number(Number.isNaN(figure[b]));
}

/**
 * Refuses to group by a column that the measure computes: the result would have two columns of that name.
 *
 * @throws {UsageError} If it is one of the measure's columns.
 */
export function refuseOwnColumn(measure: string, by: Keys, columns: readonly Column[]): void {
  const named = (key: string) => columns.some(({ name }) => name === key);
  const own = namesOf(by).find((key) => named(isPeriod(key) ? 'date' : key));
  if (own === undefined) return;
  const name = isPeriod(own) ? 'for dates, which the groups would need, too' : 'of that name';
  throw new UsageError(`${measure} cannot group by "${own}": its result has a column ${name}.`);
}
