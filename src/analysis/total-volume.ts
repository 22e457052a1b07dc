import type { Tabular } from '../frame/tabular.js';
import { amountsOf } from './amounts-of.js';
import { sum } from './sum.js';

/**
 * Total volume of markets, in USD: Σ volume_total, which counts one side of each trade once.
 *
 * @param frame Market records: needs `volume_total`; a missing one counts as 0.
 * @returns Dollars; 0 for a frame without rows.
 * @throws {ColumnError} If the column is missing, not numeric, negative or infinite.
 * @example totalVolume(markets); // 1250000
 */
export function totalVolume(frame: Tabular): number {
  return sum(amountsOf(frame, 'volume_total').filter((dollars) => !Number.isNaN(dollars)));
}
