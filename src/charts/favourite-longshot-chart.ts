import { CALIBRATION_OPTIONS, type CalibrationOptions } from '../analysis/calibration.js';
import { favouriteLongshotBias, type LongshotRecord } from '../analysis/favourite-longshot-bias.js';
import { formatPercent } from '../analysis/shown-result.js';
import { wilsonInterval } from '../analysis/statistics/wilson-interval.js';
import { greatestOf } from '../base/many.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { LABELS, roomTo, shareEncoding, ZERO_LINE } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { INTERVAL, POINT, TEXT } from './design/marks.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link favouriteLongshotChart}: those of `favouriteLongshotBias`, and how the chart looks. */
export interface FavouriteLongshotChartOptions extends CalibrationOptions, ChartOptions {}

/** The most bands whose counts have room above the plot. */
const LABELED_BANDS = 12;

/** The least return at which a line is cut, so that those of longshots do not make all others flat. */
const LEAST_CUT = 0.5;

/**
 * Whether longshots cost too much and favourites too little: the return, before fees, of buying one share of every
 * outcome in each band of prices, with its interval. With the bias, returns are below zero at low prices and rise to
 * the right.
 *
 * @param frame Any frame with a price in [0, 1] and an outcome: 1 or true if it paid, 0 or false if not.
 * @returns The chart; without any price that has an outcome, an empty one that says so.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a price is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 * @throws {UsageError} If an option is unknown, of a wrong type or out of range.
 * @see Snowberg and Wolfers (2010), Explaining the favorite–long shot bias: is it risk-love or misperceptions?
 * @example favouriteLongshotChart(forecasts, { probability: 'price', outcome: 'won' });
 */
export function favouriteLongshotChart(frame: Tabular, options: FavouriteLongshotChartOptions = {}): Chart {
  knownOptions('favouriteLongshotChart', options, [...CALIBRATION_OPTIONS, ...CHART_OPTIONS]);
  const { title = 'Favourites and longshots: return by price', subtitle: _, color: __, width: ___, ...rest } = options;
  const { height: ____, ...asked } = rest;
  const bands = recordsOf(favouriteLongshotBias(frame, asked)).filter(({ roi }) => Number.isFinite(roi));
  if (bands.length === 0) return emptyChart(title, 'There is no price with an outcome.', frame, options);
  const cut = Math.max(LEAST_CUT, 1.6 * greatestOf(bands.map(({ roi }) => Math.abs(roi))));
  const values = bands.map((band) => ({
    ...band,
    middle: (band.low + band.high) / 2,
    from: Math.max(band.roi_low, -cut),
    to: Math.min(band.roi_high, cut),
    text: band.count.toLocaleString('en-US'),
    band: `${cents(band.low)} to ${cents(band.high)}`,
  }));
  const { confidence = 0.95 } = asked;
  const isCut = bands.some(({ roi_low, roi_high }) => roi_low < -cut || roi_high > cut);
  const bought = bands.reduce((total, { count }) => total + count, 0);
  const lines = [
    said(bands, [0, 0.5], 'Longshots (below 50¢)', confidence),
    said(bands, [0.5, 1], 'Favourites', confidence),
    `${counted(bought, 'price')}; lines: ${formatPercent(confidence, 0)} intervals${isCut ? `, cut at ±${formatPercent(cut, 0)}` : ''}${bands.length > LABELED_BANDS ? '' : '; above: prices in the band'}`,
  ];
  const counts = {
    mark: { type: 'text', opacity: 0.8, baseline: 'bottom', aria: false },
    encoding: { x: { ...PRICE, field: 'middle' }, y: { value: -3 }, text: TEXT },
  };
  return chartOf({ of: frame, title, subtitle: lines, width: 520, height: 300 }, options, {
    data: { values },
    layer: [
      ZERO_LINE,
      { mark: INTERVAL, encoding: { x: PRICE, y: { ...RETURN, field: 'from' }, y2: { field: 'to' } } },
      { mark: POINT, encoding: { x: PRICE, y: RETURN, tooltip: [...TIP] } },
      ...(bands.length > LABELED_BANDS ? [] : [counts]),
      roomTo('y', 'quantitative', 'roi', [-0.1, 0.1]),
    ],
  });
}

/** The pooled return of the bands from one price to another, with its interval by Wilson's, in words. */
function said(
  bands: readonly LongshotRecord[],
  [from, to]: readonly [number, number],
  name: string,
  confidence: number,
): string {
  const own = bands.filter(({ mean_price }) => mean_price >= from && (mean_price < to || to === 1));
  const sum = (of: (band: LongshotRecord) => number) => own.reduce((total, band) => total + band.count * of(band), 0);
  const [count, paid, won] = [sum(() => 1), sum((band) => band.mean_price), sum((band) => band.frequency)];
  if (!(paid > 0)) return `${name}: none`;
  const { low, high } = wilsonInterval(Math.round(won), count, confidence);
  const [least, most] = [low, high].map((share) => (share * count) / paid - 1) as [number, number];
  const told = least > 0 ? 'above 0' : most < 0 ? 'below 0' : 'not told from 0';
  return `${name} returned ${formatPercent(won / paid - 1)} (${formatPercent(confidence, 0)} interval ${formatPercent(least)} to ${formatPercent(most)}): ${told}`;
}

function cents(price: number): string {
  return `${Number((100 * price).toFixed(1))}¢`;
}

const PRICE = shareEncoding('mean_price', 'Price, as a probability');

const RETURN = {
  field: 'roi',
  type: 'quantitative',
  axis: { title: 'Return of buying', format: LABELS.percent, tickCount: 6, grid: true },
} as const;

const TIP = [
  { field: 'band', type: 'nominal', title: 'Prices' },
  { field: 'roi', type: 'quantitative', title: 'Return', format: LABELS.percentTip },
  { field: 'roi_low', type: 'quantitative', title: 'From', format: LABELS.percentTip },
  { field: 'roi_high', type: 'quantitative', title: 'To', format: LABELS.percentTip },
  { field: 'frequency', type: 'quantitative', title: 'Paid', format: LABELS.percentTip },
  { field: 'count', type: 'quantitative', title: 'Prices', format: LABELS.count },
] as const;
