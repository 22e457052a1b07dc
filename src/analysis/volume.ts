import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { takeVector } from '../frame/vector/take-vector.js';
import { type Cell, cellAt, type NumberVector, type Vector } from '../frame/vector/vector.js';
import { argSort } from '../frame/verbs/sort-by.js';
import { amountsOf } from './records/amounts.js';
import { type ByOption, measureGroups, type Ungrouped } from './records/by-group.js';
import {
  type GroupedRows,
  groupedRows,
  isInOrder,
  type Keys,
  namesOf,
  refuseOwnColumn,
} from './records/grouped-rows.js';
import { isPeriod, type Period } from './records/record-granularity.js';
import { groupTotals, sum } from './statistics/sums.js';

/**
 * A row of {@link volume}: the key of a group, its dollars, their share of all, the share of this row and those above
 * together, and the number of markets.
 */
export type VolumeRecord<By extends string> = {
  [Key in By extends Period ? 'date' : By]: Key extends 'date' | 'event_slug' | 'slug' | 'question' | 'condition_id'
    ? string | null
    : Cell;
} & { volume_total: number; share: number; cumulative_share: number; markets: number };

/** Options of {@link volume}: how markets are grouped. */
export interface VolumeOptions<By extends string> {
  /**
   * The column that groups the markets, or `day`, `week` (from Monday) or `month` of one of their dates, in UTC; or a
   * list of them. Default `event_slug`.
   */
  readonly by?: Keys<By>;
  /** The date to which the periods refer. Default `close_date`, the day on which the market closed. */
  readonly date?: string;
}

const COLUMNS = [
  { name: 'volume_total', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Dollars traded in the group.' },
  {
    name: 'share',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Of the dollars of all groups, in [0, 1].',
  },
  {
    name: 'cumulative_share',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Share of the group and of those above it together, in [0, 1].',
  },
  { name: 'markets', dtype: 'int32', unit: 'markets', nullable: false, meaning: 'Markets of the group.' },
] as const satisfies readonly Column[];

/**
 * Where the volume is: dollars by group of markets, and the share of each group in the whole.
 *
 * share = Σ volume_total of the group / Σ volume_total of all; cumulative_share = Σ share of the rows so far.
 *
 * A market record states the dollars of the market's whole life, not when they were traded. By period, all of them
 * count on one date of the market: the day on which it closed, unless `date` names another.
 *
 * @param frame Market records: needs `volume_total`, and the column of the groups or of the date. A missing volume
 * counts as 0.
 * @param options.by The column that groups the markets, or `day`, `week` or `month`, or a list of them. Default
 * `event_slug`. Markets without a value there, or without the date, form one group, whose key is null.
 * @param options.date The date of the periods. Default `close_date`.
 * @returns A row for each group, the largest volume first, equal ones by key; periods in order, in a column `date`,
 * without those that have no market. A key of null comes last among equals. Shares are fractions, NaN where nothing was
 * traded at all. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing, `volume_total` is not numeric, negative or infinite, or a date cannot
 * be read.
 * @throws {UsageError} If an option is unknown, `by` names a column of the result, or `date` is given without a period.
 * @example volume(markets).head(3); // event_slug, volume_total, share, cumulative_share, markets
 * @example volume(markets, { by: 'week' }); // by week of close_date, the first week first
 */
export function volume<const By extends string = 'event_slug'>(
  frame: Tabular,
  options: VolumeOptions<By> = {},
): DataFrame<VolumeRecord<By>> {
  knownOptions('volume', options, ['by', 'date']);
  const { by = 'event_slug' as By, date } = options;
  refuseOwnColumn('volume', by, COLUMNS);
  const names = namesOf<string>(by);
  if (date !== undefined && !names.some(isPeriod))
    throw new UsageError(
      `volume takes a date only with by: 'day', 'week' or 'month', not with "${names.join('", "')}".`,
    );
  const amounts = amountsOf(frame, 'volume_total');
  const grouped = groupedRows(frame, by, date ?? 'close_date');
  const dollars = groupTotals(amounts, grouped);
  const keyColumns = grouped.all.map(({ column }) => column);
  const keyVectors = grouped.all.map(({ vector }) => vector);
  const byTime = isInOrder(frame, by);
  const ranked = frameFromVectors([...keyColumns, COLUMNS[0]], [...keyVectors, numbers(dollars)]);
  const keys = keyColumns.map(({ name }) => ({ column: name, descending: false }));
  const order = argSort(ranked, byTime ? keys : [{ column: 'volume_total', descending: true }]);
  if (!byTime) sortEquals(order, dollars, keyVectors);
  const [rows, ...taken] = [numbers(rowsOfGroups(grouped)), ...keyVectors, numbers(dollars)].map((one) =>
    takeVector(one, order),
  );
  const shares = sharesOf(dollars, order).map(numbers);
  return frameFromVectors<VolumeRecord<By>>([...keyColumns, ...COLUMNS], [...taken, ...shares, rows as Vector]);
}

function numbers(values: Float64Array): NumberVector {
  return { kind: 'number', values };
}

function rowsOfGroups({ groupOf, groups }: Pick<GroupedRows, 'groupOf' | 'groups'>): Float64Array {
  const counts = new Float64Array(groups);
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    counts[group] = (counts[group] as number) + 1;
  }
  return counts;
}

