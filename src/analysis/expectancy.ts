import type { Tabular } from '../frame/tabular.js';
import { formatPercent } from './format-percent.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';
import { wonAndLost } from './won-and-lost.js';

/** What a bucket brings on average. */
export interface Expectancy {
  /** Dollars of a bucket with a result, on average. */
  readonly expectancy: number;
  /** Dollars of a winning bucket, on average. */
  readonly averageWin: number;
  /** Dollars of a losing bucket, on average, as a positive number. */
  readonly averageLoss: number;
  /** Share of winning buckets among those with a result, in [0, 1]. */
  readonly winShare: number;
  /** Buckets with a result: with a `pnl` that is not 0. */
  readonly buckets: number;
}

/**
 * Expectancy: what a bucket with a result brings on average, in dollars, Σ pnl / buckets. It is the same as
 * winShare · averageWin − (1 − winShare) · averageLoss.
 *
 * The unit is a row of the frame, a bucket of one wallet, as the data have no single trades: query shorter buckets to
 * come nearer to them.
 *
 * @param frame PnL records: needs `pnl`; rows without one, or of 0, are left out.
 * @returns Dollars and what they come from; NaN where no bucket has a result, an average of no buckets too.
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
