import type { Tabular } from '../frame/tabular.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';
import { wonAndLost } from './won-and-lost.js';

/** How large a win is beside a loss. */
export interface PayoffRatio {
  /** averageWin / averageLoss. */
  readonly payoffRatio: number;
  /** Dollars of a winning bucket, on average. */
  readonly averageWin: number;
  /** Dollars of a losing bucket, on average, as a positive number. */
  readonly averageLoss: number;
  /** Winning buckets. */
  readonly wins: number;
  /** Losing buckets. */
  readonly losses: number;
}

/**
 * Payoff ratio: how large the average win is beside the average loss, (Σ pnl above 0 / wins) / (−Σ pnl below 0 / losses).
 *
 * The unit is a row of the frame, a bucket of one wallet, as the data have no single trades: `wins` and `losses` here
 * count buckets, not the closing events of the columns of these names.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or of 0, are left out.
 * @returns A ratio, the averages in USD and the counts; an average of no buckets is NaN, and so is the ratio then.
 * @throws {ColumnError} If the column is missing, not numeric or infinite.
 * @see quantstats, `stats.payoff_ratio`, which this agrees with.
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
