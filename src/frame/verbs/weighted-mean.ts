import { doublesOf, numericVector } from '../vector/plain-vector.js';
import { groupSums } from './group-sums.js';
import { type Aggregation, describeMeasure } from './measure.js';

/**
 * The mean of a numeric column, weighted by another one: Σ(value · weight) / Σ weight, as for prices by size. Rows
 * without a value or a weight are left out; NaN if there are no others, or all weights are 0. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if a column is missing or not numeric.
 * @example groupBy(fills, 'outcome').rollup({ vwap: weightedMean('price', 'shares') });
 */
export function weightedMean<Name extends string, Weight extends string>(
  name: Name,
  weight: Weight,
): Aggregation<Name | Weight, 'number', Name | Weight> {
  return {
    reads: [name, weight],
    computes: [name, weight],
    result: 'number',
    measure: (frame, groups) => {
      const [values, weights] = [doublesOf(numericVector(frame, name)), doublesOf(numericVector(frame, weight))];
      const products = values.map((value, row) => value * (weights[row] as number));
      const used = weights.map((each, row) => (Number.isNaN(values[row]) ? Number.NaN : each));
      const totals = groupSums(used, groups);
      const means = groupSums(products, groups).map((total, group) => total / (totals[group] as number));
      return { kind: 'number', values: means };
    },
    describe: describeMeasure('Mean', name, { meaning: `Mean of ${name}, weighted by ${weight}.` }),
  };
}
