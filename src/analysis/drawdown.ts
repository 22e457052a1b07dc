import { MICRO } from '../base/decimal.js';
import { isoOfSeconds } from '../contract/time.js';
import type { Tabular } from '../frame/tabular.js';
import { type Fall, fallsOf } from './falls-of.js';
import { formatUsd } from './format-usd.js';
import { pnlCurve } from './pnl-curve.js';
import { shownResult } from './shown-result.js';

/** The deepest fall of cumulative PnL. */
export interface Drawdown {
  /** From the highest point to the lowest point after it, in USD; 0 if it never fell. */
  readonly depth: number;
  /** Date of the highest point; null if that is the starting 0, or if it never fell. */
  readonly from: string | null;
  /** Date of the lowest point; null if it never fell. */
  readonly to: string | null;
  /** Date on which the highest point was reached again; null if it has not been, or if it never fell. */
  readonly recovered: string | null;
}

/**
 * Maximum drawdown, in dollars: the deepest fall of cumulative realized PnL below its highest point so far. The
 * starting 0 counts as a point, so a wallet that only loses is in drawdown from the start.
 *
 * depth = max over t of (max over s ≤ t of cumulative_pnl(s), at least 0) − cumulative_pnl(t).
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date; rows without
 * a `pnl` are left out. The shorter the buckets, the more falls are seen: a month hides a fall that recovered within
 * it.
 * @returns The deepest fall, the first of several equal ones: exact to the micro-dollar as long as no amount is beyond
 * ±2 billion dollars (2⁵¹ micro-dollars). The depth is NaN where no row has a `pnl`.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date cannot be read.
 * @example drawdown(pnl); // { depth: 120, from: '2026-01-05T00:00:00Z', to: '2026-01-09T00:00:00Z', recovered: null }
 */
export function drawdown(frame: Tabular): Drawdown {
  const { times, micros } = pnlCurve(frame);
  const deepest = fallsOf({ micros }).reduce(deeper, { depth: 0, from: -1, to: -1, recovered: -1 });
  const dateAt = (place: number) => (place < 0 ? null : isoOfSeconds((times[place] as number) / 1000));
  const result = {
    depth: micros.length === 0 ? Number.NaN : deepest.depth / MICRO,
    from: dateAt(deepest.from),
    to: dateAt(deepest.to),
    recovered: dateAt(deepest.recovered),
  };
  return shownResult(result, linesOf(result));
}

function deeper(deepest: Fall, fall: Fall): Fall {
  return fall.depth > deepest.depth ? fall : deepest;
}

function linesOf({ depth, from, to, recovered }: Drawdown): [string, string][] {
  const lines: [string, string][] = [['Maximum drawdown', formatUsd(depth)]];
  if (to === null) return lines;
  const day = (date: string) => date.slice(0, 10);
  lines.push(['From', from === null ? 'the start' : day(from)], ['To', day(to)]);
  return [...lines, ['Recovered', recovered === null ? 'not yet' : day(recovered)]];
}
