import { CALIBRATION_OPTIONS, type CalibrationOptions, calibration } from '../analysis/calibration.js';
import { formatPercent } from '../analysis/shown-result.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { diagonal, LABELS, shareEncoding } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { INTERVAL, POINT, TEXT } from './design/marks.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link calibrationChart}: those of `calibration`, and the title. */
export interface CalibrationChartOptions extends CalibrationOptions, ChartOptions {}

/** The most bins whose counts have room beside their points. */
const LABELED_BINS = 12;

/**
 * Whether probabilities are right on average: for each bin of them, how often they came true, with the Wilson interval
 * and the number of forecasts above the plot (for up to 12 bins), beside the diagonal of perfect calibration.
 *
 * @param frame Any frame with a probability in [0, 1] and an outcome: 1 or true if it came true, 0 or false if not.
 * @returns The chart; without any forecast that has an outcome, an empty one that says so.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a probability is outside [0, 1], or an outcome is
 * neither 0 nor 1.
 * @throws {UsageError} If an option is unknown or out of range.
 * @example calibrationChart(forecasts, { probability: 'price', outcome: 'won' });
 */
export function calibrationChart(frame: Tabular, options: CalibrationChartOptions = {}): Chart {
  knownOptions('calibrationChart', options, [...CALIBRATION_OPTIONS, ...CHART_OPTIONS]);
  const {
    title = 'Calibration: how often forecasts came true',
    subtitle: _,
    color: __,
    width: ___,
    height: ____,
    ...asked
  } = options;
  const bins = recordsOf(calibration(frame, asked)).filter(({ count }) => count > 0);
  if (bins.length === 0) return emptyChart(title, 'There is no forecast with an outcome.', frame, options);
  const values = bins.map((bin) => ({ ...bin, middle: (bin.low + bin.high) / 2, text: countText(bin.count) }));
  const held = bins.filter((bin) => bin.freq_low <= bin.mean_probability && bin.mean_probability <= bin.freq_high);
  const forecasts = bins.reduce((total, { count }) => total + count, 0);
  const expected = Number((bins.length * (asked.confidence ?? 0.95)).toFixed(1));
  const subtitle = [
    `${held.length} of ${counted(bins.length, 'bin')} ${held.length === 1 ? 'holds its' : 'hold their'} probability, where right forecasts give about ${expected}; ${counted(forecasts, 'forecast')}`,
    `Lines: ${formatPercent(asked.confidence ?? 0.95, 0)} intervals; above: forecasts in the bin; dashed: well calibrated`,
  ];
  // Above the plot, where no point can be and bins lie evenly.
  const labels = {
    mark: { type: 'text', opacity: 0.8, baseline: 'bottom', aria: false },
    encoding: { x: { ...FORECAST, field: 'middle' }, y: { value: -3 }, text: TEXT },
  };
  return chartOf({ of: frame, title, subtitle, width: 400, height: 400 }, options, {
    data: { values },
    layer: [
      diagonal(FORECAST, CAME_TRUE),
      { mark: INTERVAL, encoding: { x: FORECAST, y: { ...CAME_TRUE, field: 'freq_low' }, y2: { field: 'freq_high' } } },
      { mark: POINT, encoding: { x: FORECAST, y: CAME_TRUE, tooltip: [...TIP] } },
      ...(bins.length <= LABELED_BINS ? [labels] : []),
    ],
  });
}

/** A count in few letters: `1,234`, `12k`. */
function countText(count: number): string {
  return count < 10_000 ? count.toLocaleString('en-US') : `${Math.round(count / 1000).toLocaleString('en-US')}k`;
}

const FORECAST = shareEncoding('mean_probability', 'Probability forecast');
const CAME_TRUE = shareEncoding('frequency', 'Came true');

const TIP = [
  { field: 'mean_probability', type: 'quantitative', title: 'Forecast, mean', format: LABELS.percentTip },
  { field: 'frequency', type: 'quantitative', title: 'Came true', format: LABELS.percentTip },
  { field: 'freq_low', type: 'quantitative', title: 'From', format: LABELS.percentTip },
  { field: 'freq_high', type: 'quantitative', title: 'To', format: LABELS.percentTip },
  { field: 'count', type: 'quantitative', title: 'Forecasts', format: LABELS.count },
] as const;
