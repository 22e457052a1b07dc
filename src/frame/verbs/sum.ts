import { columnsOf } from '../columns-of.js';
import { numericVector } from '../vector/plain-vector.js';
import type { Vector } from '../vector/vector.js';
import { exactTotals, microsOfTotals } from './exact-totals.js';
import { groupSums } from './group-sums.js';
import { type Aggregation, describeMeasure } from './measure.js';

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
      const isWhole = columnsOf(frame).some((known) => known.name === name && known.dtype === 'int32');
      const dtype = isWhole && fitsInt32(measured) ? 'int32' : 'float64';
      return describeMeasure('Sum', name, { nullable: false, dtype })(frame, measured);
    },
  };
}

function fitsInt32(vector: Vector): boolean {
  return vector.kind === 'number' && vector.values.every((value) => Math.abs(value) < 2 ** 31);
}
