import { MICRO } from '../base/decimal.js';
import { counted } from '../base/texts.js';
import type { Tabular } from '../frame/tabular.js';
import { type CapitalOptions, capitalOf, DAYS_A_YEAR, dailyPnl } from './daily-pnl.js';
import { formatPercent } from './format-percent.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { meanOf } from './mean-of.js';
import { shownResult } from './shown-result.js';

/** A Sortino ratio and what it is computed from. */
export interface Sortino {
  /** Annual return per unit of downside risk: meanReturn / downsideRisk. */
  readonly sortino: number;
  /** Mean daily return times 365, as a fraction of the capital; not compounded. */
  readonly meanReturn: number;
  /** √(Σ min(r, 0)² / n) times √365, as a fraction of the capital. */
  readonly downsideRisk: number;
  /** Days from the first to the last, including those without a result. */
  readonly days: number;
  /** The capital that was given, in USD. */
  readonly capital: number;
}

/**
 * Sortino ratio of daily returns on a capital: √365 · mean(r) / √(Σ min(r, 0)² / n), with r = pnl / capital for each
 * day from the first to the last, 0 where nothing was realized. n counts all days, not only those with a loss, and the
 * required return is 0, so the ratio is the same for any capital, unlike the figures beside it.
 *
 * @param frame PnL records by day, in any order: needs `date` and `pnl`. Several wallets are pooled, day by day; rows
 * without a `pnl` are left out.
 * @param options.capital Dollars at risk, which the data do not contain.
 * @returns The ratio and what it is computed from. The ratio is NaN for fewer than two days, and without a losing day,
 * where empyrical gives infinity; the mean return and the downside risk are NaN without any day.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If the capital is not above 0, or an option is unknown.
 * @see Sortino and Price (1994), Performance measurement in a downside risk framework; agrees with empyrical,
 * `sortino_ratio(returns, annualization=365)`, and quantstats, `stats.sortino(returns, periods=365)`, where there is a
 * losing day.
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
    ['Over', `${counted(pnl.length, 'day')}, on ${formatUsd(capital)}`],
  ]);
}
