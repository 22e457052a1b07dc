import { itemAt } from '../../base/item-at.js';
import type { Column } from '../../contract/definition.js';
import { isoOfSeconds } from '../../contract/time.js';
import { frameFromVectors } from '../../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../../frame/tabular/data-frame.js';
import { numericVector, type Tabular } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';
import { takeVector } from '../../frame/vector/take-vector.js';
import type { Vector } from '../../frame/vector/vector.js';
import { sumsByGroup, sumsOfAll } from '../statistics/sums.js';
import { type CompleteNumbers, completeNumbers, everyRow } from './complete-numbers.js';
import { byKey, type GroupedRows, type GroupKey, groupedRows, type Keys } from './grouped-rows.js';
import { distinctMoments, type Moments } from './moments.js';

/** The points of one group, in the order of time: from `start` up to, but excluding, `end`. */
export interface Line {
  readonly group: number;
  readonly start: number;
  end: number;
}

interface Points {
  /** In the order of their groups' keys. */
  readonly lines: readonly Line[];
  /** The moment of each point, as an index into `times`; ascending within a line. */
  readonly places: Int32Array;
  /** One array per column, with one sum per point. */
  readonly sums: readonly Float64Array[];
}

/** Sums of columns by group and date. */
export interface Timelines extends Points {
  /** Moments in milliseconds since 1970, ascending. */
  readonly times: Float64Array;
  /** The keys of the groups; none if all rows are one group. */
  readonly keys: readonly GroupKey[];
}

/**
 * Sums columns by group and date; rows in which any of the columns is missing are left out.
 *
 * @param by The column to group by. Undefined: all rows are one group.
 * @param counts Those of the columns that must not be negative.
 * @throws {ColumnError} As {@link completeNumbers} does, or if a date cannot be read.
 */
export function timelines(
  frame: Tabular,
  by: Keys | undefined,
  names: readonly string[],
  counts: readonly string[],
): Timelines {
  const moments = distinctMoments(frame, 'date');
  if (by === undefined) return { times: moments.times, keys: [], ...oneLine(frame, names, counts, moments) };
  return linesApart(completeNumbers(frame, names, { counts }), moments, groupedRows(frame, by));
}

/** One timeline for each group of rows; see {@link timelines}. */
export function linesApart(chosen: CompleteNumbers, moments: Moments, grouped: GroupedRows): Timelines {
  return { times: moments.times, keys: grouped.all, ...manyLines(chosen, moments, grouped) };
}

/** Sums columns by moment, all rows as one group. */
function oneLine(
  frame: Tabular,
  names: readonly string[],
  counts: readonly string[],
  { times, placeOf }: Moments,
): Points {
  const groups = { groupOf: placeOf, groups: times.length };
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  const sums = columns.map((values, at) => sumsOfAll(values, counts.includes(itemAt(names, at)), groups));
  if (sums.every((all) => all !== undefined))
    return { lines: wholeLine(times.length), places: everyRow(times.length), sums };
  const { values, rows } = completeNumbers(frame, names, { counts });
  const seen = new Uint8Array(times.length);
  for (const place of gathered(placeOf, rows)) seen[place] = 1;
  const has = (_: number, place: number) => seen[place] === 1;
  const places = everyRow(times.length).filter(has);
  return {
    lines: wholeLine(places.length),
    places,
    sums: values.map((all) => sumsByGroup(all, rows, groups).filter(has)),
  };
}

function wholeLine(points: number): Line[] {
  return points === 0 ? [] : [{ group: 0, start: 0, end: points }];
}

function gathered(from: Int32Array | Uint32Array, places: Int32Array): Int32Array {
  const taken = new Int32Array(places.length);
  for (let at = 0; at < places.length; at += 1) taken[at] = from[places[at] as number] as number;
  return taken;
}

