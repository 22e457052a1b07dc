/**
 * The sum of numbers, with what each addition rounds away carried along, so that dollars of a million rows in any order
 * come to the same cent.
 *
 * @returns 0 for none.
 * @see Neumaier (1974), Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen.
 */
export function sum(values: Iterable<number>): number {
  let [total, lost] = [0, 0];
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}
