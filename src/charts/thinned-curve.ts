/**
 * Chooses the points to draw of a curve with more points than a picture can show: the first, lowest, highest and last
 * of each stretch, so that no peak and no fall is lost.
 *
 * @param most The approximate maximum of points to keep.
 * @returns Positions in order; all of them if there are at most `most`.
 */
export function thinnedCurve(values: ArrayLike<number>, most: number): number[] {
  const { length } = values;
  if (length <= most) return Array.from({ length }, (_, at) => at);
  const kept = new Set<number>();
  const stretches = Math.max(1, Math.floor(most / 4));
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const first = Math.floor((stretch * length) / stretches);
    const end = Math.floor(((stretch + 1) * length) / stretches);
    for (const at of [first, ...extremes(values, first, end), end - 1]) kept.add(at);
  }
  return [...kept].sort((a, b) => a - b);
}

function extremes(values: ArrayLike<number>, first: number, end: number): [number, number] {
  let [lowest, highest] = [first, first];
  for (let at = first; at < end; at += 1) {
    if ((values[at] ?? 0) < (values[lowest] ?? 0)) lowest = at;
    if ((values[at] ?? 0) > (values[highest] ?? 0)) highest = at;
  }
  return [lowest, highest];
}
