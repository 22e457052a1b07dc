import { columnNames } from './column-names.js';
import type { Tabular } from './tabular.js';

/**
 * Rows of a frame.
 *
 * @throws {UsageError} If it is no frame: says how to make one of it.
 */
export function rowCount(frame: Tabular): number {
  columnNames(frame);
  return frame.shape[0] ?? 0;
}
