import { MICRO } from '../base/decimal.js';
import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import { counted } from '../base/texts.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { type RangeOptions, rangeOf } from './records/asked-range.js';
import { type ByOption, type GroupRecord, measureGroups, type Ungrouped } from './records/by-group.js';
import { type CountedRange, type DailyPnl, dailyPnl, rangeOfGroups } from './records/daily-pnl.js';
import type { Keys } from './records/grouped-rows.js';
import { formatPercent, formatRatio, formatUsd, shownResult } from './shown-result.js';

/** A Sharpe ratio and what it is computed from. */
export interface Sharpe {
  /** Annual return per unit of volatility: meanReturn / volatility. */
  readonly sharpe: number;
  /** Mean daily return times 365, as a fraction of the capital; not compounded. */
  readonly meanReturn: number;
  /** Standard deviation of daily returns times √365, as a fraction of the capital. */
  readonly volatility: number;
  /** Days of the range, including those without a result. */
  readonly days: number;
  /** First and last day that count, such as `2025-11-01`; null where there is no day. */
  readonly from: string | null;
  readonly to: string | null;
  /** The capital that was given, in USD. */
  readonly capital: number;
}

/**
 * Sharpe ratio of daily returns on a capital: √365 · mean(r) / std(r), with r = pnl / capital for each day of the
 * range, 0 where nothing was realized, and std the standard deviation of a sample (n − 1). No risk-free
 * rate is deducted, so the ratio is the same for any capital, unlike the return and the volatility beside it.
 *
 * Realized PnL moves on the day on which a bet is closed, not while its price does: the ratio flatters a wallet that
 * keeps losing bets open.
 *
 * @param frame PnL records by day, in any order: needs `date` and `pnl`. Several wallets are pooled, day by day; rows
 * without a `pnl` are left out.
 * @param options.capital Dollars at risk, which the data do not contain.
 * @param options.from The first day that counts, such as `2025-11-01`. Default: the first day that the query asked for
 * (`startTime`), else that of the first record. Records outside the range are left out.
 * @param options.to The last day that counts, itself included. Default: the last day that the query asked for, as far as
 * it was over when the service answered and the wallets' records, where the service told how far they reach, go on; else
 * that of the last record. The shown result says so where the service did not tell. Days without a record count as days without
 * profit: if only days with one counted, whoever trades rarely would rank high. Rows that you filtered by date need the
 * range that you chose.
 * @param options.by A column such as `proxy_wallet`, `week` or `month` of `date`, or a list of them: one row for each
 * group. All groups count the same days, those of the whole frame; periods count their own.
 * @returns The ratio and what it is computed from. The ratio is NaN if the results of all days are equal. Fewer than two
 * days tell nothing of a year: all figures are NaN then, and the shown result says why.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If the capital is not above 0, a day cannot be read, the range ends before it begins, an option is
 * unknown, or `by` names a column of the result.
 * @see Sharpe (1994), The Sharpe ratio; agrees with empyrical, `sharpe_ratio(returns, annualization=365)`, and
 * quantstats, `stats.sharpe(returns, periods=365)`.
 * @example sharpe(pnl, { capital: 10_000 }); // { sharpe: 1.8, meanReturn: 0.36, volatility: 0.2, days: 276, … }
 */
export function sharpe(frame: Tabular, options: CapitalOptions & Ungrouped): Sharpe;
export function sharpe<const By extends string>(
  frame: Tabular,
  options: CapitalOptions & ByOption<By>,
): DataFrame<GroupRecord<By, Omit<Sharpe, 'capital'>>>;
export function sharpe(frame: Tabular, options: CapitalOptions & { by?: Keys | undefined }): object {
  const asked = optionsOf('sharpe', frame, options);
  const measured = (days: DailyPnl) => sharpeOf(frame, days, asked.capital);
  if (asked.by === undefined) return measured(dailyPnl(frame, asked.range));
  return ratiosByGroup('sharpe', frame, asked, SHARPE_COLUMNS, measured);
}

