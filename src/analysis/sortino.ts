import { MICRO } from '../contract/decimal.js';
import type { Tabular } from '../frame/tabular.js';
import { type CapitalOptions, capitalOf, DAYS_A_YEAR, dailyPnl } from './daily-pnl.js';
import { formatPercent } from './format-percent.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { meanOf } from './mean-of.js';
import { shownResult } from './shown-result.js';

/** A Sortino ratio with what it comes from. */
export interface Sortino {
  /** Return of a year for each unit of its downside risk. */
  readonly sortino: number;
  /** Mean daily return times 365, as a fraction of the capital; not compounded. */
  readonly meanReturn: number;
  /** Root of the mean square of daily losses times √365, as a fraction of the capital. */
  readonly downsideRisk: number;
  /** Days from the first to the last, those without a result included. */
  readonly days: number;
  /** In USD, as it was given. */
  readonly capital: number;
}

/**
 * Sortino ratio of daily returns on a capital: √365 · mean(r) / √(Σ min(r, 0)² / n), with r = pnl / capital for each day
 * from the first to the last, 0 where nothing was realized. The n counts all days, not those with a loss alone, and the
 * required return is 0; therefore the ratio itself is the same for any capital, unlike the figures beside it.
 *
 * @param frame PnL records of day buckets, in any order: needs `date` and `pnl`. Several wallets are pooled, day by day;
 * rows without a `pnl` are left out.
 * @param options.capital Dollars that were at risk: the data do not tell them.
 * @returns NaN for fewer than two days, or without a losing day, where empyrical answers infinity.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If the capital is not above 0, or an option is unknown.
 * @see Sortino and Price (1994), Performance measurement in a downside risk framework; empyrical,
 * `sortino_ratio(returns, annualization=365)`, and quantstats, `stats.sortino(returns, periods=365)`, which this agrees
 * with where there is a losing day.
 * @example sortino(pnl, { capital: 10_000 }); // { sortino: 2.6, meanReturn: 0.36, downsideRisk: 0.14, days: 276, … }
 */
export function sortino(frame: Tabular, options: CapitalOptions): Sortino {
  const capital = capitalOf('sortino', options);
  const pnl = dailyPnl(frame);
  const mean = meanOf(pnl);
  const squares = pnl.reduce((total, micros) => total + Math.min(micros, 0) ** 2, 0);
  const downside = Math.sqrt(squares / pnl.length);
  const scale = MICRO * capital;
  const result = {
    sortino: downside > 0 && pnl.length > 1 ? (Math.sqrt(DAYS_A_YEAR) * mean) / downside : Number.NaN,
    meanReturn: (DAYS_A_YEAR * mean) / scale,
    downsideRisk: (Math.sqrt(DAYS_A_YEAR) * downside) / scale,
    days: pnl.length,
    capital,
  };
  return shownResult(result, [
    ['Sortino ratio', formatRatio(result.sortino)],
    ['Mean return', `${formatPercent(result.meanReturn)} a year`],
    ['Downside risk', `${formatPercent(result.downsideRisk)} a year`],
    ['Over', `${pnl.length.toLocaleString('en-US')} days, on ${formatUsd(capital)}`],
  ]);
}
