import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Vector } from '../frame/vector/vector.js';
import { BIN_COLUMNS, CALIBRATION_OPTIONS, type CalibrationOptions } from './calibration.js';
import { tablesOfGroups } from './records/by-group.js';
import { binForecasts, forecastsOf } from './records/forecasts.js';
import type { KeyCells, Keys } from './records/grouped-rows.js';
import { refuseConfidence, wilsonInterval } from './statistics/wilson-interval.js';

/** A row of {@link favouriteLongshotBias}: a band of prices and the return of buying in it. */
export interface LongshotRecord {
  low: number;
  high: number;
  count: number;
  mean_price: number;
  frequency: number;
  roi: number;
  roi_low: number;
  roi_high: number;
}

const COLUMNS = [
  ...BIN_COLUMNS,
  { name: 'mean_price', dtype: 'float64', fraction: true, nullable: true, meaning: 'Mean of their prices, in [0, 1].' },
  {
    name: 'frequency',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'How many of them paid 1, in [0, 1].',
  },
  {
    name: 'roi',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Return of buying a share of each: 0.1 is 10%.',
  },
  {
    name: 'roi_low',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: "The return at the frequency's lower Wilson bound.",
  },
  {
    name: 'roi_high',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: "The return at the frequency's upper Wilson bound.",
  },
] as const satisfies readonly Column[];

/**
 * Whether longshots cost too much and favourites too little: the return, before fees, of buying one share of every
 * outcome in each band of prices. If there is a bias, returns are negative at low prices and rise with the price.
 *
 * For the n prices of each band: mean_price = Σ price / n; frequency = Σ outcome / n; roi = Σ outcome / Σ price − 1 =
 * frequency / mean_price − 1. For roi_low and roi_high, the ends of the frequency's Wilson interval take the place of
 * the frequency.
 *
 * @param frame Any frame with a price in [0, 1] and an outcome: 1 or true if it paid, 0 or false if not. Give one side
 * of each market, or both; rows that lack price or outcome are left out.
 * @param options.probability Column of the price. Default `probability`.
 * @param options.outcome Column of the outcome. Default `outcome`.
 * @param options.bins Number of bands of equal width, from 1 to 1,000. Default 10. A price on an edge, up to
 * rounding of 1e-12, is in the upper band: 1 − 0.8 is in that of 0.2.
 * @param options.confidence Confidence of the Wilson intervals, in (0, 1). Default 0.95.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * the rows of each group, its keys first. Default: all rows together.
 * @returns A row for each band, in order; returns are fractions. A band without prices has a count of 0 and NaN in the
 * columns that are measured. Returns are NaN where all prices are 0.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a price is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 * @throws {UsageError} If an option is unknown or out of range.
 * @see Snowberg and Wolfers (2010), Explaining the favorite–long shot bias: is it risk-love or misperceptions?
 * @example favouriteLongshotBias(forecasts, { probability: 'price' }).head(1); // the longshots
 */
export function favouriteLongshotBias<const By extends string = never>(
  frame: Tabular,
  options: CalibrationOptions & { by?: Keys<By> } = {},
): DataFrame<KeyCells<By> & LongshotRecord> {
  knownOptions('favouriteLongshotBias', options, [...CALIBRATION_OPTIONS, 'by']);
  const { by, ...rest } = options;
  const tableOf = (rows: Tabular) => biasVectors(rows, rest);
  if (by !== undefined) return tablesOfGroups('favouriteLongshotBias', frame, by, COLUMNS, tableOf);
  return frameFromVectors<KeyCells<By> & LongshotRecord>(COLUMNS, tableOf(frame));
}

function biasVectors(frame: Tabular, options: CalibrationOptions): Vector[] {
  const { bins = 10, confidence = 0.95 } = options;
  refuseConfidence(confidence);
  const { edges, counts, forecasts, hits } = binForecasts(forecastsOf(frame, options), bins);
  const prices = forecasts.map((total, bin) => total / (counts[bin] as number));
  const frequencies = hits.map((total, bin) => total / (counts[bin] as number));
  const intervals = Array.from(counts, (count, bin) => wilsonInterval(hits[bin] as number, count, confidence));
  const roiOf = (frequency: number, bin: number) => {
    const price = prices[bin] as number;
    return price > 0 ? frequency / price - 1 : Number.NaN;
  };
  const columns = [
    edges.slice(0, -1),
    edges.slice(1),
    counts,
    prices,
    frequencies,
    frequencies.map(roiOf),
    Float64Array.from(intervals, ({ low }, bin) => roiOf(low, bin)),
    Float64Array.from(intervals, ({ high }, bin) => roiOf(high, bin)),
  ];
  return columns.map((values) => ({ kind: 'number', values }));
}
