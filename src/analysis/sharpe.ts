import { MICRO } from '../base/decimal.js';
import { counted } from '../base/texts.js';
import type { Tabular } from '../frame/tabular.js';
import { type CapitalOptions, capitalOf, DAYS_A_YEAR, dailyPnl } from './daily-pnl.js';
import { formatPercent } from './format-percent.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { meanOf } from './mean-of.js';
import { shownResult } from './shown-result.js';

/** A Sharpe ratio and what it is computed from. */
export interface Sharpe {
  /** Annual return per unit of volatility: meanReturn / volatility. */
  readonly sharpe: number;
  /** Mean daily return times 365, as a fraction of the capital; not compounded. */
  readonly meanReturn: number;
  /** Standard deviation of daily returns times √365, as a fraction of the capital. */
  readonly volatility: number;
  /** Days from the first to the last, including those without a result. */
  readonly days: number;
  /** The capital that was given, in USD. */
  readonly capital: number;
}

/**
 * Sharpe ratio of daily returns on a capital: √365 · mean(r) / std(r), with r = pnl / capital for each day from the
 * first to the last, 0 where nothing was realized, and std the standard deviation of a sample (n − 1). No risk-free
 * rate is deducted, so the ratio is the same for any capital, unlike the return and the volatility beside it.
 *
 * Realized PnL moves on the day on which a bet is closed, not while its price does: the ratio flatters a wallet that
 * keeps losing bets open.
 *
 * @param frame PnL records by day, in any order: needs `date` and `pnl`. Several wallets are pooled, day by day; rows
 * without a `pnl` are left out.
 * @param options.capital Dollars at risk, which the data do not contain.
 * @returns The ratio and what it is computed from. The ratio is NaN for fewer than two days, and if the results of all
 * days are equal; the volatility is NaN for fewer than two days, the mean return without any.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If the capital is not above 0, or an option is unknown.
 * @see Sharpe (1994), The Sharpe ratio; agrees with empyrical, `sharpe_ratio(returns, annualization=365)`, and
 * quantstats, `stats.sharpe(returns, periods=365)`.
 * @example sharpe(pnl, { capital: 10_000 }); // { sharpe: 1.8, meanReturn: 0.36, volatility: 0.2, days: 276, … }
 */
export function sharpe(frame: Tabular, options: CapitalOptions): Sharpe {
  const capital = capitalOf('sharpe', options);
  const pnl = dailyPnl(frame);
  const mean = meanOf(pnl);
  const squares = pnl.reduce((total, micros) => total + (micros - mean) ** 2, 0);
  const deviation = pnl.length > 1 ? Math.sqrt(squares / (pnl.length - 1)) : Number.NaN;
  const scale = MICRO * capital;
  const result = {
    sharpe: deviation > 0 ? (Math.sqrt(DAYS_A_YEAR) * mean) / deviation : Number.NaN,
    meanReturn: (DAYS_A_YEAR * mean) / scale,
    volatility: (Math.sqrt(DAYS_A_YEAR) * deviation) / scale,
    days: pnl.length,
    capital,
  };
  return shownResult(result, [
    ['Sharpe ratio', formatRatio(result.sharpe)],
    ['Mean return', `${formatPercent(result.meanReturn)} a year`],
    ['Volatility', `${formatPercent(result.volatility)} a year`],
    ['Over', `${counted(pnl.length, 'day')}, on ${formatUsd(capital)}`],
  ]);
}
