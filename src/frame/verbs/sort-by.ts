import { knownOptions } from '../../contract/known-options.js';
import type { ColumnName, DataFrame } from '../danfo/data-frame.js';
import { argSort } from './arg-sort.js';
import { takeRows } from './take-rows.js';

/** One key of a sort: a column, ascending, or a column with its direction. */
export type SortKey<Row extends object> =
  | ColumnName<Row>
  | { readonly column: ColumnName<Row>; readonly descending?: boolean };

/**
 * A frame with its rows sorted, by the first key and where that is equal by the next. Stable; missing values stand last
 * in either direction; times are compared as moments, with a fraction of a second or without, other text by code units, so
 * that ids sort the same everywhere; exact amounts are compared to the last digit.
 *
 * @returns A new frame, also where there is nothing to sort.
 * @throws {ColumnError} If the frame lacks a column, or one mixes kinds of values.
 * @throws {UsageError} If a key has another option than these.
 * @example sortBy(pnl, [{ column: 'pnl', descending: true }, 'date']);
 */
export function sortBy<Row extends object>(
  frame: DataFrame<Row>,
  keys: SortKey<Row> | readonly SortKey<Row>[],
): DataFrame<Row> {
  const list: readonly SortKey<Row>[] = Array.isArray(keys) ? keys : [keys];
  const stated = list.map((key) => {
    if (typeof key !== 'object') return { column: key, descending: false };
    knownOptions('a key of sortBy', key, ['column', 'descending']);
    return { column: key.column, descending: key.descending ?? false };
  });
  return takeRows(frame, argSort(frame, stated));
}
