import { noMore } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { DAY_MS } from '../contract/time.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../frame/tabular/columns-of.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { type Tabular, vectorsOf } from '../frame/tabular/tabular.js';
import { amountsOf } from './records/amounts.js';
import { momentsOf } from './records/moments.js';

/** A row of {@link timeToResolution}: the market record and two durations, in days. */
export type TimeToResolutionRow<Row extends object> = [keyof Row] extends [never]
  ? object
  : Omit<Row, 'days_open' | 'days_late'> & { days_open: number; days_late: number };

const DAYS_LATE: Column = {
  name: 'days_late',
  dtype: 'float64',
  unit: 'days',
  nullable: true,
  meaning: 'From when the market was due to end to when it closed; negative where it closed before.',
};

/** The description of `days_open`, in each frame that has it. */
const DAYS_OPEN: Column = {
  name: 'days_open',
  dtype: 'float64',
  unit: 'days',
  nullable: true,
  meaning: 'From when the market opened to when it closed.',
};

/**
 * How long markets took, in days: from opening to close, and from their due date to close.
 *
 * days_open = (close_date − start_date) / 1 day; days_late = (close_date − end_date) / 1 day, in days of 24 hours.
 *
 * @param frame Market records: needs `start_date`, `end_date` and `close_date`.
 * @returns The same rows and columns, and these two. Both are NaN while a market is open, and each where its own date
 * is missing. `days_late` is negative for a market that closed before it was due. For quantiles use `describe` on the
 * result, for groups `groupBy` with `median`: both skip NaN.
 * @throws {ColumnError} If a column is missing or a date cannot be read.
 * @example describe(timeToResolution(markets)); // the rows days_open and days_late have q1, median, q3
 */
export function timeToResolution<Row extends object = object>(
  frame: DataFrame<Row> | Tabular,
): DataFrame<TimeToResolutionRow<Row>>;
export function timeToResolution<Row extends object = object>(
  frame: DataFrame<Row> | Tabular,
  ...others: readonly unknown[]
): DataFrame<TimeToResolutionRow<Row>> {
  noMore('timeToResolution', others, "group what it gives: groupBy(timeToResolution(markets), 'event_slug')");
  const close = momentsOf(frame, 'close_date');
  return withNumbers<TimeToResolutionRow<Row>>(frame, [
    { column: DAYS_OPEN, values: daysBetween(momentsOf(frame, 'start_date'), close) },
    { column: DAYS_LATE, values: daysBetween(momentsOf(frame, 'end_date'), close) },
  ]);
}

/** Days from one moment to another, row by row. Overwrites and returns `from`, to save memory. */
export function daysBetween(from: Float64Array, to: Float64Array): Float64Array {
  for (let row = 0; row < from.length; row += 1) from[row] = ((to[row] as number) - (from[row] as number)) / DAY_MS;
  return from;
}

/** A row of {@link turnover}: the market record, its lifetime in days and its dollars per day. */
export type TurnoverRow<Row extends object> = [keyof Row] extends [never]
  ? object
  : Omit<Row, 'days_open' | 'volume_per_day'> & { days_open: number; volume_per_day: number };

const VOLUME_PER_DAY: Column = {
  name: 'volume_per_day',
  dtype: 'float64',
  unit: 'USD a day',
  nullable: true,
  meaning: 'Dollars traded per day from opening to close.',
};

/**
 * How actively markets were traded: dollars per day of their lifetime.
 *
 * volume_per_day = volume_total / days_open; days_open = (close_date − start_date) / 1 day, in days of 24 hours.
 *
 * @param frame Market records: needs `volume_total`, `start_date` and `close_date`.
 * @returns The same rows and columns, and these two. Both are NaN while a market is open and where a date is missing;
 * `volume_per_day` also where the volume is missing, or the market closed no later than it opened. The rate of several
 * markets together is `weightedMean('volume_per_day', 'days_open')`, all their dollars over all their days, not the
 * mean.
 * @throws {ColumnError} If a column is missing, `volume_total` is not numeric, negative or infinite, or a date cannot
 * be read.
 * @example groupBy(turnover(markets), 'event_slug').rollup({ perDay: weightedMean('volume_per_day', 'days_open') });
 */
export function turnover<Row extends object = object>(frame: DataFrame<Row> | Tabular): DataFrame<TurnoverRow<Row>>;
export function turnover<Row extends object = object>(
  frame: DataFrame<Row> | Tabular,
  ...others: readonly unknown[]
): DataFrame<TurnoverRow<Row>> {
  noMore('turnover', others, "group what it gives: groupBy(turnover(markets), 'event_slug')");
  const dollars = amountsOf(frame, 'volume_total');
  const days = daysBetween(momentsOf(frame, 'start_date'), momentsOf(frame, 'close_date'));
  const perDay = new Float64Array(days.length);
  for (let row = 0; row < days.length; row += 1) {
    const open = days[row] as number;
    perDay[row] = open > 0 ? (dollars[row] as number) / open : Number.NaN;
  }
  return withNumbers<TurnoverRow<Row>>(frame, [
    { column: DAYS_OPEN, values: days },
    { column: VOLUME_PER_DAY, values: perDay },
  ]);
}

/**
 * Adds computed columns of doubles, with their descriptions, to a frame; a column replaces one of the same name. Copies
 * nothing and keeps the provenance of the rows.
 */
function withNumbers<Row extends object>(
  frame: Tabular,
  added: readonly { readonly column: Column; readonly values: Float64Array }[],
): DataFrame<Row> {
  const [columns, vectors] = [columnsOf(frame), vectorsOf(frame)];
  for (const { column, values } of added) {
    const known = frame.columns.indexOf(column.name);
    const place = known >= 0 ? known : columns.length;
    columns[place] = column;
    vectors[place] = { kind: 'number', values };
  }
  return frameFromVectors<Row>(columns, vectors, frame);
}
