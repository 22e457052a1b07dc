import type { RowGroups } from '../verbs/row-groups.js';
import { missingAt } from './missing-at.js';
import type { Vector } from './vector.js';

/** How many rows each group has, or how many in which a vector is not missing. */
export function presentRows({ groupOf, groups }: RowGroups, vector?: Vector): Float64Array {
  const counts = new Float64Array(groups);
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (!vector || !missingAt(vector, row)) counts[group] = (counts[group] as number) + 1;
  }
  return counts;
}
