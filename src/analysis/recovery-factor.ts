import { MICRO } from '../base/decimal.js';
import type { Tabular } from '../frame/tabular.js';
import { fallsOf } from './falls-of.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { pnlCurve } from './pnl-curve.js';
import { shownResult } from './shown-result.js';

/** A recovery factor and what it is computed from. */
export interface RecoveryFactor {
  /** pnl / drawdown; negative if money was lost. */
  readonly recoveryFactor: number;
  /** Net realized profit and loss, in USD. */
  readonly pnl: number;
  /** Maximum drawdown, in USD. */
  readonly drawdown: number;
}

/**
 * Recovery factor: net profit for each dollar of the deepest fall on the way, Σ pnl / maximum drawdown, both in
 * dollars.
 *
 * quantstats divides by the relative drawdown of compounded returns and drops the sign of the profit; this one needs no
 * capital and distinguishes a loss from a gain.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date; rows without
 * a `pnl` are left out. The shorter the buckets, the more falls are seen.
 * @returns The ratio, and the dollars behind it. The ratio is NaN if cumulative PnL never fell; it and the drawdown
 * are NaN where no row has a `pnl`.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date cannot be read.
 * @example recoveryFactor(pnl); // { recoveryFactor: 2.5, pnl: 1000, drawdown: 400 }
 */
export function recoveryFactor(frame: Tabular): RecoveryFactor {
  const curve = pnlCurve(frame);
  const pnl = curve.micros.reduce((total, micros) => total + micros, 0) / MICRO;
  const deepest = fallsOf(curve).reduce((most, { depth }) => Math.max(most, depth), 0);
  const drawdown = curve.micros.length === 0 ? Number.NaN : deepest / MICRO;
  const result = { recoveryFactor: drawdown > 0 ? pnl / drawdown : Number.NaN, pnl, drawdown };
  return shownResult(result, [
    ['Recovery factor', formatRatio(result.recoveryFactor)],
    ['Realized PnL', formatUsd(pnl)],
    ['Maximum drawdown', formatUsd(drawdown)],
  ]);
}
