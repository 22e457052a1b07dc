import { knownOptions } from '../../base/nearest.js';
import type { ColumnName, DataFrame } from '../danfo/data-frame.js';
import { argSort } from './arg-sort.js';
import { takeRows } from './take-rows.js';

/** A key for sorting: a column, ascending, or a column and its direction. */
export type SortKey<Row extends object> =
  | ColumnName<Row>
  | { readonly column: ColumnName<Row>; readonly descending?: boolean };

/**
 * The rows of a frame sorted by the first key, and where that is equal by the next. The sort is stable, and missing
 * values come last in either direction. Times are compared as moments, other text by code units, so that ids sort the
 * same everywhere, and exact amounts to the last digit.
 *
 * @returns A new frame, even if there is nothing to sort.
 * @throws {ColumnError} If the frame lacks a column, or one mixes kinds of values.
 * @throws {UsageError} If a key has an unknown option.
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
