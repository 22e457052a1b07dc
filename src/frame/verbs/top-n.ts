import { UsageError } from '../../base/errors.js';
import { showValue } from '../build/show-value.js';
import type { ColumnName, DataFrame } from '../danfo/data-frame.js';
import { argSort } from './arg-sort.js';
import { takeRows } from './take-rows.js';

/**
 * The rows with the greatest values of a column, greatest first; of equal values the earlier rows, missing values last.
 *
 * @param count The largest number of rows: a whole number from 0.
 * @returns A new frame; all rows, sorted, if there are fewer.
 * @throws {ColumnError} If the frame lacks the column, or it mixes kinds of values.
 * @throws {UsageError} If the count is not a whole number from 0.
 * @example topN(markets, 10, 'volume_total');
 */
export function topN<Row extends object>(frame: DataFrame<Row>, count: number, by: ColumnName<Row>): DataFrame<Row> {
  if (!Number.isInteger(count) || count < 0) {
    throw new UsageError(`The count of topN must be a whole number from 0; got ${showValue(count)}.`);
  }
  return takeRows(frame, argSort(frame, [{ column: by, descending: true }]).subarray(0, count));
}
