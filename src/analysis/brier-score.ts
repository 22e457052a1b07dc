import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { type KeyCodes, keyCodes } from '../frame/verbs/row-groups.js';
import { type ByOption, type GroupRecord, measureGroups, type Ungrouped } from './records/by-group.js';
import {
  binEdges,
  binOf,
  type ForecastOptions,
  type Forecasts,
  forecastsOf,
  PROBABILITY_ROUNDING,
} from './records/forecasts.js';
import type { Keys } from './records/grouped-rows.js';
import { formatPercent, shownResult } from './shown-result.js';
import { sum } from './statistics/sums.js';

/** Options of {@link brierScore}: where the forecasts are, and the bins of its decomposition. */
export interface BrierOptions extends ForecastOptions {
  /**
   * The number of bins of equal width into which [0, 1] is divided, from 1 to 1,000, or `distinct` for one bin for each
   * distinct probability, up to rounding of 1e-12. Default 10. The score itself does not depend on it.
   */
  readonly bins?: number | 'distinct';
}

/** A Brier score and its parts: brier = reliability − resolution + uncertainty + withinBins. */
export interface BrierScore {
  /** Mean squared error of the probabilities, in [0, 1]: 0 is perfect; a constant forecast of 50% scores 0.25. */
  readonly brier: number;
  /** How far the frequencies of the bins lie from their mean probabilities: 0 is perfectly calibrated. */
  readonly reliability: number;
  /** How far the frequencies of the bins lie from the base rate: the more, the better. */
  readonly resolution: number;
  /** Variance of the outcomes: the score of always forecasting the base rate. */
  readonly uncertainty: number;
  /** Variance of the probabilities within the bins, less twice their covariance with the outcomes. */
  readonly withinBins: number;
  /** 1 − brier / uncertainty: 1 is perfect, 0 no better than always forecasting the base rate, negative worse. */
  readonly skill: number;
  /** Share of the forecasts that came true. */
  readonly baseRate: number;
  readonly count: number;
}

const FIGURE = { dtype: 'float64', nullable: true } as const;

const COLUMNS: readonly Column[] = [
  { name: 'brier', ...FIGURE, meaning: 'Mean squared error of the probabilities, in [0, 1].' },
  { name: 'reliability', ...FIGURE, meaning: 'How far frequencies lie from mean probabilities: 0 is calibrated.' },
  { name: 'resolution', ...FIGURE, meaning: 'How far frequencies lie from the base rate: the more, the better.' },
  { name: 'uncertainty', ...FIGURE, meaning: 'Variance of the outcomes.' },
  { name: 'within_bins', ...FIGURE, meaning: 'Variance within the bins, less twice the covariance with outcomes.' },
  { name: 'skill', ...FIGURE, meaning: '1 − brier / uncertainty.' },
  { name: 'base_rate', ...FIGURE, fraction: true, meaning: 'Share of the forecasts that came true.' },
  { name: 'count', dtype: 'int32', unit: 'forecasts', nullable: false, meaning: 'Forecasts of the group.' },
];

/**
 * Brier score of probabilities, with Murphy's decomposition, which separates calibration (reliability) from the ability
 * to tell likely cases from unlikely ones (resolution).
 *
 * With probabilities f and outcomes o of N forecasts, mean outcome ō, and for bin k its count n(k) and means f̄(k) and
 * ō(k): brier = Σ (f − o)² / N; reliability = Σ n(k)·(f̄(k) − ō(k))² / N; resolution = Σ n(k)·(ō(k) − ō)² / N;
 * uncertainty = ō·(1 − ō); withinBins = (ΣΣ (f − f̄(k))² − 2·ΣΣ (f − f̄(k))·(o − ō(k))) / N.
 *
 * The four parts add up to the score with any bins. Murphy's three alone do so where all forecasts of a bin are the
 * same, as with `bins: 'distinct'`, for which withinBins is 0. That suits prices in whole cents; where hardly two
 * forecasts are alike, it mistakes noise for resolution.
 *
 * @param frame Any frame with a probability in [0, 1] and an outcome: 1 or true, 0 or false. Rows that lack one of the
 * two are left out.
 * @param options.probability Column of the probability. Default `probability`.
 * @param options.outcome Column of the outcome. Default `outcome`.
 * @param options.bins Number of bins of equal width, from 1 to 1,000, or `distinct`. Default 10.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns The score and its parts; without any forecast all are NaN but the count, 0. `skill` is also NaN where all
 * forecasts came true, or none.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a probability is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 * @throws {UsageError} If an option is unknown or out of range.
 * @see Brier (1950), Verification of forecasts expressed in terms of probability; Murphy (1973), A new vector partition
 * of the probability score; Stephenson, Coelho and Jolliffe (2008), Two extra components in the Brier score
 * decomposition.
 * @example brierScore(forecasts); // { brier: 0.19, reliability: 0.01, resolution: 0.07, uncertainty: 0.25, … }
 */
export function brierScore(frame: Tabular, options?: BrierOptions & Ungrouped): BrierScore;
export function brierScore<const By extends string>(
  frame: Tabular,
  options: BrierOptions & ByOption<By>,
): DataFrame<GroupRecord<By, BrierScore>>;
export function brierScore(frame: Tabular, options: BrierOptions & { by?: Keys | undefined } = {}): object {
  knownOptions('brierScore', options, ['probability', 'outcome', 'bins', 'by']);
  const { by, ...rest } = options;
  if (by !== undefined) return measureGroups('brierScore', frame, by, COLUMNS, (rows) => brierScore(rows, rest));
  const { bins = 10 } = options;
  const forecasts = forecastsOf(frame, options);
  const result = scoreOf(talliesOf(forecasts, codesOf(forecasts.probabilities, bins)));
  return shownResult(result, frame, [
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
  if (bins === 'distinct') {
    const values = probabilities.map((probability) => Math.round(probability / PROBABILITY_ROUNDING));
    return keyCodes('probability', { kind: 'number', values });
  }
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
