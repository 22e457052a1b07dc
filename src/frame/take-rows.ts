import { columnArrays } from './column-arrays.js';
import { columnsOf } from './columns-of.js';
import type { DataFrame } from './danfo.js';
import { frameFromColumns } from './frame-from-columns.js';

/** A frame of some rows of another, by position and in the order given; the row labels start at 0 again. */
export function takeRows<Row extends object>(frame: DataFrame<Row>, rows: ArrayLike<number>): DataFrame<Row> {
  const arrays = columnArrays(frame).map((array) => Array.from(rows, (row) => array[row]));
  return frameFromColumns<Row>(columnsOf(frame), arrays);
}
