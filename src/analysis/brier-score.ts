import { knownOptions } from '../contract/known-options.js';
import type { Tabular } from '../frame/tabular.js';
import { type KeyCodes, keyCodes } from '../frame/verbs/key-codes.js';
import { binEdges, binOf } from './bin-forecasts.js';
import { type ForecastOptions, type Forecasts, forecastsOf } from './forecasts-of.js';
import { formatPercent } from './format-percent.js';
import { shownResult } from './shown-result.js';
import { sum } from './sum.js';

/** How {@link brierScore} takes its score apart. */
export interface BrierOptions extends ForecastOptions {
  /**
   * How many bins of equal width [0, 1] is cut into, from 1 to 1,000, or `distinct`: forecasts of the same probability
   * are a bin. Default 10. The score itself does not depend on it.
   */
  readonly bins?: number | 'distinct';
}

/** A Brier score and what it comes from: brier = reliability − resolution + uncertainty + withinBins. */
export interface BrierScore {
  /** Mean squared error of the probabilities, in [0, 1]: 0 is perfect, 0.25 is what saying 50% always gets. */
  readonly brier: number;
  /** How far the bins' frequencies lie from their mean probabilities: 0 is perfectly calibrated. */
  readonly reliability: number;
  /** How far the bins' frequencies lie from the base rate: the more, the better. */
  readonly resolution: number;
  /** Variance of the outcomes: what saying the base rate always gets. */
  readonly uncertainty: number;
  /** What the bins hide: variance of the probabilities within them less twice their covariance with the outcomes. */
  readonly withinBins: number;
  /** 1 − brier / uncertainty: 1 is perfect, 0 no better than the base rate, below it worse. */
  readonly skill: number;
  /** Share of the forecasts that came true. */
  readonly baseRate: number;
  readonly count: number;
}

/**
 * Brier score of probabilities, with Murphy's decomposition: whether a score is good for being calibrated, or for
 * telling one case from another.
 *
 * With f the probabilities, o the outcomes, and for bin k its count n, means f̄ and ō, of N forecasts with mean outcome ō:
 * brier = Σ (f − o)² / N; reliability = Σ n(k)·(f̄(k) − ō(k))² / N; resolution = Σ n(k)·(ō(k) − ō)² / N;
 * uncertainty = ō·(1 − ō); withinBins = (ΣΣ (f − f̄(k))² − 2·ΣΣ (f − f̄(k))·(o − ō(k))) / N.
 *
 * The four add up to the score with any bins. Murphy's three alone do where the forecasts of a bin are all the same, as
 * with `bins: 'distinct'`, for which withinBins is 0; that suits prices in whole cents, but with hardly two forecasts
 * alike it finds resolution in everything.
 *
 * @param frame Any frame with a probability in [0, 1] and an outcome: 1 or true, 0 or false. Rows that lack one of the
 * two are left out.
 * @param options.probability Column of the probability. Default `probability`.
 * @param options.outcome Column of the outcome. Default `outcome`.
 * @param options.bins Bins of equal width, from 1 to 1,000, or `distinct`. Default 10.
 * @returns All NaN but the count where there is no forecast; `skill` also where all or none came true.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a probability is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 * @throws {UsageError} If an option is not known or out of its range.
 * @see Brier (1950), Verification of forecasts expressed in terms of probability; Murphy (1973), A new vector partition
 * of the probability score; Stephenson, Coelho and Jolliffe (2008), Two extra components in the Brier score decomposition.
 * @example brierScore(forecasts); // { brier: 0.19, reliability: 0.01, resolution: 0.07, uncertainty: 0.25, … }
 */
export function brierScore(frame: Tabular, options: BrierOptions = {}): BrierScore {
  knownOptions('brierScore', options, ['probability', 'outcome', 'bins']);
  const { bins = 10 } = options;
  const forecasts = forecastsOf(frame, options);
  const result = scoreOf(talliesOf(forecasts, codesOf(forecasts.probabilities, bins)));
  return shownResult(result, [
    ['Brier score', shown(result.brier)],
    ['Reliability', shown(result.reliability)],
    ['− Resolution', shown(result.resolution)],
    ['+ Uncertainty', shown(result.uncertainty)],
    ['+ Within bins', shown(result.withinBins)],
    ['Skill over base rate', formatPercent(result.skill)],
    ['Forecasts', `${result.count.toLocaleString('en-US')}, ${formatPercent(result.baseRate)} came true`],
  ]);
}

/** The bins of the forecasts, as numbers from 0. */
function codesOf(probabilities: Float64Array, bins: number | 'distinct'): KeyCodes {
  if (bins === 'distinct') return keyCodes('probability', { kind: 'number', values: probabilities });
  const edges = binEdges(bins);
  const codes = new Int32Array(probabilities.length);
  for (let at = 0; at < codes.length; at += 1) codes[at] = binOf(probabilities[at] as number, edges);
  return { codes, count: bins };
}

/** Sums over all forecasts, and over those of each bin. */
function talliesOf({ probabilities, outcomes }: Forecasts, { codes, count }: KeyCodes) {
  const [counts, sums, hits] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  let errors = 0;
  let spread = 0;
  for (let at = 0; at < codes.length; at += 1) {
    const bin = codes[at] as number;
    const probability = probabilities[at] as number;
    const outcome = outcomes[at] as number;
    counts[bin] = (counts[bin] as number) + 1;
    sums[bin] = (sums[bin] as number) + probability;
    hits[bin] = (hits[bin] as number) + outcome;
    errors += (probability - outcome) * (probability - outcome);
    spread += probability * (probability - 2 * outcome);
  }
  return { counts, sums, hits, errors, spread };
}

function scoreOf({ counts, sums, hits, errors, spread }: ReturnType<typeof talliesOf>): BrierScore {
  const count = sum(counts);
  const baseRate = sum(hits) / count;
  let [reliability, resolution, within] = [0, 0, spread];
  for (let bin = 0; bin < counts.length; bin += 1) {
    const many = counts[bin] as number;
    if (many === 0) continue;
    const [mean, frequency] = [(sums[bin] as number) / many, (hits[bin] as number) / many];
    reliability += many * (mean - frequency) ** 2;
    resolution += many * (frequency - baseRate) ** 2;
    within -= many * mean * (mean - 2 * frequency);
  }
  const [brier, uncertainty] = [errors / count, baseRate * (1 - baseRate)];
  return {
    brier,
    reliability: reliability / count,
    resolution: resolution / count,
    uncertainty,
    withinBins: within / count,
    skill: uncertainty > 0 ? 1 - brier / uncertainty : Number.NaN,
    baseRate,
    count,
  };
}

function shown(score: number): string {
  return Number.isNaN(score) ? '–' : score.toFixed(4);
}
