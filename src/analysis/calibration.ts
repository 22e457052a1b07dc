import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Vector } from '../frame/vector/vector.js';
import { tablesOfGroups } from './records/by-group.js';
import { binForecasts, type ForecastOptions, forecastsOf } from './records/forecasts.js';
import type { KeyCells, Keys } from './records/grouped-rows.js';
import { refuseConfidence, wilsonInterval } from './statistics/wilson-interval.js';

/** A row of {@link calibration}: a bin of forecasts and how often they came true. All but `count` are in [0, 1]. */
export interface CalibrationRecord {
  low: number;
  high: number;
  count: number;
  mean_probability: number;
  frequency: number;
  freq_low: number;
  freq_high: number;
}

/** Options of {@link calibration} and {@link favouriteLongshotBias}: columns, bins and confidence. */
export interface CalibrationOptions extends ForecastOptions {
  /** The number of bins of equal width into which [0, 1] is divided, from 1 to 1,000. Default 10. */
  readonly bins?: number;
  /** Confidence of the Wilson intervals, in (0, 1). Default 0.95. */
  readonly confidence?: number;
}

/** The options of a measure that bins forecasts. */
export const CALIBRATION_OPTIONS = ['probability', 'outcome', 'bins', 'confidence'] as const;

/** The columns that describe a bin in a result. */
export const BIN_COLUMNS = [
  {
    name: 'low',
    dtype: 'float64',
    fraction: true,
    nullable: false,
    meaning: 'Least probability of the bin, itself in it.',
  },
  {
    name: 'high',
    dtype: 'float64',
    fraction: true,
    nullable: false,
    meaning: 'Where the next bin begins; the last one has 1 in it.',
  },
  { name: 'count', dtype: 'int32', unit: 'forecasts', nullable: false, meaning: 'Forecasts of the bin.' },
] as const satisfies readonly Column[];

const COLUMNS = [
  ...BIN_COLUMNS,
  {
    name: 'mean_probability',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Mean of their probabilities.',
  },
  {
    name: 'frequency',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'How many of them came true, in [0, 1].',
  },
  {
    name: 'freq_low',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: "Lower end of the frequency's Wilson interval.",
  },
  {
    name: 'freq_high',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: "Upper end of the frequency's Wilson interval.",
  },
] as const satisfies readonly Column[];

/**
 * Whether probabilities are right on average: do 70% of the forecasts near 70% come true?
 *
 * For the n forecasts of each bin: mean_probability = Σ probability / n; frequency = Σ outcome / n, with its Wilson
 * interval. Where the interval contains the mean probability, the data agree with a calibrated bin.
 *
 * @param frame Any frame with a probability in [0, 1] and an outcome: 1 or true if it came true, 0 or false if not.
 * Rows that lack one of the two, such as markets without a winner, are left out.
 * @param options.probability Column of the probability. Default `probability`.
 * @param options.outcome Column of the outcome. Default `outcome`.
 * @param options.bins Number of bins of equal width, from 1 to 1,000. Default 10. A probability on an edge, up
 * to rounding of 1e-12, is in the upper bin: 1 − 0.8 is in that of 0.2.
 * @param options.confidence Confidence of the Wilson intervals, in (0, 1). Default 0.95.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * the rows of each group, its keys first. Default: all rows together.
 * @returns A row for each bin, in order. A bin without forecasts has a count of 0 and NaN in the columns that are
 * measured.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a probability is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 * @throws {UsageError} If an option is unknown or out of range.
 * @see Murphy and Winkler (1977), Reliability of subjective probability forecasts of precipitation and temperature.
 * @example calibration(forecasts, { probability: 'price', outcome: 'won' });
 */
export function calibration<const By extends string = never>(
  frame: Tabular,
  options: CalibrationOptions & { by?: Keys<By> } = {},
): DataFrame<KeyCells<By> & CalibrationRecord> {
  knownOptions('calibration', options, [...CALIBRATION_OPTIONS, 'by']);
  const { by, ...rest } = options;
  const tableOf = (rows: Tabular) => binVectors(rows, rest);
  if (by !== undefined) return tablesOfGroups('calibration', frame, by, COLUMNS, tableOf);
  return frameFromVectors<KeyCells<By> & CalibrationRecord>(COLUMNS, tableOf(frame));
}

function binVectors(frame: Tabular, options: CalibrationOptions): Vector[] {
  const { bins = 10, confidence = 0.95 } = options;
  refuseConfidence(confidence);
  const { edges, counts, forecasts, hits } = binForecasts(forecastsOf(frame, options), bins);
  const intervals = Array.from(counts, (count, bin) => wilsonInterval(hits[bin] as number, count, confidence));
  const columns = [
    edges.slice(0, -1),
    edges.slice(1),
    counts,
    forecasts.map((total, bin) => total / (counts[bin] as number)),
    hits.map((total, bin) => total / (counts[bin] as number)),
    Float64Array.from(intervals, ({ low }) => low),
    Float64Array.from(intervals, ({ high }) => high),
  ];
  return columns.map((values) => ({ kind: 'number', values }));
}
