import { MICRO } from '../base/decimal.js';
import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { DAY_SECONDS } from '../contract/time.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { pnlCurve } from './records/pnl-curve.js';
import { granularityOf, guessedGranularity, refuseCoarser } from './records/record-granularity.js';
import { formatPercent, formatRatio, formatUsd, shownResult } from './shown-result.js';

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
 * @returns The ratio and what it is computed from. The ratio is NaN if the results of all days are equal. Fewer than two
 * days tell nothing of a year: all figures are NaN then, and the shown result says why.
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
  const mean = pnl.length > 1 ? meanOf(pnl) : Number.NaN;
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
    ...overOf(pnl.length, capital),
  ]);
}

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
 * @returns The ratio and what it is computed from. The ratio is NaN without a losing day, where empyrical gives
 * infinity. Fewer than two days tell nothing of a year: all figures are NaN then, and the shown result says why.
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
  const mean = pnl.length > 1 ? meanOf(pnl) : Number.NaN;
  const squares = pnl.reduce((total, micros) => total + Math.min(micros, 0) ** 2, 0);
  const downside = pnl.length > 1 ? Math.sqrt(squares / pnl.length) : Number.NaN;
  const scale = MICRO * capital;
  const result = {
    sortino: downside > 0 ? (Math.sqrt(DAYS_A_YEAR) * mean) / downside : Number.NaN,
    meanReturn: (DAYS_A_YEAR * mean) / scale,
    downsideRisk: (Math.sqrt(DAYS_A_YEAR) * downside) / scale,
    days: pnl.length,
    capital,
  };
  return shownResult(result, [
    ['Sortino ratio', formatRatio(result.sortino)],
    ['Mean return', `${formatPercent(result.meanReturn)} a year`],
    ['Downside risk', `${formatPercent(result.downsideRisk)} a year`],
    ...overOf(pnl.length, capital),
  ]);
}

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
 * maxDrawdown are NaN where a day lost more than the capital. Fewer than two days tell nothing of a year: all figures
 * are NaN then, and the shown result says why.
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
  const annualReturn = pnl.length > 1 ? value ** (DAYS_A_YEAR / pnl.length) - 1 : Number.NaN;
  const result = {
    calmar: fall > 0 ? annualReturn / fall : Number.NaN,
    annualReturn,
    maxDrawdown: pnl.length > 1 ? fall : Number.NaN,
    days: pnl.length,
    capital,
  };
  return shownResult(result, [
    ['Calmar ratio', formatRatio(result.calmar)],
    ['Annual return', formatPercent(annualReturn)],
    ['Maximum drawdown', formatPercent(result.maxDrawdown)],
    ...overOf(pnl.length, capital),
  ]);
}

/** How much a ratio is computed from and, where that is too little for one, that it is. */
function overOf(days: number, capital: number): [label: string, text: string][] {
  const over: [string, string] = ['Over', `${counted(days, 'day')}, on ${formatUsd(capital)}`];
  return days > 1 ? [over] : [over, ['Refused', 'it takes at least two days to tell anything of a year']];
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

/** Days per year: trading never pauses. */
const DAYS_A_YEAR = 365;

/**
 * Profit and loss of each day, in micro-dollars, from the first to the last day that has any; 0 where nothing was
 * realized. Wallets are pooled.
 *
 * @throws {ColumnError} If `date` or `pnl` is missing or not numeric, a date cannot be read, or the records are coarser
 *   than days, according to the queries behind the frame or, if these do not say, to its dates.
 */
function dailyPnl(frame: Tabular): Float64Array {
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
function capitalOf(measure: string, options: Partial<CapitalOptions> | undefined): number {
  knownOptions(measure, options ?? {}, ['capital']);
  const capital = options?.capital;
  if (typeof capital === 'number' && capital > 0 && Number.isFinite(capital)) return capital;
  throw new UsageError(
    `${measure} needs the capital that was at risk, in dollars above 0: ${measure}(pnl, { capital: 1000 }); got ${capital}.`,
  );
}

/** The mean of numbers; NaN for none. The sum of whole numbers, such as micro-dollars, is exact. */
function meanOf(values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] as number;
  return total / values.length;
}
