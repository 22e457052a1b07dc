import type { Tabular } from '../frame/tabular.js';
import { doublesOf, numericVector } from '../frame/vector/plain-vector.js';
import { refuseInfinite } from './refuse-amount.js';

/** The buckets of a frame that ended in profit and in loss. */
export interface WonAndLost {
  /** Buckets with a `pnl` above 0. */
  readonly wins: number;
  /** Buckets with a `pnl` below 0. */
  readonly losses: number;
  /** Dollars of the winning buckets. */
  readonly won: number;
  /** Dollars of the losing buckets, as a positive number. */
  readonly lost: number;
}

/**
 * Splits the rows of a frame into winning and losing ones. Those with a `pnl` of 0, in which nothing was realized, and
 * those without one are left out.
 *
 * @throws {ColumnError} If `pnl` is missing, not numeric or infinite.
 */
export function wonAndLost(frame: Tabular): WonAndLost {
  const pnl = doublesOf(numericVector(frame, 'pnl'));
  let wins = 0;
  let losses = 0;
  let won = 0;
  let lost = 0;
  // The rounding errors of the additions, carried along as in `sum`.
  let wonBeside = 0;
  let lostBeside = 0;
  for (let row = 0; row < pnl.length; row += 1) {
    const dollars = pnl[row] as number;
    if (dollars > 0) {
      wins += 1;
      const next = won + dollars;
      const added = next - won;
      wonBeside += won - (next - added) + (dollars - added);
      won = next;
    } else if (dollars < 0) {
      losses += 1;
      const next = lost - dollars;
      const added = next - lost;
      lostBeside += lost - (next - added) + (-dollars - added);
      lost = next;
    }
  }
  if (!Number.isFinite(won + lost)) refuseInfinite('pnl', pnl);
  return { wins, losses, won: won + wonBeside, lost: lost + lostBeside };
}
