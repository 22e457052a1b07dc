import type { Tabular } from '../frame/tabular.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';
import { wonAndLost } from './won-and-lost.js';

/** A payoff ratio and what it is computed from. */
export interface PayoffRatio {
  /** averageWin / averageLoss. */
  readonly payoffRatio: number;
  /** Average profit of the winning buckets, in USD. */
  readonly averageWin: number;
  /** Average loss of the losing buckets, in USD, as a positive number. */
  readonly averageLoss: number;
  /** Number of winning buckets. */
  readonly wins: number;
  /** Number of losing buckets. */
  readonly losses: number;
}

/**
 * Payoff ratio: the average win divided by the average loss, (Σ pnl above 0 / wins) / (−Σ pnl below 0 / losses).
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades: `wins` and
 * `losses` here count buckets, not the closing events that the columns of these names count.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or with 0, are left out.
 * @returns The ratio, the averages in USD and the counts. An average over no buckets is NaN, and then so is the ratio.
 * @throws {ColumnError} If the column is missing, not numeric or infinite.
 * @see Agrees with quantstats, `stats.payoff_ratio`.
 * @example payoffRatio(pnl); // { payoffRatio: 2, averageWin: 30, averageLoss: 15, wins: 10, losses: 12 }
 */
export function payoffRatio(frame: Tabular): PayoffRatio {
  const { wins, losses, won, lost } = wonAndLost(frame);
  const [averageWin, averageLoss] = [won / wins, lost / losses];
  return shownResult({ payoffRatio: averageWin / averageLoss, averageWin, averageLoss, wins, losses }, [
    ['Payoff ratio', formatRatio(averageWin / averageLoss)],
    ['Average win', `${formatUsd(averageWin)}, in ${wins.toLocaleString('en-US')} buckets`],
    ['Average loss', `${formatUsd(averageLoss)}, in ${losses.toLocaleString('en-US')} buckets`],
  ]);
}
