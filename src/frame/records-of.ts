import type { ColumnName, DataFrame } from './danfo/data-frame.js';
import type { Cell, Tabular } from './tabular.js';
import { cellAt } from './vector/vector.js';
import { vectorsOf } from './vector/vectors-of.js';

/**
 * The rows of a frame as records, with the columns in their order. Missing numbers are NaN, as in the frame, other
 * missing values null. A frame without rows gives an empty array.
 *
 * @example recordsOf(frame)[0]; // { date: '2025-11-01T00:00:00Z', pnl: 12.5 }
 */
export function recordsOf<Row extends object>(
  frame: DataFrame<Row>,
): [keyof Row] extends [never] ? Record<ColumnName<Row>, Cell>[] : Row[];
export function recordsOf(frame: Tabular): Record<string, Cell>[];
export function recordsOf(frame: Tabular): Record<string, Cell>[] {
  const vectors = vectorsOf(frame);
  return Array.from({ length: frame.shape[0] ?? 0 }, (_, row) =>
    Object.fromEntries(vectors.map((vector, at) => [frame.columns[at] ?? '', cellAt(vector, row)])),
  );
}
