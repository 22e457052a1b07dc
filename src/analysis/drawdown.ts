import { column } from '../frame/column.js';
import type { Tabular } from '../frame/tabular.js';
import { cumulativePnl } from './cumulative-pnl.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';

/** The deepest fall of cumulative PnL. */
export interface Drawdown {
  /** From the highest point before to the lowest, in USD; 0 where it never fell. */
  readonly depth: number;
  /** Date of the highest point; null where that is the starting 0, and where it never fell. */
  readonly from: string | null;
  /** Date of the lowest point; null where it never fell. */
  readonly to: string | null;
  /** Date on which the highest point was reached again; null where it has not been. */
  readonly recovered: string | null;
}

/**
 * Maximum drawdown, in dollars: the deepest fall of cumulative realized PnL below its highest point so far, the
 * starting 0 counted. A wallet that only loses is in drawdown from the start.
 *
 * depth = max over t of (max over s ≤ t of cumulative_pnl(s), at least 0) − cumulative_pnl(t).
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date. The finer
 * the buckets, the more falls are seen: a month hides what recovered within it.
 * @returns The deepest fall, the first of several equal ones; depth NaN for a frame without rows.
 * @throws {ColumnError} If a column is missing or not numeric, or a date cannot be read.
 * @example drawdown(pnl); // { depth: 120, from: '2026-01-05T00:00:00Z', to: '2026-01-09T00:00:00Z', recovered: null }
 */
export function drawdown(frame: Tabular): Drawdown {
  const curve = cumulativePnl(frame);
  const [dates, depths] = [column(curve, 'date'), column(curve, 'drawdown')];
  const depth = depths.length === 0 ? Number.NaN : depths.reduce((most, value) => Math.max(most, value), 0);
  const lowest = depth > 0 ? depths.indexOf(depth) : -1;
  const highest = lowest < 0 ? -1 : depths.lastIndexOf(0, lowest);
  const again = lowest < 0 ? -1 : depths.indexOf(0, lowest);
  const dateAt = (at: number) => dates[at] ?? null;
  const result = { depth, from: dateAt(highest), to: dateAt(lowest), recovered: dateAt(again) };
  return shownResult(result, linesOf(result));
}

function linesOf({ depth, from, to, recovered }: Drawdown): [string, string][] {
  const lines: [string, string][] = [['Maximum drawdown', formatUsd(depth)]];
  if (to === null) return lines;
  const day = (date: string) => date.slice(0, 10);
  lines.push(['From', from === null ? 'the start' : day(from)], ['To', day(to)]);
  return [...lines, ['Recovered', recovered === null ? 'not yet' : day(recovered)]];
}