/** Puts groups with equal dollars in the order of their keys, missing ones last. */
function sortEquals(order: Uint32Array, dollars: Float64Array, keys: readonly Vector[]): void {
  const compareBy = (vector: Vector, a: number, b: number) => {
    const [left, right] = [cellAt(vector, a) ?? null, cellAt(vector, b) ?? null];
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    return left < right ? -1 : left > right ? 1 : 0;
  };
  const compare = (a: number, b: number) =>
    keys.reduce((found, vector) => (found === 0 ? compareBy(vector, a, b) : found), 0);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && dollars[order[end] as number] === dollars[order[start] as number]) end += 1;
    if (end - start > 1) order.subarray(start, end).sort(compare);
    start = end;
  }
}

/** The share and the cumulative share of each group, in order. */
function sharesOf(dollars: Float64Array, order: Uint32Array): [Float64Array, Float64Array] {
  const total = sum(dollars);
  const [shares, cumulative] = [new Float64Array(order.length), new Float64Array(order.length)];
  let soFar = 0;
  for (let at = 0; at < order.length; at += 1) {
    const own = dollars[order[at] as number] as number;
    soFar += own;
    shares[at] = own / total;
    // Accumulated rounding must not let the last share miss 1.
    cumulative[at] = at === order.length - 1 ? total / total : Math.min(1, soFar / total);
  }
  return [shares, cumulative];
}

/**
 * Total volume of markets, in USD: Σ volume_total, which counts one side of each trade once.
 *
 * @param frame Market records: needs `volume_total`; a missing one counts as 0.
 * @param options.by A column such as `event_slug`, `day`, `week` or `month` of `close_date`, or a list of them: one row for
 * each group. Markets without a value there, or that have not closed, form one group, whose key is null. Default: all
 * markets together. Shares of the whole: `volume`.
 * @returns Dollars; 0 for a frame without rows.
 * @throws {ColumnError} If a column is missing, `volume_total` is not numeric, negative or infinite, or a date cannot be
 * read.
 * @throws {UsageError} If an option is unknown, or `by` names the column of the result.
 * @example totalVolume(markets); // 1250000
 */
export function totalVolume(frame: Tabular, options?: Ungrouped): number;
export function totalVolume<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<Omit<VolumeRecord<By>, 'share' | 'cumulative_share' | 'markets'>>;
export function totalVolume(frame: Tabular, options: { by?: Keys | undefined } = {}): number | object {
  knownOptions('totalVolume', options, ['by']);
  const totalOf = (rows: Tabular) => sum(amountsOf(rows, 'volume_total').filter((dollars) => !Number.isNaN(dollars)));
  if (options.by === undefined) return totalOf(frame);
  const measured = (rows: Tabular) => ({ volumeTotal: totalOf(rows) });
  return measureGroups('totalVolume', frame, options.by, [COLUMNS[0]], measured, 'close_date');
}
