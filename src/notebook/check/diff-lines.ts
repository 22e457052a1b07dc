/** A line that one side or both sides have: its index on each. */
export interface DiffStep {
  stored?: number;
  now?: number;
}

/**
 * The shortest sequence of edits from one list of lines to another. Removed lines come before those that replace them.
 *
 * @param same Whether two lines count as equal.
 * @returns Every line of both lists once, in order.
 * @see Myers (1986), An O(ND) difference algorithm and its variations.
 */
export function diffLines(
  stored: readonly string[],
  now: readonly string[],
  same: (stored: string, now: string) => boolean,
): DiffStep[] {
  const isSame = (x: number, y: number): boolean => same(stored[x] ?? '', now[y] ?? '');
  const trail = furthestReach(stored.length, now.length, isSame);
  const steps: DiffStep[] = [];
  let [x, y] = [stored.length, now.length];
  for (let edits = trail.length - 1; edits >= 0 && (x > 0 || y > 0); edits -= 1) {
    const reach = trail[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const from = edits === 0 ? 0 : comesFromAbove(reach, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const startX = edits === 0 ? 0 : (reach.get(from) ?? 0);
    const startY = edits === 0 ? 0 : startX - from;
    while (x > startX && y > startY) steps.push({ stored: --x, now: --y });
    if (edits > 0) steps.push(from > diagonal ? { now: --y } : { stored: --x });
  }
  return steps.reverse();
}

/** For each number of edits: how far into the stored lines each diagonal had come before that edit. */
function furthestReach(
  width: number,
  height: number,
  isSame: (x: number, y: number) => boolean,
): Map<number, number>[] {
  const trail: Map<number, number>[] = [];
  const reach = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= width + height; edits += 1) {
    trail.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = comesFromAbove(reach, diagonal, edits);
      let x = isDown ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < width && x - diagonal < height && isSame(x, x - diagonal)) x += 1;
      reach.set(diagonal, x);
      if (x >= width && x - diagonal >= height) return trail;
    }
  }
  return trail;
}

/** Whether the furthest path to a diagonal inserts a line; otherwise it removes one. */
function comesFromAbove(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1);
}
