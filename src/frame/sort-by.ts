import { anyColumn } from './column.js';
import type { ColumnName, DataFrame } from './data-frame.js';
import { isMissing } from './is-missing.js';
import { takeRows } from './take-rows.js';

/** One key of a sort: a column, ascending, or a column with its direction. */
export type SortKey<Row extends object> =
  | ColumnName<Row>
  | { readonly column: ColumnName<Row>; readonly descending?: boolean };

/**
 * A frame with its rows sorted, by the first key and where that is equal by the next. Stable; missing values stand last
 * in either direction; text is compared by code units, so that ids and ISO 8601 times sort the same everywhere.
 *
 * @returns A new frame, also where there is nothing to sort.
 * @throws {ColumnError} If the frame lacks a column.
 * @example sortBy(pnl, [{ column: 'pnl', descending: true }, 'date']);
 */
export function sortBy<Row extends object>(
  frame: DataFrame<Row>,
  keys: SortKey<Row> | readonly SortKey<Row>[],
): DataFrame<Row> {
  const comparisons = (Array.isArray(keys) ? keys : [keys]).map((key) => comparisonOf(frame, key));
  const order = Uint32Array.from({ length: frame.shape[0] }, (_, row) => row);
  order.sort((a, b) => {
    for (const compare of comparisons) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return a - b;
  });
  return takeRows(frame, order);
}

function comparisonOf<Row extends object>(frame: DataFrame<Row>, key: SortKey<Row>): (a: number, b: number) => number {
  const { column: name, descending = false } = typeof key === 'object' ? key : { column: key };
  const values: ArrayLike<number | string | boolean | null> = anyColumn(frame, name);
  const sign = descending ? -1 : 1;
  return (a, b) => {
    const [left = null, right = null] = [values[a], values[b]];
    if (isMissing(left) || isMissing(right)) return Number(isMissing(left)) - Number(isMissing(right));
    return left < right ? -sign : left > right ? sign : 0;
  };
}
