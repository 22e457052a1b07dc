import { MICRO } from '../base/decimal.js';
import { counted } from '../base/texts.js';
import type { Tabular } from '../frame/tabular.js';
import { type CapitalOptions, capitalOf, DAYS_A_YEAR, dailyPnl } from './daily-pnl.js';
import { formatPercent } from './format-percent.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';

/** A Calmar ratio and what it is computed from. */
export interface Calmar {
  /** Annual return per unit of the deepest fall: annualReturn / maxDrawdown. */
  readonly calmar: number;
  /** Compounded return of a year, as a fraction. */
  readonly annualReturn: number;
  /** Deepest fall of the compounded value below its highest point so far, as a fraction of that point; not dollars. */
  readonly maxDrawdown: number;
  /** Days from the first to the last, including those without a result. */
  readonly days: number;
  /** The capital that was given, in USD. */
  readonly capital: number;
}

/**
 * Calmar ratio of daily returns on a capital: annual return / maximum drawdown, both of the value v_t = Π (1 + r), with
 * r = pnl / capital for each day from the first to the last, 0 where nothing was realized.
 *
 * annualReturn = v_n^(365 / n) − 1; maxDrawdown = max over t of 1 − v_t / (max over s ≤ t of v_s, at least 1).
 *
 * Returns are compounded, as if each day's bets took the same share of what there was; the libraries below define it
 * so. For dollars that are not reinvested use `recoveryFactor`, which needs no capital.
 *
 * @param frame PnL records by day, in any order: needs `date` and `pnl`. Several wallets are pooled, day by day; rows
 * without a `pnl` are left out. Over a few days, annual figures mean little.
 * @param options.capital Dollars at risk, which the data do not contain. Unlike the Sharpe ratio, this one depends on
 * it.
 * @returns The ratio and what it is computed from. The ratio is NaN where nothing ever fell; it, annualReturn and
 * maxDrawdown are NaN without rows, and where a day lost more than the capital.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If the capital is not above 0, or an option is unknown.
 * @see Young (1991), Calmar ratio: a smoother tool; agrees with empyrical, `calmar_ratio(returns, annualization=365)`,
 * and quantstats, `stats.calmar(returns, periods=365)`.
 * @example calmar(pnl, { capital: 10_000 }); // { calmar: 3, annualReturn: 0.6, maxDrawdown: 0.2, days: 276, … }
 */
export function calmar(frame: Tabular, options: CapitalOptions): Calmar {
  const capital = capitalOf('calmar', options);
  const pnl = dailyPnl(frame);
  const { value, fall } = compounded(pnl, MICRO * capital);
  const annualReturn = pnl.length > 0 ? value ** (DAYS_A_YEAR / pnl.length) - 1 : Number.NaN;
  const result = {
    calmar: fall > 0 ? annualReturn / fall : Number.NaN,
    annualReturn,
    maxDrawdown: pnl.length > 0 ? fall : Number.NaN,
    days: pnl.length,
    capital,
  };
  return shownResult(result, [
    ['Calmar ratio', formatRatio(result.calmar)],
    ['Annual return', formatPercent(annualReturn)],
    ['Maximum drawdown', formatPercent(result.maxDrawdown)],
    ['Over', `${counted(pnl.length, 'day')}, on ${formatUsd(capital)}`],
  ]);
}

/** The final value of one unit, and its deepest fall; both NaN if more than all was lost. */
function compounded(pnl: Float64Array, scale: number): { value: number; fall: number } {
  let [value, highest, fall] = [1, 1, 0];
  for (const micros of pnl) {
    const growth = 1 + micros / scale;
    if (growth < 0) return { value: Number.NaN, fall: Number.NaN };
    value *= growth;
    highest = Math.max(highest, value);
    fall = Math.max(fall, 1 - value / highest);
  }
  return { value, fall };
}
