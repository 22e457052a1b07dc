import { columnOf } from '../tabular/columns-of.js';
import { numericVector } from '../tabular/tabular.js';
import { doublesOf } from '../vector/plain-vector.js';
import type { MicrosVector, NumberVector, Vector } from '../vector/vector.js';
import { exactTotals, microsOfTotals, unitsOfTotals } from './exact-sum.js';
import { type Aggregation, describeMeasure, presentRows } from './measure.js';
import type { RowGroups } from './row-groups.js';

/**
 * The sum of a numeric column without its missing values; 0 if there are none. Exact amounts are added as integers and
 * remain exact; others are added as doubles, in the order of the rows. Sums of an `int32` column are `int32` if all
 * fit. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or not numeric, or an exact sum does not fit 64 bits.
 * @example groupBy(pnl, 'proxy_wallet').rollup({ total: sum('pnl') });
 */
export function sum<Name extends string>(name: Name): Aggregation<Name, 'number', Name> {
  return {
    reads: [name],
    computes: [name],
    result: 'number',
    measure: (frame, groups) => {
      const vector = numericVector(frame, name);
      return vector.kind === 'number'
        ? { kind: 'number', values: groupSums(vector.values, groups) }
        : { kind: 'micros', values: microsOfTotals(name, exactTotals(vector.values, groups)) };
    },
    describe: (frame, measured) => {
      const isWhole = columnOf(frame, name).dtype === 'int32';
      const dtype = isWhole && fitsInt32(measured) ? 'int32' : 'float64';
      // A sum of fractions is no fraction of anything.
      const { fraction: _, ...described } = describeMeasure('Sum', name, { nullable: false, dtype })(frame, measured);
      return described;
    },
  };
}

function fitsInt32(vector: Vector): boolean {
  return vector.kind === 'number' && vector.values.every((value) => Math.abs(value) < 2 ** 31);
}

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
    describe: (...measured) =>
      describeMeasure('Mean', name, { meaning: `Mean of ${name}, weighted by ${weight}.` })(...measured),
  };
}

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

/** Sum of doubles by group, without NaN; 0 where there are none. */
function groupSums(values: Float64Array, { groupOf, groups }: Pick<RowGroups, 'groupOf' | 'groups'>): Float64Array {
  const sums = new Float64Array(groups);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    const group = groupOf[row] as number;
    if (!Number.isNaN(value)) sums[group] = (sums[group] as number) + value;
  }
  return sums;
}

/** For each group, a power of two near its greatest finite number, by which a division is exact; 1 where all are 0. */
function magnitudes(values: Float64Array, { groupOf, groups }: RowGroups): Float64Array {
  const greatest = new Float64Array(groups);
  for (let row = 0; row < values.length; row += 1) {
    const size = Math.abs(values[row] as number);
    const group = groupOf[row] as number;
    if (size > (greatest[group] as number) && size <= Number.MAX_VALUE) greatest[group] = size;
  }
  // The logarithm of the greatest numbers rounds up to 1024, of which no double is a power.
  return greatest.map((size) => (size > 0 ? 2 ** Math.min(1023, Math.floor(Math.log2(size))) : 1));
}
