import type { RowGroups } from './row-groups.js';

/** Sum of doubles by group, without NaN; 0 where there are none. */
export function groupSums(
  values: Float64Array,
  { groupOf, groups }: Pick<RowGroups, 'groupOf' | 'groups'>,
): Float64Array {
  const sums = new Float64Array(groups);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    const group = groupOf[row] as number;
    if (!Number.isNaN(value)) sums[group] = (sums[group] as number) + value;
  }
  return sums;
}
