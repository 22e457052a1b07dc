import { doublesOf, numericVector } from '../vector/plain-vector.js';
import { presentRows } from '../vector/present-rows.js';
import { groupSums } from './group-sums.js';
import { groupMeans } from './mean.js';
import { type Aggregation, describeMeasure } from './measure.js';

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
    measure: (frame, groups) => {
      const vector = numericVector(frame, name);
      const counts = presentRows(groups, vector);
      const means = groupMeans(vector, groups);
      // Squares of deviations rather than of values, which would cancel each other's digits.
      const squares = doublesOf(vector).map(
        (value, row) => (value - (means[groups.groupOf[row] as number] as number)) ** 2,
      );
      const values = groupSums(squares, groups).map((total, group) =>
        // Nothing deviates from an infinite mean by a number, and a sum leaves such deviations out.
        Number.isFinite(means[group]) ? deviation(total, counts[group] as number) : Number.NaN,
      );
      return { kind: 'number', values };
    },
    describe: describeMeasure('Standard deviation', name),
  };
}

function deviation(squares: number, many: number): number {
  return many < 2 ? Number.NaN : Math.sqrt(squares / (many - 1));
}
