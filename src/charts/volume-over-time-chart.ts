import type { Period } from '../analysis/records/record-granularity.js';
import { formatUsd } from '../analysis/shown-result.js';
import { sum } from '../analysis/statistics/sums.js';
import { volume } from '../analysis/volume.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { LABELS } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { columnHeading } from './design/chart-text.js';
import { fittedPeriod, periodAxis, periodBar, periodRoom } from './design/period-bars.js';
import { COLORS } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link volumeOverTimeChart}. */
export interface VolumeOverTimeChartOptions extends ChartOptions {
  /**
   * The period of a bar: `day`, `week` (from Monday) or `month`, in UTC. Default: the finest that is comfortable to
   * read.
   */
  by?: Period;
  /** The date of a market on which its dollars count. Default `close_date`. */
  date?: string;
}

/**
 * Dollars traded by markets over time: all dollars of a market count in the period in which it closed, as its record
 * does not say when they were traded. Markets without the date are left out, as the subtitle says. If there are too
 * many periods to draw, a coarser one is used.
 *
 * @param frame Market records: needs `volume_total` and the date.
 * @returns The chart; if no market has the date, an empty one that says so.
 * @throws {ColumnError} If a column is missing, `volume_total` is not numeric, negative or infinite, or a date cannot
 * be read.
 * @throws {UsageError} If an option is unknown, or `by` is another period.
 * @example volumeOverTimeChart(await lab.markets({ closed: true }).frame(), { by: 'month' });
 */
export function volumeOverTimeChart(frame: Tabular, options: VolumeOverTimeChartOptions = {}): Chart {
  knownOptions('volumeOverTimeChart', options, ['by', 'date', ...CHART_OPTIONS]);
  const { date = 'close_date' } = options;
  let undated = { markets: 0, dollars: 0 };
  const { period, rows, all, note } = fittedPeriod(options.by, (by) => {
    const found = recordsOf(volume(frame, { by, date }));
    const without = found.find((row) => row.date === null);
    undated = { markets: without?.markets ?? 0, dollars: without?.volume_total ?? 0 };
    return found.filter((row) => row.date !== null);
  });
  const { title = `Volume by ${period} of ${date.replaceAll('_', ' ')}` } = options;
  if (rows.length === 0) return emptyChart(title, `There is no market with a ${date} to show.`, frame, options);
  const values = rows.map((row) => ({
    ...periodBar(String(row.date), period),
    volume_total: row.volume_total,
    markets: row.markets,
  }));
  const subtitle = [
    `${formatUsd(sum(all.map((row) => row.volume_total)))} in ${counted(sum(all.map((row) => row.markets)), 'market')}`,
    undated.markets === 0
      ? ''
      : `Left out: ${counted(undated.markets, 'market')} without the date, ${formatUsd(undated.dollars)}`,
    note,
  ];
  const axis = periodAxis(values, period);
  const x = { field: 'from', type: 'temporal', scale: { type: 'utc' }, axis } as const;
  return chartOf({ of: frame, title, subtitle, width: 640, height: 280 }, options, {
    data: { values },
    layer: [
      {
        mark: { type: 'rect', color: COLORS.main },
        encoding: {
          x,
          x2: { field: 'to' },
          y: DOLLARS,
          y2: { datum: 0 },
          tooltip: [{ field: 'when', type: 'nominal', title: columnHeading(period) }, ...TIP],
        },
      },
      ...periodRoom(values),
    ],
  });
}

const DOLLARS = {
  field: 'volume_total',
  type: 'quantitative',
  axis: { title: 'Volume (USD)', labelExpr: LABELS.usd, tickCount: 5 },
} as const;

const TIP = [
  { field: 'volume_total', type: 'quantitative', title: 'Volume', format: LABELS.usdTip },
  { field: 'markets', type: 'quantitative', title: 'Markets', format: LABELS.count },
] as const;
