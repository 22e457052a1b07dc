/** The mean of numbers; NaN for none. The sum of whole numbers, such as micro-dollars, is exact. */
export function meanOf(values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] as number;
  return total / values.length;
}
