import type { RowGroups } from './row-groups.js';

/** For each group, a power of two near its greatest finite number, by which a division is exact; 1 where all are 0. */
export function magnitudes(values: Float64Array, { groupOf, groups }: RowGroups): Float64Array {
  const greatest = new Float64Array(groups);
  for (let row = 0; row < values.length; row += 1) {
    const size = Math.abs(values[row] as number);
    const group = groupOf[row] as number;
    if (size > (greatest[group] as number) && size <= Number.MAX_VALUE) greatest[group] = size;
  }
  // The logarithm of the greatest numbers rounds up to 1024, of which no double is a power.
  return greatest.map((size) => (size > 0 ? 2 ** Math.min(1023, Math.floor(Math.log2(size))) : 1));
}
