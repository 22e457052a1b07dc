import { ColumnError } from '../errors.js';
import { numericColumn } from '../frame/column.js';
import type { Tabular } from '../frame/tabular.js';

/** Numbers of a few columns over the rows that lack none of them. */
export interface CompleteNumbers {
  /** One array a column asked for. */
  readonly values: readonly Float64Array[];
  /** The rows of the frame that they come from. */
  readonly rows: Int32Array;
}

/**
 * Numeric columns without the rows in which one of them is missing.
 *
 * @param names Columns that have to be there.
 * @param options.counts Those of them that count or pay something, and so must not be negative.
 * @throws {ColumnError} If a column is missing, not numeric, or negative where it must not be.
 */
export function completeNumbers(
  frame: Tabular,
  names: readonly string[],
  { counts = [] }: { counts?: readonly string[] } = {},
): CompleteNumbers {
  const columns = names.map((name) => numericColumn(frame, name));
  const rows = completeRows(columns, frame.shape[0] ?? 0);
  const values = columns.map((all) => (rows.length === all.length ? all : pick(all, rows)));
  for (const name of counts) refuseNegative(name, values[names.indexOf(name)], rows);
  return { values, rows };
}

/** The rows in which no column has a missing value. */
function completeRows(columns: readonly Float64Array[], length: number): Int32Array {
  const rows = new Int32Array(length);
  let kept = 0;
  next: for (let row = 0; row < length; row += 1) {
    for (const values of columns) if (Number.isNaN(values[row])) continue next;
    rows[kept++] = row;
  }
  return rows.subarray(0, kept);
}

function pick(all: Float64Array, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) picked[at] = all[rows[at] ?? 0] ?? Number.NaN;
  return picked;
}

function refuseNegative(name: string, values: Float64Array | undefined, rows: Int32Array): void {
  if (values === undefined) return;
  for (let at = 0; at < values.length; at += 1) {
    if ((values[at] ?? 0) >= 0) continue;
    throw new ColumnError(
      `The column "${name}" holds ${values[at]} in row ${rows[at]}, counted from 0, but it must not be negative.`,
    );
  }
}
