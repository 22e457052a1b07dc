/**
 * The sum of numbers, with what each addition rounds away carried along, so that dollars of a million rows in any order
 * come to the same cent.
 *
 * @returns 0 for none.
 * @see Neumaier (1974), Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen.
 */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  let lost = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}