/** Sorts rows by group and moment, and sums each run of rows that share both. */
function manyLines(
  { values: columns, rows }: CompleteNumbers,
  { times, placeOf }: Moments,
  grouped: GroupedRows,
): Points {
  const groups = Uint32Array.from({ length: grouped.groups }, (_, group) => group).sort(byKey(grouped));
  const rankOf = new Int32Array(groups.length);
  for (let rank = 0; rank < groups.length; rank += 1) rankOf[groups[rank] as number] = rank;
  const placeOfChosen = gathered(placeOf, rows);
  const rankOfChosen = gathered(rankOf, gathered(grouped.groupOf, rows));
  const order = countingSort(
    countingSort(everyRow(rows.length), placeOfChosen, times.length),
    rankOfChosen,
    groups.length,
  );
  const starts = startsOf(order, placeOfChosen, rankOfChosen);
  const sums = columns.map((values) => sumRuns(values, order, starts));
  const places = gathered(placeOfChosen, gathered(order, starts));
  const lines: Line[] = [];
  for (let point = 0; point < starts.length; point += 1) {
    const group = groups[rankOfChosen[order[starts[point] as number] as number] as number] as number;
    const line = lines.at(-1);
    if (line?.group === group) line.end = point + 1;
    else lines.push({ group, start: point, end: point + 1 });
  }
  return { lines, places, sums };
}

/** The start of each run of rows that share their group and moment. */
function startsOf(order: Int32Array, placeOf: Int32Array, rankOf: Int32Array): Int32Array {
  const starts = new Int32Array(order.length);
  let count = 0;
  let place = -1;
  let rank = -1;
  for (let at = 0; at < order.length; at += 1) {
    const row = order[at] as number;
    if (placeOf[row] === place && rankOf[row] === rank) continue;
    place = placeOf[row] as number;
    rank = rankOf[row] as number;
    starts[count++] = at;
  }
  return starts.subarray(0, count);
}

function sumRuns(values: Float64Array, order: Int32Array, starts: Int32Array): Float64Array {
  const sums = new Float64Array(starts.length);
  for (let run = 0; run < starts.length; run += 1) {
    const end = run + 1 < starts.length ? (starts[run + 1] as number) : order.length;
    let total = 0;
    for (let at = starts[run] as number; at < end; at += 1) total += values[order[at] as number] as number;
    sums[run] = total;
  }
  return sums;
}

/**
 * A frame with one row per timeline and moment: the key if there are several timelines, the date, the computed columns.
 *
 * @param columns Descriptions of the date and of each computed column.
 * @param computed One array per computed column, with one value per point.
 */
export function timelineFrame<Row extends object>(
  frame: Tabular,
  columns: readonly Column[],
  computed: readonly Float64Array[],
  { lines, places, times, keys }: Timelines,
): DataFrame<Row> {
  const words = Array.from(times, (time) => isoOfSeconds(time / 1000));
  const vectors: Vector[] = [
    { kind: 'text', codes: places, words, distinct: false },
    ...computed.map((values): Vector => ({ kind: 'number', values })),
  ];
  const groupOf = new Uint32Array(places.length);
  for (const { group, start, end } of lines) groupOf.fill(group, start, end);
  return frameFromVectors<Row>(
    [...keys.map(({ column }) => column), ...columns],
    [...keys.map(({ vector }) => takeVector(vector, groupOf)), ...vectors],
    frame,
  );
}

/**
 * Sorts positions by small whole numbers; the sort is stable.
 *
 * @param keys A key for each position, at least 0 and below `count`.
 * @returns The given array itself if it is in order already.
 */
function countingSort(positions: Int32Array, keys: Int32Array, count: number): Int32Array {
  if (isSorted(positions, keys)) return positions;
  const next = new Int32Array(count + 1);
  for (let at = 0; at < keys.length; at += 1) {
    const slot = (keys[at] as number) + 1;
    next[slot] = (next[slot] as number) + 1;
  }
  for (let key = 0; key < count; key += 1) next[key + 1] = (next[key + 1] as number) + (next[key] as number);
  const sorted = new Int32Array(positions.length);
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at] as number;
    const key = keys[position] as number;
    const place = next[key] as number;
    sorted[place] = position;
    next[key] = place + 1;
  }
  return sorted;
}

function isSorted(positions: Int32Array, keys: Int32Array): boolean {
  for (let at = 1; at < positions.length; at += 1) {
    if ((keys[positions[at] as number] as number) < (keys[positions[at - 1] as number] as number)) return false;
  }
  return true;
}
