import type { TopLevelSpec } from 'vega-lite';
import { type LeaderboardOptions, leaderboard } from '../analysis/leaderboard.js';
import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Cell } from '../frame/vector/vector.js';
import { LABELS, namesEncoding, rateRoom, WIN_RATE } from './design/axes.js';
import { checkedTop, frameOfChart } from './design/chart-spec.js';
import { groupName } from './design/chart-text.js';
import { BESIDE, INTERVAL, POINT, TEXT } from './design/marks.js';
import { COLORS } from './design/theme.js';
import { Chart, emptyChart } from './drawing/chart.js';

/** Options of {@link leaderboardChart}: those of `leaderboard`, and how many places are shown. */
export interface LeaderboardChartOptions extends LeaderboardOptions<string> {
  /** Number of places shown, from 1 to 100. Default 20. */
  top?: number;
  /** The title. Default: one that says what is shown. */
  title?: string;
}

/**
 * The leaderboard: wallets ranked by the lower end of the interval of their shrunken win rate. The dot is the shrunken
 * rate, the line its interval, and the cross the rate as counted, which flatters small samples.
 *
 * @param frame PnL records: needs `wins`, `losses`, `pnl`, `invested`, and `proxy_wallet` or the column of `by`.
 * @returns The chart; if nothing was decided, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, `wins`, `losses` or `invested` is negative, a
 * date cannot be read, or the records are coarser than the period.
 * @throws {UsageError} If an option is unknown or out of range.
 * @example leaderboardChart(pnl, { top: 10 });
 */
export function leaderboardChart(frame: Tabular, options: LeaderboardChartOptions = {}): Chart {
  knownOptions('leaderboardChart', options, ['by', 'prior', 'confidence', 'top', 'title']);
  const { top: asked, title = 'Leaderboard by win rate', ...measured } = options;
  const top = checkedTop(asked, 20);
  const { by = 'proxy_wallet', confidence = 0.95 } = measured;
  const all = recordsOf(leaderboard<string>(frame, measured)) as Place[];
  const values = all
    .filter(({ decided }) => decided > 0)
    .slice(0, top)
    .map((row) => placeOf(row, by));
  if (values.length === 0) return emptyChart(title, 'There is no closing event that was won or lost.', frame);
  const ranked = counted(all.length, by === 'proxy_wallet' ? 'wallet' : 'group');
  const part = values.length < all.length ? `The first ${values.length} of ${ranked}` : ranked;
  const subtitle = [
    `${part}, ranked by the lower end of the line; right: events, PnL`,
    `Dot and line: win rate drawn towards that of all, ${formatPercent(confidence, 0)} interval; cross: as counted`,
    values.some(({ small }) => small) ? 'Hollow dot: too few closing events to tell skill from luck' : '',
  ];
  const y = namesEncoding('group', values, true);
  const tooltip = [...TIP];
  return new Chart({
    ...frameOfChart({ of: frame, title, subtitle, width: 440, height: Math.max(60, values.length * 24) }),
    data: { values },
    layer: [
      { mark: INTERVAL, encoding: { y, x: { ...RATE, field: 'low' }, x2: { field: 'high' } } },
      {
        mark: CROSS,
        encoding: { y, x: { ...RATE, field: 'win_rate' }, tooltip },
      },
      {
        mark: { ...POINT, stroke: COLORS.main, strokeWidth: 1.5 },
        encoding: { y, x: RATE, fillOpacity: HOLLOW, tooltip },
      },
      {
        mark: { ...BESIDE, dx: 10 },
        encoding: { y, x: { value: 'width' }, text: TEXT },
      },
      rateRoom(
        'x',
        values.flatMap(({ low, high, win_rate }) => [low, high, win_rate]),
      ),
    ],
  } satisfies TopLevelSpec);
}

type Numbers = 'rank' | 'decided' | 'win_rate' | 'shrunken_rate' | 'low' | 'high' | 'pnl' | 'roi';
type Place = Record<string, Cell> & Record<Numbers, number>;

const RATE = { ...WIN_RATE, field: 'shrunken_rate', axis: { ...WIN_RATE.axis, tickCount: 6, grid: true } } as const;

const CROSS = {
  type: 'point',
  shape: 'cross',
  size: 45,
  filled: true,
  opacity: 1,
  color: COLORS.loss,
  angle: 45,
  aria: false,
} as const;

const HOLLOW = { condition: { test: 'datum.small', value: 0.1 }, value: 1 } as const;

const TIP = [
  { field: 'group', type: 'nominal', title: 'Of' },
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
  const text = `${decided.toLocaleString('en-US')} · ${formatUsd(pnl)}`;
  return { rank, group, decided, win_rate, shrunken_rate, low, high, pnl, small: row.small_sample === true, text };
}
