import type { Cell } from '../tabular.js';
import { isMissing } from '../vector/is-missing.js';

/**
 * Positions of cells in sorted order: stable, numbers by size, text by code units, missing values last in either
 * direction.
 *
 * @example rowOrder([2, NaN, 1], true); // [2, 0, 1]
 */
export function rowOrder(cells: readonly Cell[], ascending: boolean): number[] {
  const present: number[] = [];
  const missing: number[] = [];
  for (const [row, cell] of cells.entries()) (isMissing(cell) ? missing : present).push(row);
  const sign = ascending ? 1 : -1;
  present.sort((a, b) => {
    const [left, right] = [cells[a] ?? '', cells[b] ?? ''];
    return left < right ? -sign : left > right ? sign : 0;
  });
  return [...present, ...missing];
}
