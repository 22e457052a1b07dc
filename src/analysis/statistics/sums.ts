import type { RowGroups } from '../../frame/verbs/row-groups.js';

/**
 * The sum of numbers, with the rounding error of each addition carried along, so that the dollars of a million rows
 * come to the same cent in any order.
 *
 * @returns 0 for none.
 * @see Neumaier (1974), Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen; Knuth (1997), The Art of
 * Computer Programming 2, 4.2.2, theorem B: the rounding error of an addition of doubles.
 */
export function sum(values: ArrayLike<number>): number {
  // Two independent sums, which the processor can add in parallel.
  let total = 0;
  let lost = 0;
  let other = 0;
  let lostOther = 0;
  const pairs = values.length - (values.length % 2);
  for (let at = 0; at < pairs; at += 2) {
    const value = values[at] as number;
    const next = total + value;
    lost += roundedAway(total, value, next);
    total = next;
    const otherValue = values[at + 1] as number;
    const otherNext = other + otherValue;
    lostOther += roundedAway(other, otherValue, otherNext);
    other = otherNext;
  }
  const last = pairs < values.length ? (values[pairs] as number) : 0;
  const most = total + last;
  const all = most + other;
  const beside = lost + lostOther + roundedAway(total, last, most) + roundedAway(most, other, all);
  // An infinite sum has no rounding error to add.
  return Number.isFinite(all) ? all + beside : all;
}

/** The rounding error of a sum of two numbers. */
function roundedAway(one: number, other: number, rounded: number): number {
  const added = rounded - one;
  return one - (rounded - added) + (other - added);
}

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
    addTo(totals, lost, groupOf[row] as number, value);
  }
  return corrected(totals, lost);
}

function addTo(totals: Float64Array, lost: Float64Array, group: number, value: number): void {
  const total = totals[group] as number;
  const next = total + value;
  totals[group] = next;
  lost[group] = (lost[group] as number) + roundedAway(total, value, next);
}

function corrected(totals: Float64Array, lost: Float64Array): Float64Array {
  for (let group = 0; group < totals.length; group += 1) {
    totals[group] = (totals[group] as number) + (lost[group] as number);
  }
  return totals;
}

/** The group of each row, and the number of groups. */
interface Groups {
  readonly groupOf: Uint32Array | Int32Array;
  readonly groups: number;
}

/**
 * The sum of each group over the given rows alone, as {@link sum} adds; 0 for a group without any.
 *
 * @param values One per given row.
 * @param rows Row numbers, ascending.
 */
export function sumsByGroup(values: Float64Array, rows: Int32Array, { groupOf, groups }: Groups): Float64Array {
  const [sums, lost] = [new Float64Array(groups), new Float64Array(groups)];
  for (let at = 0; at < values.length; at += 1) {
    addTo(sums, lost, groupOf[rows[at] as number] as number, values[at] as number);
  }
  return corrected(sums, lost);
}

/**
 * The sum of each group over all rows, in one pass, as {@link sum} adds.
 *
 * @param isCount Whether numbers must not be negative.
 * @returns Undefined if a number is missing, infinite, or negative where it must not be, or if a sum is infinite.
 */
export function sumsOfAll(
  values: Float64Array,
  isCount: boolean,
  { groupOf, groups }: Groups,
): Float64Array | undefined {
  const least = isCount ? 0 : Number.NEGATIVE_INFINITY;
  const [sums, lost] = [new Float64Array(groups), new Float64Array(groups)];
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (!(value >= least)) return undefined;
    addTo(sums, lost, groupOf[row] as number, value);
  }
  // The rounding errors of an infinite sum are no number.
  return corrected(sums, lost).every(Number.isFinite) ? sums : undefined;
}
