import { isPeriod, type Period } from '../analysis/records/record-granularity.js';
import { formatPercent } from '../analysis/shown-result.js';
import { type WinRateOptions, winRate, winRateBy } from '../analysis/win-rate.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Cell } from '../frame/vector/vector.js';
import { LABELS, namesEncoding, rateRoom, WIN_RATE } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { columnHeading, columnInWords, groupName } from './design/chart-text.js';
import { INTERVAL, POINT, REFERENCE } from './design/marks.js';
import { fittedPeriod, periodAxis, periodBar } from './design/period-bars.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link winRateChart}: what is compared, and the confidence. */
export interface WinRateChartOptions extends WinRateOptions, ChartOptions {
  /** `day`, `week` or `month` of `date`, in UTC, or the name of a column such as `proxy_wallet`. Default `month`. */
  by?: string;
}

/** The most groups drawn. */
const MOST_GROUPS = 30;

/**
 * Win rates with their Wilson intervals, by period along the x axis or by the values of a column along the y axis, with
 * a line at 50%. Groups in which nothing was decided are left out. Of more than 30 groups, those with most decided
 * events are drawn; if there are too many periods to draw, a coarser one is used. The subtitle then says so.
 *
 * @param frame PnL records: needs `wins`, `losses`, and `date` or the column of the groups.
 * @returns The chart; if nothing was decided, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric, negative or infinite, a date cannot be read, or the
 * records are coarser than the period.
 * @throws {UsageError} If an option is unknown, or the confidence is not between 0 and 1.
 * @example winRateChart(pnl, { by: 'proxy_wallet' });
 */
export function winRateChart(frame: Tabular, options: WinRateChartOptions = {}): Chart {
  knownOptions('winRateChart', options, ['by', 'confidence', ...CHART_OPTIONS]);
  const { by = 'month', confidence = 0.95 } = options;
  const decidedBy = (key: string) =>
    (recordsOf(winRateBy(frame, { by: key, confidence })) as Rates[]).filter(({ decided }) => decided > 0);
  const { rate, decided } = winRate(frame, { confidence });
  const { title = `Win rate by ${columnInWords(by)}` } = options;
  const finding =
    `${formatPercent(rate)} of ${counted(decided, 'closing event')} won; ` +
    `lines: ${formatPercent(confidence, 0)} intervals`;
  if (!(decided > 0)) return emptyChart(title, 'There is no closing event that was won or lost.', frame, options);
  if (!isPeriod(by)) return acrossGroups(frame, decidedBy(by), by, title, finding, options);
  const { period, rows, note } = fittedPeriod(by, decidedBy);
  return overTime(frame, rows, period, title, [finding, note], options);
}

type Rates = Record<string, Cell> & Record<'rate' | 'low' | 'high' | 'decided' | 'wins' | 'losses', number>;

const RATE = { ...WIN_RATE, field: 'rate', axis: { ...WIN_RATE.axis, tickCount: 5 } } as const;

/** Keeps room beside the intervals, and even odds in sight. */
function room(axis: 'x' | 'y', rows: readonly { low: number; high: number }[]) {
  return rateRoom(axis, [0.5, ...rows.flatMap(({ low, high }) => [low, high])]);
}

const HALF = { data: { values: [{ half: 0.5 }] }, mark: REFERENCE } as const;

/** What a point says: of which group it is, under the name of what the axis stands for, and its figures. */
function tipOf(by: string) {
  return [{ field: 'group', type: 'nominal', title: columnHeading(by) }, ...FIGURES];
}

const FIGURES = [
  { field: 'rate', type: 'quantitative', title: 'Win rate', format: LABELS.percentTip },
  { field: 'low', type: 'quantitative', title: 'From', format: LABELS.percentTip },
  { field: 'high', type: 'quantitative', title: 'To', format: LABELS.percentTip },
  { field: 'wins', type: 'quantitative', title: 'Wins', format: LABELS.count },
  { field: 'losses', type: 'quantitative', title: 'Losses', format: LABELS.count },
] as const;

function overTime(
  frame: Tabular,
  rows: readonly Rates[],
  period: Period,
  title: string,
  subtitle: string[],
  options: ChartOptions,
): Chart {
  const bars = rows.map((row) => periodBar(String(row.date), period));
  const values = rows.map((row, at) => ({ ...drawn(row), at: bars[at]?.at, group: bars[at]?.when }));
  const axis = periodAxis(bars, period);
  const x = { field: 'at', type: 'temporal', scale: { type: 'utc', padding: 24 }, axis } as const;
  const size = rows.length > 100 ? 20 : 70;
  return chartOf({ of: frame, title, subtitle, width: 640, height: 300 }, options, {
    data: { values },
    layer: [
      { ...HALF, encoding: { y: { field: 'half', type: 'quantitative' } } },
      { mark: INTERVAL, encoding: { x, y: { ...RATE, field: 'low' }, y2: { field: 'high' } } },
      { mark: { ...POINT, size }, encoding: { x, y: RATE, tooltip: tipOf(period) } },
      room('y', values),
    ],
  });
}

function acrossGroups(
  frame: Tabular,
  rows: readonly Rates[],
  by: string,
  title: string,
  finding: string,
  options: ChartOptions,
): Chart {
  const most = new Set([...rows].sort((a, b) => b.decided - a.decided).slice(0, MOST_GROUPS));
  const values = rows.filter((row) => most.has(row)).map((row) => ({ ...drawn(row), group: groupName(row[by]) }));
  const note =
    most.size < rows.length
      ? `Drawn: the ${most.size} of ${rows.length.toLocaleString('en-US')} with most closing events`
      : '';
  const y = namesEncoding('group', values, true);
  const x = { ...RATE, axis: { ...RATE.axis, grid: false } } as const;
  return chartOf(
    {
      of: frame,
      title,
      subtitle: [finding, note],
      width: 520,
      height: Math.max(80, values.length * 24),
    },
    options,
    {
      data: { values },
      layer: [
        { ...HALF, encoding: { x: { field: 'half', type: 'quantitative' } } },
        { mark: INTERVAL, encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' } } },
        { mark: POINT, encoding: { y, x, tooltip: tipOf(by) } },
        room('x', values),
      ],
    },
  );
}

function drawn({ rate, low, high, wins, losses }: Rates) {
  return { rate, low, high, wins, losses };
}
