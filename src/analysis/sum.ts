/**
 * The sum of numbers, with what each addition rounds away carried along, so that dollars of a million rows in any order
 * come to the same cent.
 *
 * @returns 0 for none.
 * @see Neumaier (1974), Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen; Knuth (1997), The Art of
 * Computer Programming 2, 4.2.2, theorem B: what an addition of doubles rounds away.
 */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  let lost = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    const next = total + value;
    const added = next - total;
    lost += total - (next - added) + (value - added);
    total = next;
  }
  return total + lost;
}