function sharpeOf(frame: Tabular, { pnl, from, to, untold }: DailyPnl, capital: number): Sharpe {
  const mean = pnl.length > 1 ? meanOf(pnl) : Number.NaN;
  const squares = pnl.reduce((total, micros) => total + (micros - mean) ** 2, 0);
  const deviation = pnl.length > 1 ? Math.sqrt(squares / (pnl.length - 1)) : Number.NaN;
  const scale = MICRO * capital;
  const result = {
    sharpe: deviation > 0 ? (Math.sqrt(DAYS_A_YEAR) * mean) / deviation : Number.NaN,
    meanReturn: (DAYS_A_YEAR * mean) / scale,
    volatility: (Math.sqrt(DAYS_A_YEAR) * deviation) / scale,
    days: pnl.length,
    from,
    to,
    capital,
  };
  return shownResult(result, frame, [
    ['Sharpe ratio', formatRatio(result.sharpe)],
    ['Mean return', `${formatPercent(result.meanReturn)} a year`],
    ['Volatility', `${formatPercent(result.volatility)} a year`],
    ...overOf(result, untold),
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
  /** Days of the range, including those without a result. */
  readonly days: number;
  /** First and last day that count, such as `2025-11-01`; null where there is no day. */
  readonly from: string | null;
  readonly to: string | null;
  /** The capital that was given, in USD. */
  readonly capital: number;
}

/**
 * Sortino ratio of daily returns on a capital: √365 · mean(r) / √(Σ min(r, 0)² / n), with r = pnl / capital for each
 * day of the range, 0 where nothing was realized. n counts all days, not only those with a loss, and the
 * required return is 0, so the ratio is the same for any capital, unlike the figures beside it.
 *
 * @param frame PnL records by day, in any order: needs `date` and `pnl`. Several wallets are pooled, day by day; rows
 * without a `pnl` are left out.
 * @param options.capital Dollars at risk, which the data do not contain.
 * @param options.from The first day that counts, such as `2025-11-01`. Default: the first day that the query asked for
 * (`startTime`), else that of the first record. Records outside the range are left out.
 * @param options.to The last day that counts, itself included. Default: the last day that the query asked for, as far as
 * it was over when the service answered and the wallets' records, where the service told how far they reach, go on; else
 * that of the last record. The shown result says so where the service did not tell. Days without a record count as days without
 * profit: if only days with one counted, whoever trades rarely would rank high. Rows that you filtered by date need the
 * range that you chose.
 * @param options.by A column such as `proxy_wallet`, `week` or `month` of `date`, or a list of them: one row for each
 * group. All groups count the same days, those of the whole frame; periods count their own.
 * @returns The ratio and what it is computed from. The ratio is NaN without a losing day, where empyrical gives
 * infinity. Fewer than two days tell nothing of a year: all figures are NaN then, and the shown result says why.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If the capital is not above 0, a day cannot be read, the range ends before it begins, an option is
 * unknown, or `by` names a column of the result.
 * @see Sortino and Price (1994), Performance measurement in a downside risk framework; agrees with empyrical,
 * `sortino_ratio(returns, annualization=365)`, and quantstats, `stats.sortino(returns, periods=365)`, where there is a
 * losing day.
 * @example sortino(pnl, { capital: 10_000 }); // { sortino: 2.6, meanReturn: 0.36, downsideRisk: 0.14, days: 276, … }
 */
export function sortino(frame: Tabular, options: CapitalOptions & Ungrouped): Sortino;
export function sortino<const By extends string>(
  frame: Tabular,
  options: CapitalOptions & ByOption<By>,
): DataFrame<GroupRecord<By, Omit<Sortino, 'capital'>>>;
export function sortino(frame: Tabular, options: CapitalOptions & { by?: Keys | undefined }): object {
  const asked = optionsOf('sortino', frame, options);
  const measured = (days: DailyPnl) => sortinoOf(frame, days, asked.capital);
  if (asked.by === undefined) return measured(dailyPnl(frame, asked.range));
  return ratiosByGroup('sortino', frame, asked, SORTINO_COLUMNS, measured);
}

function sortinoOf(frame: Tabular, { pnl, from, to, untold }: DailyPnl, capital: number): Sortino {
  const mean = pnl.length > 1 ? meanOf(pnl) : Number.NaN;
  const squares = pnl.reduce((total, micros) => total + Math.min(micros, 0) ** 2, 0);
  const downside = pnl.length > 1 ? Math.sqrt(squares / pnl.length) : Number.NaN;
  const scale = MICRO * capital;
  const result = {
    sortino: downside > 0 ? (Math.sqrt(DAYS_A_YEAR) * mean) / downside : Number.NaN,
    meanReturn: (DAYS_A_YEAR * mean) / scale,
    downsideRisk: (Math.sqrt(DAYS_A_YEAR) * downside) / scale,
    days: pnl.length,
    from,
    to,
    capital,
  };
  return shownResult(result, frame, [
    ['Sortino ratio', formatRatio(result.sortino)],
    ['Mean return', `${formatPercent(result.meanReturn)} a year`],
    ['Downside risk', `${formatPercent(result.downsideRisk)} a year`],
    ...overOf(result, untold),
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
  /** Days of the range, including those without a result. */
  readonly days: number;
  /** First and last day that count, such as `2025-11-01`; null where there is no day. */
  readonly from: string | null;
  readonly to: string | null;
  /** The capital that was given, in USD. */
  readonly capital: number;
}

/**
 * Calmar ratio of daily returns on a capital: annual return / maximum drawdown, both of the value v_t = Π (1 + r), with
 * r = pnl / capital for each day of the range, 0 where nothing was realized.
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
 * @param options.from The first day that counts, such as `2025-11-01`. Default: the first day that the query asked for
 * (`startTime`), else that of the first record. Records outside the range are left out.
 * @param options.to The last day that counts, itself included. Default: the last day that the query asked for, as far as
 * it was over when the service answered and the wallets' records, where the service told how far they reach, go on; else
 * that of the last record. The shown result says so where the service did not tell. Days without a record count as days without
 * profit: if only days with one counted, whoever trades rarely would rank high. Rows that you filtered by date need the
 * range that you chose.
 * @param options.by A column such as `proxy_wallet`, `week` or `month` of `date`, or a list of them: one row for each
 * group. All groups count the same days, those of the whole frame; periods count their own.
 * @returns The ratio and what it is computed from. The ratio is NaN where nothing ever fell; it, annualReturn and
 * maxDrawdown are NaN where a day lost more than the capital. Fewer than two days tell nothing of a year: all figures
 * are NaN then, and the shown result says why.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If the capital is not above 0, a day cannot be read, the range ends before it begins, an option is
 * unknown, or `by` names a column of the result.
 * @see Young (1991), Calmar ratio: a smoother tool; agrees with empyrical, `calmar_ratio(returns, annualization=365)`,
 * and quantstats, `stats.calmar(returns, periods=365)`.
 * @example calmar(pnl, { capital: 10_000 }); // { calmar: 3, annualReturn: 0.6, maxDrawdown: 0.2, days: 276, … }
 */
export function calmar(frame: Tabular, options: CapitalOptions & Ungrouped): Calmar;
export function calmar<const By extends string>(
  frame: Tabular,
  options: CapitalOptions & ByOption<By>,
): DataFrame<GroupRecord<By, Omit<Calmar, 'capital'>>>;
export function calmar(frame: Tabular, options: CapitalOptions & { by?: Keys | undefined }): object {
  const asked = optionsOf('calmar', frame, options);
  const measured = (days: DailyPnl) => calmarOf(frame, days, asked.capital);
  if (asked.by === undefined) return measured(dailyPnl(frame, asked.range));
  return ratiosByGroup('calmar', frame, asked, CALMAR_COLUMNS, measured);
}

function calmarOf(frame: Tabular, { pnl, from, to, untold }: DailyPnl, capital: number): Calmar {
  const { value, fall } = compounded(pnl, MICRO * capital);
  const annualReturn = pnl.length > 1 ? value ** (DAYS_A_YEAR / pnl.length) - 1 : Number.NaN;
  const result = {
    calmar: fall > 0 ? annualReturn / fall : Number.NaN,
    annualReturn,
    maxDrawdown: pnl.length > 1 ? fall : Number.NaN,
    days: pnl.length,
    from,
    to,
    capital,
  };
  return shownResult(result, frame, [
    ['Calmar ratio', formatRatio(result.calmar)],
    ['Annual return', formatPercent(annualReturn)],
    ['Maximum drawdown', formatPercent(result.maxDrawdown)],
    ...overOf(result, untold),
  ]);
}

/** How much a ratio is computed from and, where that is too little for one, that it is. */
function overOf(
  { days, from, to, capital }: Sharpe | Sortino | Calmar,
  untold: number,
): [label: string, text: string][] {
  const range = from === null || days < 2 ? '' : ` from ${from} to ${to}`;
  const over: [string, string] = ['Over', `${counted(days, 'day')}${range}, on ${formatUsd(capital)}`];
  if (days < 2) return [over, ['Refused', 'it takes at least two days to tell anything of a year']];
  if (untold === 0) return [over];
  const which = untold === 1 ? 'the last day has' : `the last ${counted(untold, 'day')} have`;
  return [
    over,
    [
      'Note',
      `${which} no record, and the service does not say how far its records reach: give { to } where they end before`,
    ],
  ];
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

/** Options of `sharpe`, `sortino` and `calmar`: the capital, and the days that count. */
export interface CapitalOptions extends RangeOptions {
  /** Dollars at risk, above 0. The data do not contain it. */
  capital: number;
}

/** The options of a ratio, checked. */
interface RatioOptions {
  readonly capital: number;
  readonly by: Keys | undefined;
  readonly range: CountedRange;
}

/**
 * Reads the options of a ratio.
 *
 * @throws {UsageError} If the capital is not a number above 0, the range is none, or there is an unknown option.
 */
function optionsOf(
  measure: string,
  frame: Tabular,
  options: (Partial<CapitalOptions> & { by?: Keys | undefined }) | undefined,
): RatioOptions {
  knownOptions(measure, options ?? {}, ['capital', 'from', 'to', 'by']);
  const { capital, by, ...given } = options ?? {};
  if (typeof capital !== 'number' || !(capital > 0) || !Number.isFinite(capital)) {
    throw new UsageError(
      `${measure} needs the capital that was at risk, in dollars above 0: ${measure}(pnl, { capital: 1000 }); got ${shownNumber(capital)}.`,
    );
  }
  columnNames(frame);
  const range = rangeOf(measure, frame, given);
  return {
    capital,
    by,
    range: { ...range, cutsFirst: given.from !== undefined, cutsLast: given.to !== undefined },
  };
}

/**
 * A ratio of each group. All count the same days, so that a wallet that traded on a few of them is not compared by these
 * few alone; groups by day, week or month count their own days of the range.
 */
function ratiosByGroup<Row extends object>(
  measure: string,
  frame: Tabular,
  { by, range }: RatioOptions,
  columns: readonly Column[],
  measured: (days: DailyPnl) => object,
): DataFrame<Row> {
  const daysOf = rangeOfGroups(frame, by as Keys, range);
  return measureGroups(measure, frame, by as Keys, columns, (rows, group, grouped) =>
    measured(dailyPnl(rows, daysOf(group, grouped))),
  );
}

const RATIO = { dtype: 'float64', nullable: true } as const;
const RETURN = { dtype: 'float64', fraction: true, nullable: true } as const;

const RANGE_COLUMNS: readonly Column[] = [
  {
    name: 'days',
    dtype: 'int32',
    unit: 'days',
    nullable: false,
    meaning: 'Days that count, those without a result too.',
  },
  { name: 'from', dtype: 'datetime', nullable: true, meaning: 'First day that counts.' },
  { name: 'to', dtype: 'datetime', nullable: true, meaning: 'Last day that counts.' },
];

const MEAN_RETURN: Column = { name: 'mean_return', ...RETURN, meaning: 'Mean daily return times 365, on the capital.' };

const SHARPE_COLUMNS: readonly Column[] = [
  { name: 'sharpe', ...RATIO, meaning: 'mean_return / volatility.' },
  MEAN_RETURN,
  { name: 'volatility', ...RETURN, meaning: 'Standard deviation of daily returns times √365.' },
  ...RANGE_COLUMNS,
];

const SORTINO_COLUMNS: readonly Column[] = [
  { name: 'sortino', ...RATIO, meaning: 'mean_return / downside_risk.' },
  MEAN_RETURN,
  { name: 'downside_risk', ...RETURN, meaning: '√(Σ min(r, 0)² / n) times √365.' },
  ...RANGE_COLUMNS,
];

const CALMAR_COLUMNS: readonly Column[] = [
  { name: 'calmar', ...RATIO, meaning: 'annual_return / max_drawdown.' },
  { name: 'annual_return', ...RETURN, meaning: 'Compounded return of a year, as a fraction.' },
  { name: 'max_drawdown', ...RETURN, meaning: 'Deepest fall of the compounded value, as a fraction.' },
  ...RANGE_COLUMNS,
];

/** The mean of numbers; NaN for none. The sum of whole numbers, such as micro-dollars, is exact. */
function meanOf(values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] as number;
  return total / values.length;
}
