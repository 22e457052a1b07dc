import { ColumnError } from '../../base/errors.js';
import type { ColumnNameOf, DataFrame } from '../danfo/data-frame.js';
import type { Tabular } from '../tabular.js';
import { missingAt } from '../vector/missing-at.js';
import type { MicrosVector } from '../vector/vector.js';
import { vectorOf } from '../vector/vectors-of.js';

/**
 * An exact column as integer micro-units, copied: 1.5 dollars are 1_500_000n. The frame must have been queried with
 * `exact: true`, or be made of such frames by the toolkit's functions; danfo's methods give doubles.
 *
 * @returns One integer for each row; an empty array for a frame without rows.
 * @throws {ColumnError} If the frame lacks the column, it is not exact, or a value is missing.
 * @example exactColumn(pnl, 'pnl').reduce((total, micros) => total + micros, 0n);
 */
export function exactColumn<Row extends object>(
  frame: DataFrame<Row>,
  name: ColumnNameOf<Row, number | bigint>,
): BigInt64Array {
  const vector = exactVector(frame, name);
  for (let row = 0; row < vector.values.length; row += 1) {
    if (!missingAt(vector, row)) continue;
    throw new ColumnError(
      `The column "${name}" has no value in row ${row}, counted from 0, and integers have none to stand for it: filter such rows out first.`,
    );
  }
  return vector.values.slice();
}

/**
 * An exact column of a frame, not copied: never change it.
 *
 * @throws {ColumnError} If the frame lacks the column, or it is not exact.
 */
export function exactVector(frame: Tabular, name: string): MicrosVector {
  const vector = vectorOf(frame, name);
  if (vector.kind === 'micros') return vector;
  if (frame.shape[0] === 0) return { kind: 'micros', values: new BigInt64Array(0) };
  const found = vector.kind === 'number' ? 'doubles' : 'no amounts';
  throw new ColumnError(
    `The column "${name}" holds ${found}, not exact micro-units: query the frame with { exact: true }.`,
  );
}
