/**
 * Sorts positions by small whole numbers; the sort is stable.
 *
 * @param keys A key for each position, at least 0 and below `count`.
 * @returns The given array itself if it is in order already.
 */
export function countingSort(positions: Int32Array, keys: Int32Array, count: number): Int32Array {
  if (isSorted(positions, keys)) return positions;
  const next = new Int32Array(count + 1);
  for (let at = 0; at < keys.length; at += 1) {
    const slot = (keys[at] as number) + 1;
    next[slot] = (next[slot] as number) + 1;
  }
  for (let key = 0; key < count; key += 1) next[key + 1] = (next[key + 1] as number) + (next[key] as number);
  const sorted = new Int32Array(positions.length);
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at] as number;
    const key = keys[position] as number;
    const place = next[key] as number;
    sorted[place] = position;
    next[key] = place + 1;
  }
  return sorted;
}

function isSorted(positions: Int32Array, keys: Int32Array): boolean {
  for (let at = 1; at < positions.length; at += 1) {
    if ((keys[positions[at] as number] as number) < (keys[positions[at - 1] as number] as number)) return false;
  }
  return true;
}
