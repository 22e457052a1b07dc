import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import { DAY_SECONDS } from '../contract/time.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { type KeyCells, type Keys, refuseOwnColumn } from './records/grouped-rows.js';
import { type Timelines, timelineFrame, timelines } from './records/timelines.js';
import { refuseConfidence } from './statistics/wilson-interval.js';
import { ratesOf, WIN_RATE_COLUMNS, type WinRateOptions } from './win-rate.js';

/** Options of {@link rollingWinRate}: window, curves and confidence. */
export interface RollingWinRateOptions<By extends string> extends WinRateOptions {
  /** Number of days that each rate covers, its own date included. */
  window: number;
  /** A column whose values have a curve each, such as `proxy_wallet`, or a list. Default: one curve. */
  by?: Keys<By>;
}

/** A row of {@link rollingWinRate}; rates in [0, 1]; the key of the curve comes first if the curves are kept apart. */
export type RollingWinRateRecord<By extends string = never> = KeyCells<By> & {
  date: string;
  rate: number;
  low: number;
  high: number;
  decided: number;
  wins: number;
  losses: number;
};

const COLUMNS = [
  { name: 'date', dtype: 'datetime', nullable: false, meaning: 'Last bucket of the window: its first moment, UTC.' },
  ...WIN_RATE_COLUMNS,
] as const satisfies readonly Column[];

/**
 * Win rate over the last days, date by date, each pooled as {@link winRate} does: Σ wins / Σ (wins + losses) of the
 * rows whose date lies at most window − 1 days back.
 *
 * @param frame PnL records in any order: needs `date`, `wins` and `losses`. Several wallets are pooled, date by date,
 * unless `by` keeps them apart; rows that lack a count are left out. A window shorter than the buckets covers one of
 * them.
 * @param options.window Number of days, whatever the length of the buckets: 28 days cover four buckets of a week. The
 * first windows are not full.
 * @param options.by A column whose values have a curve each, such as `proxy_wallet`, or a list. Default: one curve.
 * @param options.confidence Confidence of the Wilson intervals, in (0, 1). Default 0.95.
 * @returns A row for each curve and date that has rows, in order. Rates are NaN where nothing was decided in the
 * window. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite, or a date cannot be read.
 * @throws {UsageError} If the window is not a whole number above 0, the confidence is not between 0 and 1, an option is
 * unknown, or `by` names a column of the result.
 * @example rollingWinRate(pnl, { window: 30 }).tail(1); // date, rate, low, high, decided, wins, losses
 */
export function rollingWinRate<const By extends string = never>(
  frame: Tabular,
  options: RollingWinRateOptions<By>,
): DataFrame<RollingWinRateRecord<By>> {
  knownOptions('rollingWinRate', options ?? {}, ['window', 'by', 'confidence']);
  const { window, by, confidence = 0.95 }: Partial<RollingWinRateOptions<By>> = options ?? {};
  if (window === undefined || !Number.isInteger(window) || window < 1)
    throw new UsageError(
      `rollingWinRate needs a window of whole days, such as { window: 30 }; got ${shownNumber(window)}.`,
    );
  refuseConfidence(confidence);
  if (by !== undefined) refuseOwnColumn('rollingWinRate', by, COLUMNS);
  const counts = ['wins', 'losses'];
  const curves = timelines(frame, by, counts, counts);
  const [wins, losses] = curves.sums.map((values) => trailing(values, curves, window)) as [Float64Array, Float64Array];
  return timelineFrame(frame, COLUMNS, ratesOf(wins, losses, confidence), curves);
}

/** Sums over the days up to each point. */
function trailing(values: Float64Array, { lines, places, times }: Timelines, window: number): Float64Array {
  const length = window * DAY_SECONDS * 1000;
  const totals = new Float64Array(values.length);
  for (const { start, end } of lines) {
    let [total, oldest] = [0, start];
    for (let at = start; at < end; at += 1) {
      total += values[at] as number;
      const since = (times[places[at] as number] as number) - length;
      for (; (times[places[oldest] as number] as number) <= since; oldest += 1) total -= values[oldest] as number;
      totals[at] = total;
    }
  }
  return totals;
}
