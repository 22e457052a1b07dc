/** The mean of numbers; NaN for none. Exact for whole numbers, as micro-dollars are, until it is divided. */
export function meanOf(values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] as number;
  return total / values.length;
}
