import type { Cell } from '../tabular.js';

/** Whether a cell holds nothing: null, undefined or NaN. An empty string is a value. */
export function isMissing(cell: Cell): cell is null | undefined {
  return cell === null || cell === undefined || (typeof cell === 'number' && Number.isNaN(cell));
}
