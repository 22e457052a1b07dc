import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { takeVector } from '../frame/vector/take-vector.js';
import { byKey, isPeriod, type Period } from './grouped-rows.js';
import { groupedSums } from './grouped-sums.js';
import { ratesOf } from './rates-of.js';
import { refuseOwnColumn } from './refuse-own-column.js';
import { refuseConfidence, type WinRateOptions } from './win-rate.js';

/**
 * A row of {@link winRateBy}: the key of a group, its rates in [0, 1] and its counts.
 */
export type WinRateRecord<By extends string> = {
  [Key in By extends Period ? 'date' : By]: By extends Period | 'proxy_wallet' ? string : Cell;
} & { rate: number; low: number; high: number; decided: number; wins: number; losses: number };

/** The columns that describe a win rate in a result. */
export const WIN_RATE_COLUMNS = [
  { name: 'rate', dtype: 'float64', nullable: true, meaning: 'Win rate: wins / decided, in [0, 1].' },
  { name: 'low', dtype: 'float64', nullable: true, meaning: "Lower end of Wilson's interval." },
  { name: 'high', dtype: 'float64', nullable: true, meaning: "Upper end of Wilson's interval." },
  { name: 'decided', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'wins + losses.' },
  { name: 'wins', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'With a profit.' },
  { name: 'losses', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'With a loss.' },
] as const satisfies readonly Column[];

/**
 * Win rates by group, each pooled as `winRate` does: Σ wins / Σ (wins + losses) of the group, with its Wilson interval.
 *
 * @param frame PnL records: needs `wins`, `losses`, and `date` or the column of the groups. Rows that lack a count are
 * left out.
 * @param options.by `day`, `week` or `month` of `date`, in UTC, or the name of a column. Default `month`.
 * @param options.confidence Confidence of the Wilson intervals, in (0, 1). Default 0.95.
 * @returns A row for each group: periods in order, in a column `date`; other groups by rate, the highest first. Rates
 * are NaN in groups where nothing was decided; of groups that are no periods, those come last. No rows for a frame
 * without rows.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite, a date cannot be read, or the
 * records are coarser than the period.
 * @throws {UsageError} If the confidence is not between 0 and 1, an option is unknown, or `by` names a column of the
 * result.
 * @example winRateBy(pnl, { by: 'proxy_wallet' });
 */
export function winRateBy<By extends string = 'month'>(
  frame: Tabular,
  options: WinRateOptions & { by?: By } = {},
): DataFrame<WinRateRecord<By>> {
  knownOptions('winRateBy', options, ['by', 'confidence']);
  const { confidence = 0.95 } = options;
  const by = options.by ?? 'month';
  refuseConfidence(confidence);
  refuseOwnColumn('winRateBy', by, WIN_RATE_COLUMNS);
  const counts = ['wins', 'losses'];
  const { grouped, sums, present: order } = groupedSums(frame, by, counts, counts);
  const [wins, losses] = sums as [Float64Array, Float64Array];
  const rates = ratesOf(wins, losses, confidence);
  if (!isPeriod(by)) {
    const rank = rates[0]?.map((rate) => (Number.isNaN(rate) ? -1 : rate)) as Float64Array;
    const ties = byKey(grouped);
    order.sort((a, b) => (rank[b] as number) - (rank[a] as number) || ties(a, b));
  }
  const computed = rates.map((values) => takeVector({ kind: 'number', values }, order));
  return frameFromVectors<WinRateRecord<By>>(
    [grouped.key, ...WIN_RATE_COLUMNS],
    [takeVector(grouped.keys, order), ...computed],
    frame,
  );
}
