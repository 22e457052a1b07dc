import { numericColumn } from '../frame/column.js';
import type { Tabular } from '../frame/tabular.js';
import { sum } from './sum.js';

/**
 * Total volume of markets, in USD: Σ volume_total, in which one side of each trade is counted once.
 *
 * @param frame Market records: needs `volume_total`; a missing one counts as nothing.
 * @returns Dollars; 0 for a frame without rows.
 * @throws {ColumnError} If the column is missing or not numeric.
 * @example totalVolume(markets); // 1250000
 */
export function totalVolume(frame: Tabular): number {
  return sum(numericColumn(frame, 'volume_total').filter((dollars) => !Number.isNaN(dollars)));
}
