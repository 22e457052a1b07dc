/** The group of each row, and the number of groups. */
interface Groups {
  readonly groupOf: Uint32Array | Int32Array;
  readonly groups: number;
}

/**
 * The sum of each group over the given rows alone; 0 for a group without any.
 *
 * @param values One per given row.
 * @param rows Row numbers, ascending.
 */
export function sumsByGroup(values: Float64Array, rows: Int32Array, { groupOf, groups }: Groups): Float64Array {
  const sums = new Float64Array(groups);
  for (let at = 0; at < values.length; at += 1) {
    const group = groupOf[rows[at] as number] as number;
    sums[group] = (sums[group] as number) + (values[at] as number);
  }
  return sums;
}

/**
 * The sum of each group over all rows, in one pass.
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
  const sums = new Float64Array(groups);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (!(value >= least)) return undefined;
    const group = groupOf[row] as number;
    sums[group] = (sums[group] as number) + value;
  }
  return sums.every(Number.isFinite) ? sums : undefined;
}
