import type { Column } from '../contract/column.js';
import { MICRO } from '../contract/decimal.js';
import { isoOfSeconds } from '../contract/time.js';
import { numericColumn } from '../frame/column.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromColumns } from '../frame/frame-from-columns.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { groupKey } from './group-key.js';
import { groupRows } from './group-rows.js';
import { timesOf } from './times-of.js';

/** A row of {@link cumulativePnl}: where curves are apart, the key of the curve first. */
export type CumulativePnlRecord<By extends string = never> = {
  [Key in By]: By extends 'proxy_wallet' ? string : Cell;
} & { date: string; pnl: number; cumulative_pnl: number; drawdown: number };

const COLUMNS = [
  { name: 'date', dtype: 'datetime', nullable: false, meaning: 'First moment of the bucket, UTC.' },
  {
    name: 'pnl',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Net realized profit and loss of the bucket.',
  },
  {
    name: 'cumulative_pnl',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Net realized profit and loss up to the end of the bucket.',
  },
  {
    name: 'drawdown',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Dollars below the highest cumulative PnL so far, the starting 0 counted.',
  },
] as const satisfies readonly Column[];

/**
 * Realized profit and loss, added up over time.
 *
 * cumulative_pnl = Σ pnl up to the date; drawdown = max(0, highest cumulative_pnl so far) − cumulative_pnl.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date, unless kept
 * apart; rows without a `pnl` are left out.
 * @param options.by Column that tells curves apart, such as `proxy_wallet`. Default: one curve.
 * @returns A row per curve and date, in order, in USD, exact to the micro-dollar; none for a frame without rows.
 * @throws {ColumnError} If a column is missing or not numeric, or a date cannot be read.
 * @example cumulativePnl(pnl).tail(1); // date, pnl, cumulative_pnl, drawdown
 */
export function cumulativePnl<By extends string = never>(
  frame: Tabular,
  { by }: { by?: By } = {},
): DataFrame<CumulativePnlRecord<By>> {
  const key = by === undefined ? undefined : groupKey(frame, by);
  const { keys, groupOf } = groupRows<Cell>(key?.keyOfRow ?? new Array<null>(frame.shape[0] ?? 0).fill(null));
  const arrays: Cell[][] = [[], ...COLUMNS.map(() => [])];
  for (const { group, points } of sortedCurves(microsByTime(frame, groupOf), keys)) addCurve(arrays, group, points);
  return key
    ? frameFromColumns<CumulativePnlRecord<By>>([key.key, ...COLUMNS], arrays)
    : frameFromColumns<CumulativePnlRecord<By>>(COLUMNS, arrays.slice(1));
}

type Points = ReadonlyMap<number, number>;

/** Whole micro-dollars add up exactly, so neither the order of rows nor rounding can feign a drawdown. */
function microsByTime(frame: Tabular, groupOf: Int32Array): Points[] {
  const [times, pnl] = [timesOf(frame, 'date'), numericColumn(frame, 'pnl')];
  const groups: Map<number, number>[] = [];
  for (const group of groupOf) groups[group] = groups[group] ?? new Map();
  for (const [row, group] of groupOf.entries()) {
    const sums = groups[group];
    const [time, micros] = [times[row] ?? Number.NaN, Math.round((pnl[row] ?? Number.NaN) * MICRO)];
    if (!Number.isNaN(micros)) sums?.set(time, (sums.get(time) ?? 0) + micros);
  }
  return groups;
}

function sortedCurves(groups: readonly Points[], keys: readonly Cell[]): { group: Cell; points: Points }[] {
  const curves = groups.map((points, at) => ({ group: keys[at], points }));
  return curves.sort((a, b) => (String(a.group) < String(b.group) ? -1 : 1));
}

function addCurve(arrays: Cell[][], group: Cell, points: Points): void {
  let [total, peak] = [0, 0];
  for (const [time, micros] of [...points].sort(([a], [b]) => a - b)) {
    total += micros;
    peak = Math.max(peak, total);
    const row = [group, isoOfSeconds(time / 1000), micros / MICRO, total / MICRO, (peak - total) / MICRO];
    for (const [at, value] of row.entries()) arrays[at]?.push(value);
  }
}
