import type { Tabular } from '../frame/tabular.js';
import { formatPercent } from './format-percent.js';
import { formatRatio } from './format-ratio.js';
import { shownResult } from './shown-result.js';
import { wonAndLost } from './won-and-lost.js';

/** The share of a bankroll to bet for the fastest growth in the long run, and what it is computed from. */
export interface KellyFraction {
  /** Share of the bankroll; negative if the bet loses on average. */
  readonly kellyFraction: number;
  /** Share of winning buckets among those with a result, in [0, 1]. */
  readonly winShare: number;
  /** Average win / average loss. */
  readonly payoffRatio: number;
}

/**
 * Kelly fraction: the share of a bankroll to bet for the fastest growth in the long run, if future bets won as often,
 * and as much relative to what they lose, as the buckets of this frame: f = p − (1 − p) / b, with p the share of
 * winning buckets and b the payoff ratio. It treats both as certain; they are only estimates, so bet far less.
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or with 0, are left out.
 * @returns Fractions, not percentages; the Kelly fraction is NaN if no bucket won, or none lost.
 * @throws {ColumnError} If the column is missing, not numeric or infinite.
 * @see Kelly (1956), A new interpretation of information rate; agrees with quantstats, `stats.kelly_criterion`.
 * @example kellyFraction(pnl); // { kellyFraction: 0.1, winShare: 0.55, payoffRatio: 1 }
 */
export function kellyFraction(frame: Tabular): KellyFraction {
  const { wins, losses, won, lost } = wonAndLost(frame);
  const winShare = wins / (wins + losses);
  const payoffRatio = won / wins / (lost / losses);
  const result = { kellyFraction: winShare - (1 - winShare) / payoffRatio, winShare, payoffRatio };
  return shownResult(result, [
    ['Kelly fraction', formatPercent(result.kellyFraction)],
    ['Won', `${formatPercent(winShare)} of buckets`],
    ['Payoff ratio', formatRatio(payoffRatio)],
  ]);
}
