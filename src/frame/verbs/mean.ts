import { numericVector } from '../vector/plain-vector.js';
import { presentRows } from '../vector/present-rows.js';
import type { MicrosVector, NumberVector } from '../vector/vector.js';
import { exactTotals, unitsOfTotals } from './exact-totals.js';
import { groupSums } from './group-sums.js';
import { magnitudes } from './magnitudes.js';
import { type Aggregation, describeMeasure } from './measure.js';
import type { RowGroups } from './row-groups.js';

/**
 * The mean of a numeric column without its missing values; NaN if all are missing. It is a double, even of exact
 * amounts. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or not numeric.
 * @example groupBy(pnl, 'proxy_wallet').rollup({ average: mean('pnl') });
 */
export function mean<Name extends string>(name: Name): Aggregation<Name, 'number', Name> {
  return {
    reads: [name],
    computes: [name],
    result: 'number',
    measure: (frame, groups) => ({ kind: 'number', values: groupMeans(numericVector(frame, name), groups) }),
    describe: describeMeasure('Mean', name),
  };
}

/** Mean of each group without missing values; NaN where all are missing. */
export function groupMeans(vector: NumberVector | MicrosVector, groups: RowGroups): Float64Array {
  const counts = presentRows(groups, vector);
  if (vector.kind === 'micros') {
    return unitsOfTotals(exactTotals(vector.values, groups)).map((total, group) => total / (counts[group] as number));
  }
  const means = groupSums(vector.values, groups).map((total, group) => total / (counts[group] as number));
  return means.every(Number.isFinite) ? means : scaledMeans(vector.values, groups, counts);
}

/** The same, where a sum may be infinite although no number is. */
function scaledMeans(values: Float64Array, groups: RowGroups, counts: Float64Array): Float64Array {
  const scales = magnitudes(values, groups);
  const scaled = values.map((value, row) => value / (scales[groups.groupOf[row] as number] as number));
  return groupSums(scaled, groups).map(
    (total, group) => (total / (counts[group] as number)) * (scales[group] as number),
  );
}
