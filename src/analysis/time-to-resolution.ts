import type { Column } from '../contract/definition.js';
import { DAY_SECONDS } from '../contract/time.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import type { Tabular } from '../frame/tabular.js';
import { momentsOf } from './moments-of.js';
import { withNumbers } from './with-numbers.js';

/**
 * A row of {@link timeToResolution}: the market record and two durations, in days.
 */
export type TimeToResolutionRow<Row extends object> = [keyof Row] extends [never]
  ? object
  : Omit<Row, 'days_open' | 'days_late'> & { days_open: number; days_late: number };

const DAY_MS = DAY_SECONDS * 1000;

const DAYS_LATE: Column = {
  name: 'days_late',
  dtype: 'float64',
  unit: 'days',
  nullable: true,
  meaning: 'From when the market was due to end to when it closed; negative where it closed before.',
};

/** The description of `days_open`, in each frame that has it. */
export const DAYS_OPEN: Column = {
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
): DataFrame<TimeToResolutionRow<Row>> {
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
