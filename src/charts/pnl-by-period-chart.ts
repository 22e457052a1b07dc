import { pnlCurve } from '../analysis/records/pnl-curve.js';
import { GRANULARITY_OF, type Period, refuseCoarser } from '../analysis/records/record-granularity.js';
import { formatUsd } from '../analysis/shown-result.js';
import { sum } from '../analysis/statistics/sums.js';
import { itemAt } from '../base/item-at.js';
import { greatestOf, leastOf } from '../base/many.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { DAY_SECONDS, isoOfSeconds } from '../contract/time.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { barRoom, LABELS, ZERO_LINE } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { shareOfPoints } from './design/chart-spec.js';
import { columnHeading } from './design/chart-text.js';
import { GAIN_OR_LOSS, GAIN_OR_LOSS_KEY, wordsAtEnds } from './design/marks.js';
import {
  finestPeriod,
  fittedPeriod,
  type PeriodBar,
  periodAxis,
  periodBar,
  periodRoom,
  pnlByPeriod,
} from './design/period-bars.js';
import { FONT_SIZES } from './design/theme.js';
import { textWidth } from './design/title-text.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link pnlByPeriodChart}. */
export interface PnlByPeriodChartOptions extends ChartOptions {
  /**
   * The period of a bar: `day`, `week` (from Monday) or `month`, in UTC. Default: the finest that is comfortable to
   * read, and no finer than the records.
   */
  by?: Period;
}

/**
 * Realized PnL by day, week or month: gains are filled and above the zero line, losses are hollow and below it. Several
 * wallets are pooled. If there are too many periods to draw, a coarser one is used, as the subtitle says.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`.
 * @returns The chart; if no row has a `pnl`, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than the period.
 * @throws {UsageError} If an option is unknown, or `by` is another period.
 * @example pnlByPeriodChart(pnl, { by: 'week' });
 */
export function pnlByPeriodChart(frame: Tabular, options: PnlByPeriodChartOptions = {}): Chart {
  knownOptions('pnlByPeriodChart', options, ['by', ...CHART_OPTIONS]);
  const curve = pnlCurve(frame);
  const rowsOf = (by: Period) => {
    refuseCoarser(frame, GRANULARITY_OF[by]);
    return Array.from(pnlByPeriod(curve, by), ([day, pnl]) => ({ date: isoOfSeconds(day * DAY_SECONDS), pnl }));
  };
  const { period, rows, all, note } = fittedPeriod(options.by, rowsOf, finestPeriod(frame, curve.times));
  const { title = `Realized PnL by ${period}` } = options;
  if (rows.length === 0) return emptyChart(title, 'There is no row with a PnL to show.', frame, options);
  const values = rows.map(({ date, pnl }) => ({ ...periodBar(date, period), pnl, text: formatUsd(pnl) }));
  const gains = all.filter(({ pnl }) => pnl > 0).length;
  const finding = `${counted(gains, period)} of ${all.length} with a gain; ${formatUsd(sum(all.map(({ pnl }) => pnl)))} in all`;
  const axis = periodAxis(values, period);
  const x = { field: 'from', type: 'temporal', scale: { type: 'utc' }, axis } as const;
  const strokeWidth = values.length > 100 ? 0.8 : 1.25;
  const encoding = { x, x2: { field: 'to' }, y: DOLLARS, y2: ZERO, ...GAIN_OR_LOSS, tooltip: tipOf(period) };
  return chartOf(
    { of: frame, title, subtitle: [finding, GAIN_OR_LOSS_KEY, note], width: WIDTH, height: 300 },
    options,
    {
      data: { values },
      layer: [
        { mark: { type: 'rect', strokeWidth }, encoding },
        ZERO_LINE,
        ...periodRoom(values),
        ...(fits(values) ? amounts(values) : []),
      ],
    },
  );
}

const DOLLARS = {
  field: 'pnl',
  type: 'quantitative',
  scale: { nice: 6 },
  axis: { title: 'Realized PnL (USD)', labelExpr: LABELS.usd, tickCount: 6 },
} as const;

/** Where bars begin. */
const ZERO = { datum: 0 } as const;

/** What a bar says: of which day, week or month it is, and its dollars. */
function tipOf(period: Period) {
  return [
    { field: 'when', type: 'nominal', title: columnHeading(period) },
    { field: 'pnl', type: 'quantitative', title: 'PnL', format: LABELS.usdTip },
  ];
}

/** The most amounts written at their bars. */
const MOST_AMOUNTS = 14;

/** Width between the axes in pixels: of a whole picture, and of a part of one. */
const [WIDTH, NARROW] = [640, 300];

/** Whether there is room for the amounts beside each other. */
function fits(values: readonly (PeriodBar & { text: string })[]): boolean {
  const width = shareOfPoints(WIDTH) < WIDTH ? NARROW : WIDTH;
  const widest = greatestOf(values.map(({ text }) => textWidth(text, FONT_SIZES.label)));
  const gaps = values.slice(1).map(({ at }, before) => at - itemAt(values, before).at);
  const span = (values.at(-1)?.to ?? 0) - (values[0]?.from ?? 0);
  // A few bars do not fill the whole width.
  const step = Math.min(1 / 6, leastOf(gaps) / span);
  return values.length <= MOST_AMOUNTS && widest < width * step;
}

const BESIDE_BARS = { gains: { dy: -8 }, losses: { dy: 9 } } as const;

/** The amounts, above gains and below losses. */
function amounts(values: readonly { pnl: number }[]) {
  const lengths = values.map(({ pnl }) => pnl);
  const encoding = { x: { field: 'at', type: 'temporal' }, y: DOLLARS } as const;
  return [...wordsAtEnds('pnl', lengths, encoding, BESIDE_BARS), barRoom('y', lengths, 0.06)];
}
