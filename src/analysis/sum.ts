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
