import type { TopLevelSpec } from 'vega-lite';
import { formatPercent } from '../analysis/format-percent.js';
import { isPeriod } from '../analysis/group-key.js';
import { type WinRateOptions, winRate } from '../analysis/win-rate.js';
import { winRateBy } from '../analysis/win-rate-by.js';
import { recordsOf } from '../frame/records-of.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { Chart } from './chart.js';
import { frameOfChart } from './frame-of-chart.js';
import { LABELS } from './labels.js';
import { COLORS } from './theme.js';

/** What {@link winRateChart} compares, and how it looks. */
export interface WinRateChartOptions extends WinRateOptions {
  /** `day`, `week` or `month` of `date`, in UTC, or the name of a column such as `proxy_wallet`. Default `month`. */
  by?: string;
  /** Default: what is shown. */
  title?: string;
}

/**
 * Win rates with their Wilson intervals, by period along the x axis or by the values of a column along the y axis, with
 * a rule at 50%. Groups in which nothing was decided are left out.
 *
 * @param frame PnL records: needs `wins`, `losses`, and `date` or the column of the groups.
 * @throws {ColumnError} If a column is missing, not numeric, or negative.
 * @throws {UsageError} If the confidence is not between 0 and 1.
 * @example winRateChart(pnl, { by: 'proxy_wallet' });
 */
export function winRateChart(frame: Tabular, options: WinRateChartOptions = {}): Chart {
  const { by = 'month', confidence = 0.95 } = options;
  const { rate, decided } = winRate(frame, { confidence });
  const values = recordsOf(winRateBy(frame, { by, confidence })).filter((row) => Number(row.decided) > 0);
  const { title = `Win rate by ${by === 'proxy_wallet' ? 'wallet' : by}` } = options;
  const subtitle = `${formatPercent(rate)} of ${decided.toLocaleString('en-US')} closing events won; bars: ${formatPercent(confidence, 0)} interval`;
  const about = { title, subtitle, description: `${title}: ${subtitle}` };
  return isPeriod(by) ? overTime(values, by, about) : acrossGroups(values, by, about);
}

type Values = readonly Record<string, Cell>[];
type About = Readonly<Record<'title' | 'subtitle' | 'description', string>>;

const RATE = {
  field: 'rate',
  type: 'quantitative',
  scale: { domain: [0, 1] as number[] },
  axis: { title: 'Win rate (% of closing events)', format: LABELS.percent, tickCount: 5 },
} as const;

const HALF = {
  data: { values: [{ half: 0.5 }] },
  mark: { type: 'rule', color: COLORS.quiet, strokeDash: [4, 3] as number[] },
} as const;
const INTERVAL = { type: 'rule', color: COLORS.main, strokeWidth: 2, opacity: 0.55 } as const;
const POINT = { type: 'point', filled: true, color: COLORS.main, size: 70, opacity: 1 } as const;

const TIP = [
  { field: 'rate', type: 'quantitative', title: 'Win rate', format: LABELS.percentTip },
  { field: 'low', type: 'quantitative', title: 'From', format: LABELS.percentTip },
  { field: 'high', type: 'quantitative', title: 'To', format: LABELS.percentTip },
  { field: 'wins', type: 'quantitative', title: 'Wins', format: LABELS.count },
  { field: 'losses', type: 'quantitative', title: 'Losses', format: LABELS.count },
] as const;

function overTime(values: Values, period: 'day' | 'week' | 'month', about: About): Chart {
  const timeUnit = period === 'month' ? 'utcyearmonth' : 'utcyearmonthdate';
  const x = {
    field: 'date',
    type: 'temporal',
    scale: { type: 'utc', padding: 24 },
    axis: {
      title: `${TITLES[period]} (UTC)`,
      format: period === 'month' ? '%b %Y' : '%b %-d',
      ...ticksOf(values, period),
    },
  } as const;
  const when = {
    field: 'date',
    type: 'temporal',
    timeUnit,
    title: TITLES[period],
    format: period === 'month' ? '%B %Y' : LABELS.date,
  } as const;
  return new Chart({
    ...frameOfChart({ ...about, width: 640, height: 300 }),
    data: { values: [...values] },
    layer: [
      { ...HALF, encoding: { y: { field: 'half', type: 'quantitative' } } },
      { mark: INTERVAL, encoding: { x, y: { ...RATE, field: 'low' }, y2: { field: 'high' }, tooltip: [when, ...TIP] } },
      { mark: POINT, encoding: { x, y: RATE, tooltip: [when, ...TIP] } },
    ],
  } satisfies TopLevelSpec);
}

const TITLES = { day: 'Day', week: 'Week, from Monday', month: 'Month' } as const;

/** Each period its tick, while there are few: otherwise ticks would stand between points. */
function ticksOf(values: Values, period: string) {
  const step = period === 'month' ? 12 : 10;
  return values.length <= step ? { values: values.map((row) => Date.parse(String(row.date))) } : { tickCount: 8 };
}

function acrossGroups(values: Values, by: string, about: About): Chart {
  const title = by === 'proxy_wallet' ? 'Wallet' : by;
  const y = {
    field: by,
    type: 'nominal',
    sort: null,
    axis: { title: null, labelExpr: LABELS.wallet, grid: true },
  } as const;
  const x = { ...RATE, axis: { ...RATE.axis, grid: false } } as const;
  const tooltip = [{ field: by, type: 'nominal', title } as const, ...TIP];
  return new Chart({
    ...frameOfChart({ ...about, width: 520, height: Math.max(80, values.length * 24) }),
    data: { values: [...values] },
    layer: [
      { ...HALF, encoding: { x: { field: 'half', type: 'quantitative' } } },
      { mark: INTERVAL, encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' }, tooltip } },
      { mark: POINT, encoding: { y, x, tooltip } },
    ],
  } satisfies TopLevelSpec);
}
