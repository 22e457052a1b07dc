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
  const kept: number[] = [];
  for (let row = 0; row < (frame.shape[0] ?? 0); row += 1) {
    if (columns.every((values) => !Number.isNaN(values[row]))) kept.push(row);
  }
  const rows = Int32Array.from(kept);
  const values = columns.map((all) => Float64Array.from(rows, (row) => all[row] ?? Number.NaN));
  for (const name of counts) refuseNegative(name, values[names.indexOf(name)], rows);
  return { values, rows };
}

function refuseNegative(name: string, values: Float64Array | undefined, rows: Int32Array): void {
  const at = values?.findIndex((value) => value < 0) ?? -1;
  if (at < 0) return;
  throw new ColumnError(
    `The column "${name}" holds ${values?.[at]} in row ${rows[at]}, counted from 0, but it must not be negative.`,
  );
}
