import type { ColumnNameOf, DataFrame } from '../danfo/data-frame.js';
import { exactVector } from './exact-column.js';
import { exactTotals } from './exact-totals.js';

/**
 * The sum of an exact column to the last digit, in micro-units, whatever its size: 1.5 dollars are 1_500_000n.
 *
 * @returns The sum of the values that are not missing; 0n if there are none.
 * @throws {ColumnError} If the frame lacks the column, or it is not exact: query it with `exact: true`.
 * @example exactSum(pnl, 'pnl'); // -12_345_678n, which is −12.345678 dollars
 */
export function exactSum<Row extends object>(frame: DataFrame<Row>, name: ColumnNameOf<Row, number | bigint>): bigint {
  const { values } = exactVector(frame, name);
  const { high, low } = exactTotals(values, { groupOf: new Uint32Array(values.length), groups: 1 });
  return BigInt(high[0] ?? 0) * 2n ** 32n + BigInt(low[0] ?? 0);
}
