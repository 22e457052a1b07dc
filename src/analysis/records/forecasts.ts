import { ColumnError, UsageError } from '../../base/errors.js';
import { shownNumber } from '../../base/option-types.js';
import { numericVector, plainColumn, type Tabular } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';

/** The columns of a frame that hold forecasts and their outcomes. */
export interface ForecastOptions {
  /** Column of the probability, in [0, 1]. Default `probability`. */
  readonly probability?: string;
  /** Column of the outcome: 1 or true if it came true, 0 or false if not. Default `outcome`. */
  readonly outcome?: string;
}

/** Probabilities and their outcomes, in the order of the rows that have both. Never change the arrays. */
export interface Forecasts {
  readonly probabilities: Float64Array;
  /** Each 1 or 0. */
  readonly outcomes: Float64Array;
}

/**
 * The forecasts of a frame, without the rows in which the probability or the outcome is missing.
 *
 * @throws {ColumnError} If a column is missing or of the wrong kind, a probability is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 */
export function forecastsOf(frame: Tabular, options: ForecastOptions): Forecasts {
  const { probability = 'probability', outcome = 'outcome' } = options;
  const probabilities = doublesOf(numericVector(frame, probability));
  const outcomes = outcomesOf(frame, outcome);
  let present = 0;
  for (let row = 0; row < probabilities.length; row += 1) {
    const share = probabilities[row] as number;
    const came = outcomes[row] as number;
    if (share >= 0 && share <= 1 && (came === 0 || came === 1)) {
      present += 1;
      continue;
    }
    if (share < 0 || share > 1) refuseForecast(probability, share, row, 'a probability in [0, 1]');
    if (came !== 0 && came !== 1 && !Number.isNaN(came)) refuseForecast(outcome, came, row, 'an outcome of 0 or 1');
  }
  if (present === probabilities.length) return { probabilities, outcomes };
  const isThere = (_: number, row: number) => !Number.isNaN(probabilities[row]) && !Number.isNaN(outcomes[row]);
  return { probabilities: probabilities.filter(isThere), outcomes: outcomes.filter(isThere) };
}

function outcomesOf(frame: Tabular, name: string): Float64Array {
  const vector = plainColumn(frame, name);
  if (vector.kind !== 'boolean') return doublesOf(numericVector(frame, name));
  return Float64Array.from(vector.values, (value) => (value < 0 ? Number.NaN : value));
}

function refuseForecast(name: string, found: number, row: number, wanted: string): never {
  throw new ColumnError(
    `The column "${name}" holds ${found} in row ${row}, counted from 0; it needs ${wanted}, or nothing.`,
  );
}

/** Sums over the forecasts of each bin. */
interface BinnedForecasts {
  /** The lower edge of each bin, then 1. */
  readonly edges: Float64Array;
  readonly counts: Float64Array;
  /** Σ probability. */
  readonly forecasts: Float64Array;
  /** Σ outcome. */
  readonly hits: Float64Array;
}

const MOST_BINS = 1000;

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
  if (!Number.isInteger(bins) || bins < 1 || bins > MOST_BINS)
    throw new UsageError(`bins must be a whole number from 1 to ${MOST_BINS}, such as 10; got ${shownNumber(bins)}.`);
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
