import type { Column } from '../contract/column.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromColumns } from '../frame/frame-from-columns.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { completeNumbers } from './complete-numbers.js';
import { groupKey, isPeriod, type Period } from './group-key.js';
import { groupRows } from './group-rows.js';
import { rateOf, refuseConfidence, type WinRateOptions } from './win-rate.js';

/** A row of {@link winRateBy}: the group's key, then its rates in [0, 1] and counts. */
export type WinRateRecord<By extends string> = {
  [Key in By extends Period ? 'date' : By]: By extends Period | 'proxy_wallet' ? string : Cell;
} & { rate: number; low: number; high: number; decided: number; wins: number; losses: number };

const COLUMNS = [
  { name: 'rate', dtype: 'float64', nullable: true, meaning: 'Win rate: wins / decided, in [0, 1].' },
  { name: 'low', dtype: 'float64', nullable: true, meaning: "Lower end of Wilson's interval." },
  { name: 'high', dtype: 'float64', nullable: true, meaning: "Upper end of Wilson's interval." },
  { name: 'decided', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'wins + losses.' },
  { name: 'wins', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'With a profit.' },
  { name: 'losses', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'With a loss.' },
] as const satisfies readonly Column[];

/**
 * Win rates by group, each pooled as {@link winRate} does.
 *
 * @param frame PnL records: needs `wins`, `losses`, and `date` or the column of the groups.
 * @param options.by `day`, `week` or `month` of `date`, in UTC, or the name of a column. Default `month`.
 * @param options.confidence Of the Wilson intervals, in (0, 1). Default 0.95.
 * @returns A row per group: periods in order, in a column `date`; other groups by falling rate. Rates are NaN in groups
 * where nothing was decided, which come last; no rows for a frame without any.
 * @throws {ColumnError} If a column is missing, not numeric, or negative.
 * @throws {UsageError} If the confidence is not between 0 and 1.
 * @example winRateBy(pnl, { by: 'proxy_wallet' });
 */
export function winRateBy<By extends string = 'month'>(
  frame: Tabular,
  { by, confidence = 0.95 }: WinRateOptions & { by?: By } = {},
): DataFrame<WinRateRecord<By>> {
  refuseConfidence(confidence);
  const { key, keyOfRow } = groupKey(frame, by ?? 'month');
  const { values, rows } = completeNumbers(frame, ['wins', 'losses'], { counts: ['wins', 'losses'] });
  const { keys, groupOf } = groupRows(Array.from(rows, (row) => keyOfRow[row]));
  const [wins, losses] = values.map((counts) => sums(counts, groupOf, keys.length));
  const records = keys.map((value, at) => ({ key: value, ...rateOf(wins?.[at] ?? 0, losses?.[at] ?? 0, confidence) }));
  records.sort(isPeriod(by ?? 'month') ? byKey : (a, b) => rank(b.rate) - rank(a.rate) || byKey(a, b));
  return frameFromColumns<WinRateRecord<By>>(
    [key, ...COLUMNS],
    [records.map((record) => record.key), ...COLUMNS.map(({ name }) => records.map((record) => record[name]))],
  );
}

function sums(values: Float64Array, groupOf: Int32Array, groups: number): Float64Array {
  const totals = new Float64Array(groups);
  for (const [row, group] of groupOf.entries()) totals[group] = (totals[group] ?? 0) + (values[row] ?? 0);
  return totals;
}

function byKey(a: { key: Cell }, b: { key: Cell }): number {
  const [left, right] = [String(a.key), String(b.key)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function rank(rate: number): number {
  return Number.isNaN(rate) ? -1 : rate;
}
