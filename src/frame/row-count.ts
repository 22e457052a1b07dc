import { columnNames } from './column-names.js';
import type { Tabular } from './tabular.js';

/**
 * The number of rows of a frame.
 *
 * @throws {UsageError} If the value is no frame; the message says how to get one.
 */
export function rowCount(frame: Tabular): number {
  columnNames(frame);
  return frame.shape[0] ?? 0;
}
