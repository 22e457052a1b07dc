import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { type ByOption, describedGroups, groupTable, type Ungrouped } from './records/by-group.js';
import { completeCounts, completeTotalsOf } from './records/complete-numbers.js';
import {
  type GroupedRows,
  isInOrder,
  type KeyCells,
  type Keys,
  orderGroups,
  refuseOwnColumn,
} from './records/grouped-rows.js';
import { groupedSums } from './records/grouped-sums.js';
import { formatPercent, shownResult } from './shown-result.js';
import { refuseConfidence, wilsonInterval } from './statistics/wilson-interval.js';

/** The option of {@link winRate}. */
export interface WinRateOptions {
  /** Confidence of the Wilson interval, in (0, 1). Default 0.95. */
  confidence?: number;
}

/** A win rate and the interval in which the true rate is likely to lie; rates in [0, 1]. */
export interface WinRate {
  /** wins / decided. */
  readonly rate: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** wins + losses. */
  readonly decided: number;
  readonly wins: number;
  readonly losses: number;
  readonly confidence: number;
}

/**
 * Win rate with its uncertainty: pooled wins over decided closing events, Σ wins / Σ (wins + losses), never an average
 * of rates. The service's own `win_rate` column, a percentage for each bucket, is not used.
 *
 * @param frame PnL records, one row for each bucket: needs `wins` and `losses`. Rows that lack one are left out.
 * @param options.confidence Confidence of the Wilson interval, in (0, 1). Default 0.95.
 * @param options.by A row for each group instead, as {@link winRateBy} gives them.
 * @returns Rates in [0, 1] and the counts behind them; the rates are NaN where nothing was decided.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite.
 * @throws {UsageError} If the confidence is not a number between 0 and 1, or an option is unknown.
 * @see Wilson (1927), Probable inference, the law of succession, and statistical inference.
 * @example winRate(pnl); // { rate: 0.8, low: 0.490, high: 0.943, decided: 10, wins: 8, losses: 2, confidence: 0.95 }
 */
export function winRate(frame: Tabular, options?: WinRateOptions & Ungrouped): WinRate;
export function winRate<const By extends string>(
  frame: Tabular,
  options: WinRateOptions & ByOption<By>,
): DataFrame<WinRateRecord<By>>;
export function winRate(frame: Tabular, options: WinRateOptions & { by?: Keys | undefined } = {}): object {
  knownOptions('winRate', options, ['confidence', 'by']);
  const { confidence = 0.95, by } = options;
  if (by !== undefined) return winRateBy(frame, { by, confidence });
  refuseConfidence(confidence);
  const [wins = 0, losses = 0] = completeCounts(frame, ['wins', 'losses']);
  const result = rateOf(wins, losses, confidence);
  return shownResult(result, frame, [
    ['Win rate', formatPercent(result.rate)],
    [`${formatPercent(confidence, 0)} interval`, `${formatPercent(result.low)} to ${formatPercent(result.high)}`],
    ['Decided', `${count(result.decided)}: ${count(wins)} won, ${count(losses)} lost`],
  ]);
}

/** A win rate from its counts. */
function rateOf(wins: number, losses: number, confidence: number): WinRate {
  const decided = wins + losses;
  return { rate: wins / decided, ...wilsonInterval(wins, decided, confidence), decided, wins, losses, confidence };
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** A row of {@link winRateBy}: the key of a group, its rates in [0, 1] and its counts; for wallets what their records lack. */
export type WinRateRecord<By extends string> = KeyCells<By> & {
  rate: number;
  low: number;
  high: number;
  decided: number;
  wins: number;
  losses: number;
} & ('proxy_wallet' extends By ? { note: string | null } : object);

/** The columns that describe a win rate in a result. */
export const WIN_RATE_COLUMNS = [
  { name: 'rate', dtype: 'float64', fraction: true, nullable: true, meaning: 'Win rate: wins / decided, in [0, 1].' },
  { name: 'low', dtype: 'float64', fraction: true, nullable: true, meaning: "Lower end of Wilson's interval." },
  { name: 'high', dtype: 'float64', fraction: true, nullable: true, meaning: "Upper end of Wilson's interval." },
  { name: 'decided', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'wins + losses.' },
  { name: 'wins', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'With a profit.' },
  { name: 'losses', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'With a loss.' },
] as const satisfies readonly Column[];

/**
 * Win rates by group, each pooled as `winRate` does: Σ wins / Σ (wins + losses) of the group, with its Wilson interval.
 *
 * @param frame PnL records: needs `wins`, `losses`, and `date` or the column of the groups. Rows that lack a count are
 * left out.
 * @param options.by `day`, `week` or `month` of `date`, in UTC, or the name of a column, or a list of them. Default
 * `month`.
 * @param options.confidence Confidence of the Wilson intervals, in (0, 1). Default 0.95.
 * @returns A row for each group: periods in order, in a column `date`; other groups by rate, the highest first. Rates
 * are NaN in groups where nothing was decided; of groups that are no periods, those come last. By `proxy_wallet`, `note`
 * says what a wallet's record lacks. No rows for a frame without rows.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite, a date cannot be read, or the
 * records are coarser than the period.
 * @throws {UsageError} If the confidence is not between 0 and 1, an option is unknown, or `by` names a column of the
 * result.
 * @example winRateBy(pnl, { by: 'proxy_wallet' });
 */
export function winRateBy<const By extends string = 'month'>(
  frame: Tabular,
  options: WinRateOptions & { by?: Keys<By> } = {},
): DataFrame<WinRateRecord<By>> {
  knownOptions('winRateBy', options, ['by', 'confidence']);
  const { confidence = 0.95 } = options;
  const { by = 'month' as By } = options;
  refuseConfidence(confidence);
  const columns = describedGroups(by, WIN_RATE_COLUMNS);
  refuseOwnColumn('winRateBy', by, columns);
  const counts = ['wins', 'losses'];
  const { grouped, sums, present: order } = groupedSums(frame, by, counts, counts);
  const [wins, losses] = sums as [Float64Array, Float64Array];
  const rates = ratesOf(wins, losses, confidence);
  orderGroups(order, grouped, isInOrder(frame, by), rates[0] as Float64Array);
  return groupTable<WinRateRecord<By>>(frame, grouped, order, columns, rates);
}

/** The pooled win rates of groups of rows, and what was decided in each, in one pass over all rows. */
export function countsOf(frame: Tabular, grouped: GroupedRows): { rate: Float64Array; decided: Float64Array } {
  const names = ['wins', 'losses'];
  const [wins, losses] = completeTotalsOf(grouped, frame, names, names) as [Float64Array, Float64Array];
  const decided = wins.map((won, group) => won + (losses[group] as number));
  return { rate: wins.map((won, group) => won / (decided[group] as number)), decided };
}

/**
 * Win rates with their Wilson intervals.
 *
 * @param wins One count per rate.
 * @param losses One count per rate.
 * @returns Rate, low, high, decided, wins and losses, in the order of `WIN_RATE_COLUMNS`; a rate is NaN if nothing was
 *   decided.
 */
export function ratesOf(wins: Float64Array, losses: Float64Array, confidence: number): Float64Array[] {
  const [low, high] = [new Float64Array(wins.length), new Float64Array(wins.length)];
  const decided = wins.map((won, at) => won + (losses[at] as number));
  for (let at = 0; at < wins.length; at += 1) {
    const interval = wilsonInterval(wins[at] as number, decided[at] as number, confidence);
    low[at] = interval.low;
    high[at] = interval.high;
  }
  return [wins.map((won, at) => won / (decided[at] as number)), low, high, decided, wins, losses];
}
