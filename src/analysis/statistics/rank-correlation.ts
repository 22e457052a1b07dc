import { ranks } from '../../frame/verbs/correlate.js';
import { normalCriticalValue } from './wilson-interval.js';

/** A rank correlation and its interval, all in [−1, 1]. */
interface RankCorrelation {
  readonly correlation: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Spearman's rank correlation: Pearson's correlation of the ranks, equal values sharing the mean of theirs. Its interval
 * is tanh(artanh(ρ) ± z · √((1 + ρ²/2) / (n − 3))).
 *
 * @returns NaN for fewer than two pairs or where all values of one side are equal; the interval also for fewer than four
 *   pairs, and where the ranks agree, or oppose each other, altogether.
 * @see Spearman (1904), The proof and measurement of association between two things; Bonett and Wright (2000), Sample
 * size requirements for estimating Pearson, Kendall and Spearman correlations, for the interval.
 */
export function rankCorrelation(one: readonly number[], other: readonly number[], confidence: number): RankCorrelation {
  const correlation = pearson(ranks(Float64Array.from(one)), ranks(Float64Array.from(other)));
  const pairs = one.length;
  if (pairs < 4 || !(Math.abs(correlation) < 1)) return { correlation, low: Number.NaN, high: Number.NaN };
  const reach = normalCriticalValue(confidence) * Math.sqrt((1 + correlation ** 2 / 2) / (pairs - 3));
  const middle = Math.atanh(correlation);
  return { correlation, low: Math.tanh(middle - reach), high: Math.tanh(middle + reach) };
}

function pearson(one: Float64Array, other: Float64Array): number {
  const mean = (one.length + 1) / 2;
  let [both, left, right] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [(one[at] as number) - mean, (other[at] as number) - mean];
    both += a * b;
    left += a * a;
    right += b * b;
  }
  if (left === 0 || right === 0) return Number.NaN;
  return Math.max(-1, Math.min(1, both / Math.sqrt(left * right)));
}
