import type { Tabular } from '../frame/tabular.js';
import { formatPercent } from './format-percent.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';
import { wonAndLost } from './won-and-lost.js';

/** Average profit of a bucket, and what it is computed from. */
export interface Expectancy {
  /** Average profit of the buckets with a result, in USD. */
  readonly expectancy: number;
  /** Average profit of the winning buckets, in USD. */
  readonly averageWin: number;
  /** Average loss of the losing buckets, in USD, as a positive number. */
  readonly averageLoss: number;
  /** Share of winning buckets among those with a result, in [0, 1]. */
  readonly winShare: number;
  /** Number of buckets with a result, that is, with a `pnl` other than 0. */
  readonly buckets: number;
}

/**
 * Expectancy: the average profit of a bucket with a result, in dollars, Σ pnl / buckets. It equals winShare ·
 * averageWin − (1 − winShare) · averageLoss.
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades: the shorter the
 * buckets that you query, the closer they come to trades.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or with 0, are left out.
 * @returns Averages in USD, the share and the count; an average over no buckets is NaN.
 * @throws {ColumnError} If the column is missing, not numeric or infinite.
 * @see Tharp (1998), Trade your way to financial freedom, for the term.
 * @example expectancy(pnl); // { expectancy: 2.5, averageWin: 20, averageLoss: 15, winShare: 0.5, buckets: 40 }
 */
export function expectancy(frame: Tabular): Expectancy {
  const { wins, losses, won, lost } = wonAndLost(frame);
  const buckets = wins + losses;
  const result = {
    expectancy: (won - lost) / buckets,
    averageWin: won / wins,
    averageLoss: lost / losses,
    winShare: wins / buckets,
    buckets,
  };
  return shownResult(result, [
    ['Expectancy', `${formatUsd(result.expectancy)} a bucket`],
    ['Average win', formatUsd(result.averageWin)],
    ['Average loss', formatUsd(result.averageLoss)],
    ['Won', `${formatPercent(result.winShare)} of ${buckets.toLocaleString('en-US')} buckets`],
  ]);
}
