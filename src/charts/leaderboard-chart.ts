import { type LeaderboardOptions, leaderboard } from '../analysis/leaderboard.js';
import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Cell } from '../frame/vector/vector.js';
import { LABELS, namesEncoding, rateRoom, WIN_RATE } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { checkedTop } from './design/chart-spec.js';
import { columnHeading, groupName } from './design/chart-text.js';
import { INTERVAL, POINT } from './design/marks.js';
import { sideColumns } from './design/side-columns.js';
import { COLORS } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link leaderboardChart}: those of `leaderboard`, and how many places are shown. */
export interface LeaderboardChartOptions extends Omit<LeaderboardOptions<string>, 'by'>, ChartOptions {
  /** The column that identifies who is ranked, or `day`, `week` or `month` of `date`. Default `proxy_wallet`. */
  by?: string;
  /** Number of places shown, from 1 to 100. Default 20. */
  top?: number;
}

/**
 * The leaderboard: wallets ranked by the lower end of the interval of their shrunken win rate. The dot is the shrunken
 * rate, the line its interval with a stroke at the low end, and the cross the rate as counted, which flatters small
 * samples.
 *
 * @param frame PnL records: needs `wins`, `losses`, `pnl`, `invested`, and `proxy_wallet` or the column of `by`.
 * @returns The chart; if nothing was decided, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, `wins`, `losses` or `invested` is negative, a
 * date cannot be read, or the records are coarser than the period.
 * @throws {UsageError} If an option is unknown or out of range.
 * @example leaderboardChart(pnl, { top: 10 });
 */
export function leaderboardChart(frame: Tabular, options: LeaderboardChartOptions = {}): Chart {
  knownOptions('leaderboardChart', options, ['by', 'prior', 'confidence', 'top', ...CHART_OPTIONS]);
  const {
    top: asked,
    title = 'Leaderboard by win rate',
    subtitle: _,
    color: __,
    width: ___,
    height: ____,
    ...measured
  } = options;
  const top = checkedTop(asked, 20);
  const { by = 'proxy_wallet', confidence = 0.95 } = measured;
  const all = recordsOf(leaderboard<string>(frame, measured)) as Place[];
  const values = all
    .filter(({ decided }) => decided > 0)
    .slice(0, top)
    .map((row) => placeOf(row, by));
  if (values.length === 0) return emptyChart(title, 'There is no closing event that was won or lost.', frame, options);
  const ranked = counted(all.length, by === 'proxy_wallet' ? 'wallet' : 'group');
  const part = values.length < all.length ? `The first ${values.length} of ${ranked}` : ranked;
  const subtitle = [
    `${part}, ranked by the low end of the line, the upright stroke`,
    `Dot and line: win rate drawn towards that of all, ${formatPercent(confidence, 0)} interval; cross: as counted`,
    values.some(({ small }) => small) ? 'Hollow dot: too few closing events to tell skill from luck' : '',
  ];
  const y = namesEncoding('group', values, true);
  const tooltip = [{ field: 'group', type: 'nominal', title: columnHeading(by) }, ...TIP] as const;
  return chartOf({ of: frame, title, subtitle, width: 440, height: Math.max(60, values.length * 24) }, options, {
    data: { values },
    layer: [
      { mark: INTERVAL, encoding: { y, x: { ...RATE, field: 'low' }, x2: { field: 'high' } } },
      { mark: LOW_END, encoding: { y, x: { ...RATE, field: 'low' } } },
      {
        mark: CROSS,
        encoding: { y, x: { ...RATE, field: 'win_rate' }, tooltip },
      },
      {
        mark: { ...POINT, stroke: COLORS.main, strokeWidth: 1.5 },
        encoding: { y, x: RATE, fillOpacity: HOLLOW, tooltip },
      },
      ...sideColumns(y, COLUMNS),
      rateRoom(
        'x',
        values.flatMap(({ low, high, win_rate }) => [low, high, win_rate]),
      ),
    ],
  });
}

type Numbers = 'rank' | 'decided' | 'win_rate' | 'shrunken_rate' | 'low' | 'high' | 'pnl' | 'roi';
type Place = Record<string, Cell> & Record<Numbers, number>;

const RATE = { ...WIN_RATE, field: 'shrunken_rate', axis: { ...WIN_RATE.axis, tickCount: 6, grid: true } } as const;

/** Two thin strokes, which do not cover the dot. */
const CROSS = {
  type: 'point',
  shape: 'M-1,-1L1,1M-1,1L1,-1',
  size: 40,
  filled: false,
  opacity: 1,
  stroke: COLORS.loss,
  strokeWidth: 1.75,
  aria: false,
} as const;

/** The end of the interval that ranks. */
const LOW_END = {
  type: 'point',
  shape: 'M0,-1L0,1',
  size: 110,
  filled: false,
  opacity: 1,
  stroke: COLORS.main,
  strokeWidth: 3,
  aria: false,
  tooltip: null,
} as const;

const COLUMNS = [
  { field: 'events', head: 'Events', end: 56 },
  { field: 'dollars', head: 'PnL', end: 136 },
] as const;

const HOLLOW = { condition: { test: 'datum.small', value: 0.1 }, value: 1 } as const;

const TIP = [
  { field: 'rank', type: 'quantitative', title: 'Rank', format: LABELS.count },
  { field: 'shrunken_rate', type: 'quantitative', title: 'Shrunken win rate', format: LABELS.percentTip },
  { field: 'low', type: 'quantitative', title: 'From', format: LABELS.percentTip },
  { field: 'high', type: 'quantitative', title: 'To', format: LABELS.percentTip },
  { field: 'win_rate', type: 'quantitative', title: 'Win rate as counted', format: LABELS.percentTip },
  { field: 'decided', type: 'quantitative', title: 'Closing events', format: LABELS.count },
  { field: 'pnl', type: 'quantitative', title: 'PnL', format: LABELS.usdTip },
] as const;

function placeOf(row: Place, by: string) {
  const { rank, decided, win_rate, shrunken_rate, low, high, pnl } = row;
  const group = groupName(row[by] ?? row.date);
  const texts = { events: decided.toLocaleString('en-US'), dollars: formatUsd(pnl) };
  return { rank, group, decided, win_rate, shrunken_rate, low, high, pnl, small: row.small_sample === true, ...texts };
}
