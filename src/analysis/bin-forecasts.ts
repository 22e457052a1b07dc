import { UsageError } from '../base/errors.js';
import type { Forecasts } from './forecasts-of.js';

/** Sums over the forecasts of each bin. */
export interface BinnedForecasts {
  /** The lower edge of each bin, then 1. */
  readonly edges: Float64Array;
  readonly counts: Float64Array;
  /** Σ probability. */
  readonly forecasts: Float64Array;
  /** Σ outcome. */
  readonly hits: Float64Array;
}

const MOST = 1000;

/** Probabilities that differ by no more are taken for equal: computed as 1 − 0.8, a price of 0.2 is an ulp below 0.2. */
export const PROBABILITY_ROUNDING = 1e-12;

/**
 * Sorts forecasts into bins of equal width. A probability on an edge, up to rounding, is in the upper bin; 1 is in the
 * last one.
 *
 * @throws {UsageError} If the number of bins is not a whole number from 1 to 1,000.
 */
export function binForecasts({ probabilities, outcomes }: Forecasts, bins: number): BinnedForecasts {
  const edges = binEdges(bins);
  const [counts, forecasts, hits] = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)];
  for (let at = 0; at < probabilities.length; at += 1) {
    const probability = probabilities[at] as number;
    const bin = binOf(probability, edges);
    counts[bin] = (counts[bin] as number) + 1;
    forecasts[bin] = (forecasts[bin] as number) + probability;
    hits[bin] = (hits[bin] as number) + (outcomes[at] as number);
  }
  return { edges, counts, forecasts, hits };
}

/**
 * The lower edge of each of some bins of equal width, then 1.
 *
 * @throws {UsageError} If their number is not a whole number from 1 to 1,000.
 */
export function binEdges(bins: number): Float64Array {
  if (!Number.isInteger(bins) || bins < 1 || bins > MOST)
    throw new UsageError(`bins must be a whole number from 1 to ${MOST}, such as 10; got ${bins}.`);
  return Float64Array.from({ length: bins + 1 }, (_, at) => at / bins);
}

/** The bin of a probability. */
export function binOf(probability: number, edges: Float64Array): number {
  const bins = edges.length - 1;
  const reached = probability + PROBABILITY_ROUNDING;
  const bin = Math.min((reached * bins) | 0, bins - 1);
  // The product may round across an edge.
  if (reached < (edges[bin] as number)) return bin - 1;
  return bin < bins - 1 && reached >= (edges[bin + 1] as number) ? bin + 1 : bin;
}
