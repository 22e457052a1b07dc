import { columnNames } from '../column-names.js';
import type { ColumnName, DataFrame } from '../danfo/data-frame.js';
import { keyNames } from './key-names.js';
import { rowGroups } from './row-groups.js';
import { takeRows } from './take-rows.js';

/**
 * The rows of a frame without repeats: of rows that are equal in all of the given columns, the first is kept. Missing
 * values equal each other, but not empty text; -0 equals 0.
 *
 * @param keys The columns that are compared. Default: all.
 * @returns A new frame with all the columns, and the rows in their order.
 * @throws {ColumnError} If the frame lacks a column, or one that is compared mixes kinds of values.
 * @example distinct(pnl, ['proxy_wallet', 'date']);
 */
export function distinct<Row extends object>(
  frame: DataFrame<Row>,
  keys?: ColumnName<Row> | readonly ColumnName<Row>[],
): DataFrame<Row> {
  const names = keys === undefined ? columnNames(frame) : keyNames('The keys of distinct', keys);
  return takeRows(frame, rowGroups(frame, names).firstRows);
}
