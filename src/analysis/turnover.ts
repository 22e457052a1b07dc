import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import type { Tabular } from '../frame/tabular.js';
import { amountsOf } from './amounts-of.js';
import { momentsOf } from './moments-of.js';
import { DAYS_OPEN, daysBetween } from './time-to-resolution.js';
import { withNumbers } from './with-numbers.js';

/**
 * A row of {@link turnover}: the market record, its lifetime in days and its dollars per day.
 */
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
export function turnover<Row extends object = object>(frame: DataFrame<Row> | Tabular): DataFrame<TurnoverRow<Row>> {
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
