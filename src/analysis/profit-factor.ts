import type { Tabular } from '../frame/tabular.js';
import { formatRatio } from './format-ratio.js';
import { formatUsd } from './format-usd.js';
import { shownResult } from './shown-result.js';
import { wonAndLost } from './won-and-lost.js';

/** Dollars won for each dollar lost. */
export interface ProfitFactor {
  /** won / lost: 1 breaks even. */
  readonly profitFactor: number;
  /** Dollars of the winning buckets. */
  readonly won: number;
  /** Dollars of the losing buckets, as a positive number. */
  readonly lost: number;
}

/**
 * Profit factor: dollars won for each dollar lost, Σ pnl above 0 / −Σ pnl below 0, pooled over all rows.
 *
 * The unit is a row of the frame, a bucket of one wallet, as the data have no single trades: within a bucket, wins and
 * losses have set each other off already, so that longer buckets give other values.
 *
 * @param frame PnL records: needs `pnl`; rows without one are left out.
 * @returns A ratio and the sums in USD; NaN where nothing was lost, where quantstats answers infinity.
 * @throws {ColumnError} If the column is missing, not numeric or infinite.
 * @see quantstats, `stats.profit_factor`, which this agrees with where something was lost.
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
