import { doublesOf, numericVector } from '../vector/plain-vector.js';
import { presentRows } from '../vector/present-rows.js';
import type { MicrosVector, NumberVector } from '../vector/vector.js';
import { groupSums } from './group-sums.js';
import { magnitudes } from './magnitudes.js';
import { groupMeans } from './mean.js';
import { type Aggregation, describeMeasure } from './measure.js';
import type { RowGroups } from './row-groups.js';

/**
 * The standard deviation of a numeric column as a sample (divided by n − 1), without its missing values; NaN for fewer
 * than two, or where one is infinite. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or not numeric.
 * @example groupBy(pnl, 'proxy_wallet').rollup({ spread: std('pnl') });
 */
export function std<Name extends string>(name: Name): Aggregation<Name, 'number', Name> {
  return {
    reads: [name],
    computes: [name],
    result: 'number',
    measure: (frame, groups) => ({ kind: 'number', values: groupDeviations(numericVector(frame, name), groups) }),
    describe: describeMeasure('Standard deviation', name),
  };
}

/** Standard deviation of each group as a sample; NaN for fewer than two values, or where one is infinite. */
export function groupDeviations(vector: NumberVector | MicrosVector, groups: RowGroups): Float64Array {
  const { groupOf } = groups;
  const [values, counts, means] = [doublesOf(vector), presentRows(groups, vector), groupMeans(vector, groups)];
  // Squares of very large numbers would be infinite, and those of very small ones 0.
  const scales = magnitudes(values, groups);
  const squares = values.map((value, row) => {
    const group = groupOf[row] as number;
    const scale = scales[group] as number;
    // Squares of deviations rather than of values, which would cancel each other's digits.
    return (value / scale - (means[group] as number) / scale) ** 2;
  });
  return groupSums(squares, groups).map((total, group) => {
    const many = counts[group] as number;
    // Nothing deviates from an infinite mean by a number, and a sum leaves such deviations out.
    if (many < 2 || !Number.isFinite(means[group])) return Number.NaN;
    return Math.sqrt(total / (many - 1)) * (scales[group] as number);
  });
}
