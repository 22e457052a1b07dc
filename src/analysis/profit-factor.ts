import type { Tabular } from '../frame/tabular.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';
import { wonAndLost } from './won-and-lost.js';

/** A profit factor and what it is computed from. */
export interface ProfitFactor {
  /** won / lost: 1 breaks even. */
  readonly profitFactor: number;
  /** Sum of the profits of the winning buckets, in USD. */
  readonly won: number;
  /** Sum of the losses of the losing buckets, in USD, as a positive number. */
  readonly lost: number;
}

/**
 * Profit factor: dollars won for each dollar lost, Σ pnl above 0 / −Σ pnl below 0, pooled over all rows.
 *
 * The unit is a row of the frame, which is a bucket of one wallet, as the data have no single trades. Within a bucket
 * wins and losses have already offset each other, so that longer buckets give other values.
 *
 * @param frame PnL records: needs `pnl`; rows without one are left out.
 * @returns The ratio, and the sums in USD. The ratio is NaN where nothing was lost; quantstats gives infinity there.
 * @throws {ColumnError} If the column is missing, not numeric or infinite.
 * @see Agrees with quantstats, `stats.profit_factor`, where something was lost.
 * @example profitFactor(pnl); // { profitFactor: 1.5, won: 300, lost: 200 }
 */
export function profitFactor(frame: Tabular): ProfitFactor {
  const { won, lost } = wonAndLost(frame);
  const result = { profitFactor: lost > 0 ? won / lost : Number.NaN, won, lost };
  return shownResult(result, [
    ['Profit factor', formatRatio(result.profitFactor)],
    ['Won', formatUsd(won)],
    ['Lost', formatUsd(lost)],
  ]);
}
