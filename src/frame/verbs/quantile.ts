import { UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import { numericVector } from '../tabular/tabular.js';
import { doublesOf } from '../vector/plain-vector.js';
import { type Aggregation, describeMeasure } from './measure.js';
import { rowLists } from './row-groups.js';

/**
 * A quantile of a numeric column without its missing values, by linear interpolation: of n sorted values, the one at
 * position share · (n − 1), counted from 0. NaN if all are missing. For `rollup` and `pivot`.
 *
 * @param share In [0, 1]: 0 is the least value, 0.5 the median, 1 the greatest.
 * @throws {UsageError} If the share is outside [0, 1].
 * @throws {ColumnError} On use, if the column is missing or not numeric.
 * @see Hyndman and Fan (1996), Sample quantiles in statistical packages, definition 7.
 * @example groupBy(pnl, 'proxy_wallet').rollup({ worst: quantile('pnl', 0.05) });
 */
export function quantile<Name extends string>(name: Name, share: number): Aggregation<Name, 'number', Name> {
  if (typeof share !== 'number' || !(share >= 0 && share <= 1)) {
    throw new UsageError(
      `The share of quantile must be from 0 to 1, such as 0.5 for the median; got ${shownValue(share)}.`,
    );
  }
  return {
    reads: [name],
    computes: [name],
    result: 'number',
    measure: (frame, { groupOf, groups }) => {
      const doubles = doublesOf(numericVector(frame, name));
      const { starts, rows } = rowLists(groupOf, groups, (row) => Number.isNaN(doubles[row]));
      const listed = Float64Array.from(rows, (row) => doubles[row] as number);
      const values = Float64Array.from({ length: groups }, (_, group) =>
        quantileOf(listed.subarray(starts[group], starts[group + 1]).sort(), share),
      );
      return { kind: 'number', values };
    },
    describe: describeMeasure(`Quantile ${share}`, name),
  };
}

/**
 * The median of a numeric column without its missing values, as {@link quantile} interpolates it; NaN if all are
 * missing. For `rollup` and `pivot`.
 *
 * @throws {ColumnError} On use, if the column is missing or not numeric.
 * @example groupBy(pnl, 'proxy_wallet').rollup({ typical: median('pnl') });
 */
export function median<Name extends string>(name: Name): Aggregation<Name, 'number', Name> {
  return { ...quantile(name, 0.5), describe: describeMeasure('Median', name) };
}

/** A quantile of sorted values, NaN of none; see {@link quantile}. */
export function quantileOf(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (low === undefined || high === undefined) return Number.NaN;
  if (low === high) return low;
  const [span, part] = [high - low, place - Math.floor(place)];
  return Number.isFinite(span) ? low + span * part : low * (1 - part) + high * part;
}
