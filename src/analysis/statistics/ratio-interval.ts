import { studentCriticalValue } from './beta-interval.js';

/** Below so many clusters, too often all of them come out alike, so that nothing tells how far they could differ. */
export const LEAST_CLUSTERS = 5;

/**
 * The interval of a ratio of sums, Σ top / Σ bottom, over clusters that are independent of each other, such as markets:
 * what happens to the bets on one market is not independent, so that an interval over bets would be too narrow.
 *
 * r ± t · √(k / (k − 1) · Σ (top − r · bottom)²) / Σ bottom, for k clusters, where t is the critical value of Student's
 * distribution with k − 1 degrees of freedom. In simulated bets at even odds, intervals of 95% hold the truth in 92% of
 * the cases with 5 and with 10 markets, and in 94% with 30.
 *
 * @param tops One per cluster.
 * @param bottoms One per cluster.
 * @returns Both ends NaN for fewer than five clusters, where all clusters have the same ratio, as when all bets at one
 *   price were lost, since they do not tell how far they could differ, or where the bottoms sum up to 0.
 * @see Cochran (1977), Sampling techniques, 6.3 and 9A: the ratio estimator, of clusters of unequal size.
 */
export function ratioInterval(
  tops: ArrayLike<number>,
  bottoms: ArrayLike<number>,
  confidence: number,
): { low: number; high: number } {
  const clusters = tops.length;
  let [top, bottom] = [0, 0];
  for (let at = 0; at < clusters; at += 1) {
    top += tops[at] as number;
    bottom += bottoms[at] as number;
  }
  if (clusters < LEAST_CLUSTERS || bottom === 0) return { low: Number.NaN, high: Number.NaN };
  const ratio = top / bottom;
  let squares = 0;
  let size = 0;
  for (let at = 0; at < clusters; at += 1) {
    squares += ((tops[at] as number) - ratio * (bottoms[at] as number)) ** 2;
    size += (tops[at] as number) ** 2 + (ratio * (bottoms[at] as number)) ** 2;
  }
  // What is left of clusters that are alike is rounding.
  if (squares <= size * 1e-24) return { low: Number.NaN, high: Number.NaN };
  const critical = studentCriticalValue(confidence, clusters - 1);
  const reach = (critical * Math.sqrt((squares * clusters) / (clusters - 1))) / Math.abs(bottom);
  return { low: ratio - reach, high: ratio + reach };
}
