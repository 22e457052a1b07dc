import type { RowGroups } from '../frame/verbs/row-groups.js';

/**
 * Sums by group without missing values, with the rounding errors of additions corrected, as {@link sum} does.
 *
 * @returns One sum per group; 0 for a group without values.
 * @see Knuth (1997), The Art of Computer Programming 2, 4.2.2, theorem B: the rounding error of an addition of doubles.
 */
export function groupTotals(
  values: Float64Array,
  { groupOf, groups }: Pick<RowGroups, 'groupOf' | 'groups'>,
): Float64Array {
  const [totals, lost] = [new Float64Array(groups), new Float64Array(groups)];
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    const group = groupOf[row] as number;
    const total = totals[group] as number;
    const next = total + value;
    const added = next - total;
    totals[group] = next;
    lost[group] = (lost[group] as number) + (total - (next - added)) + (value - added);
  }
  for (let group = 0; group < groups; group += 1) totals[group] = (totals[group] as number) + (lost[group] as number);
  return totals;
}
