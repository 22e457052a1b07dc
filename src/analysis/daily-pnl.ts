import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { DAY_SECONDS } from '../contract/time.js';
import type { Tabular } from '../frame/tabular.js';
import { pnlCurve } from './pnl-curve.js';
import { granularityOf, guessedGranularity, refuseCoarser } from './refuse-coarser.js';

/** Days per year: trading never pauses. */
export const DAYS_A_YEAR = 365;

/**
 * Profit and loss of each day, in micro-dollars, from the first to the last day that has any; 0 where nothing was
 * realized. Wallets are pooled.
 *
 * @throws {ColumnError} If `date` or `pnl` is missing or not numeric, a date cannot be read, or the records are coarser
 *   than days, according to the queries behind the frame or, if these do not say, to its dates.
 */
export function dailyPnl(frame: Tabular): Float64Array {
  const { times, micros } = pnlCurve(frame);
  const dayOf = (place: number) => Math.floor((times[place] as number) / 1000 / DAY_SECONDS);
  if (times.length === 0) return new Float64Array(0);
  refuseCoarser(frame, '1d', granularityOf(frame) ?? guessedGranularity(times));
  const first = dayOf(0);
  const days = new Float64Array(dayOf(times.length - 1) - first + 1);
  for (let place = 0; place < times.length; place += 1) {
    const day = dayOf(place) - first;
    days[day] = (days[day] as number) + (micros[place] as number);
  }
  return days;
}

/** The option of `sharpe`, `sortino` and `calmar`. */
export interface CapitalOptions {
  /** Dollars at risk, above 0. The data do not contain it. */
  capital: number;
}

/**
 * Reads a measure's `capital` option.
 *
 * @throws {UsageError} If it is not a number above 0, or there is an unknown option.
 */
export function capitalOf(measure: string, options: Partial<CapitalOptions> | undefined): number {
  knownOptions(measure, options ?? {}, ['capital']);
  const capital = options?.capital;
  if (typeof capital === 'number' && capital > 0 && Number.isFinite(capital)) return capital;
  throw new UsageError(
    `${measure} needs the capital that was at risk, in dollars above 0: ${measure}(pnl, { capital: 1000 }); got ${capital}.`,
  );
}
