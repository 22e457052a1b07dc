import { momentsOf } from '../analysis/records/moments.js';
import { daysBetween } from '../analysis/time-to-resolution.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { DAY_SECONDS } from '../contract/time.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { quantileOf } from '../frame/verbs/quantile.js';
import { LIFETIME_EDGES as EDGES, LABELS, LIFETIME_AXIS } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { BESIDE, REFERENCE, TEXT } from './design/marks.js';
import { COLORS } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/**
 * How long markets lived, from opening to close: bars on a logarithmic scale of time, with the median as a dashed line.
 *
 * @param frame Market records: needs `start_date` and `close_date`. Markets that are open, lack a date or closed no
 * later than they opened are left out, as the subtitle says.
 * @returns The chart; if no market has a lifetime, an empty one that says so.
 * @throws {ColumnError} If a column is missing, or a date cannot be read.
 * @throws {UsageError} If an option is unknown or of a wrong type.
 * @example marketLifetimesChart(await lab.markets({ closed: true }).frame());
 */
export function marketLifetimesChart(frame: Tabular, options: ChartOptions = {}): Chart {
  knownOptions('marketLifetimesChart', options, [...CHART_OPTIONS]);
  const { title = 'Lifetime of markets' } = options;
  const all = daysBetween(momentsOf(frame, 'start_date'), momentsOf(frame, 'close_date'));
  const days = all.filter((value) => value > 0).sort();
  const at = (share: number) => quantileOf(days, share);
  const early = all.filter((value) => value <= 0).length;
  if (days.length === 0) return emptyChart(title, withoutLives(all.length - early, early), frame, options);
  const subtitle = [
    days.length === 1
      ? `The only closed market took ${span(at(0))}`
      : `Half of ${counted(days.length, 'closed market')} took up to ${span(at(0.5))}; the middle half, ${span(at(0.25))} to ${span(at(0.75))}`,
    leftOut(all.length - days.length - early, early),
  ];
  const values = binsOf(days);
  const domain = [values[0]?.low ?? 0, values.at(-1)?.high ?? 1];
  const axis = {
    ...LIFETIME_AXIS,
    values: EDGES.filter((edge) => edge >= (domain[0] ?? 0) && edge <= (domain[1] ?? 0)),
    labelOverlap: 'greedy',
    labelSeparation: 2,
  };
  const x = { field: 'low', type: 'quantitative', scale: { type: 'log', nice: false }, axis } as const;
  return chartOf({ of: frame, title, subtitle, width: 560, height: 280 }, options, {
    data: { values },
    layer: [
      {
        mark: BAR,
        encoding: { x, x2: { field: 'high' }, y: MARKETS, y2: { datum: 0 }, tooltip: [...TIP] },
      },
      {
        data: { values: [{ median: at(0.5) }] },
        mark: { ...REFERENCE, opacity: 1 },
        encoding: { x: { ...x, field: 'median' } },
      },
      {
        data: { values: [{ median: at(0.5), text: `median ${span(at(0.5))}` }] },
        mark: { ...BESIDE, align: 'center', dx: 0, baseline: 'bottom' },
        encoding: { x: { ...x, field: 'median' }, y: { value: -3 }, text: TEXT },
      },
    ],
  });
}

/** The reason why there is no lifetime to draw. */
function withoutLives(unknown: number, early: number): string {
  if (early === 0) return 'There is no market with the dates of its opening and its close.';
  return `There is no market that closed after its opening. ${leftOut(unknown, early)}.`;
}

/** The subtitle's note on markets without a lifetime; empty if there are none. */
function leftOut(unknown: number, early: number): string {
  const open = unknown === 0 ? '' : `${counted(unknown, 'market')} still open or without a date`;
  const what = unknown === 0 ? counted(early, 'market') : early.toLocaleString('en-US');
  const ended = early === 0 ? '' : `${what} with a close no later than the opening`;
  const both = [open, ended].filter(Boolean).join('; ');
  return both && `Left out: ${both}`;
}

const BAR = { type: 'rect', color: COLORS.main, xOffset: 0.5, x2Offset: -0.5 } as const;

const MARKETS = {
  field: 'markets',
  type: 'quantitative',
  axis: { title: 'Markets', format: LABELS.amount, tickCount: 5, tickMinStep: 1, grid: true },
} as const;

const TIP = [
  { field: 'span', type: 'nominal', title: 'Lived' },
  { field: 'markets', type: 'quantitative', title: 'Markets', format: LABELS.count },
  { field: 'share', type: 'quantitative', title: 'Share', format: LABELS.percentTip },
] as const;

/** The approximate number of bars that the x axis has at least room for, so that a single one does not fill it. */
const FEWEST = 6;

/** The bars from the shortest life to the longest; lives beyond the edges are in the outer bars. */
function binsOf(sorted: Float64Array) {
  const counts = EDGES.slice(1).map(() => 0);
  for (const value of sorted) {
    const above = EDGES.findIndex((edge) => edge > value);
    const bin = above < 0 ? counts.length - 1 : Math.max(0, above - 1);
    counts[bin] = itemAt(counts, bin) + 1;
  }
  const bins = counts.map((markets, bin) => {
    const [low = 0, high = 0] = EDGES.slice(bin, bin + 2);
    return { low, high, markets, share: markets / sorted.length, span: `${span(low)} to ${span(high)}` };
  });
  const first = bins.findIndex(({ markets }) => markets > 0);
  const end = bins.findLastIndex(({ markets }) => markets > 0) + 1;
  const spare = Math.max(0, Math.ceil((FEWEST - (end - first)) / 2));
  return bins.slice(Math.max(0, first - spare), end + spare);
}

/** Units of a span in seconds, each a whole number of the one before. */
const UNITS = [
  [1, 'second'],
  [60, 'minute'],
  [3600, 'hour'],
  [DAY_SECONDS, 'day'],
] as const;

/** Days in words: `15 minutes`, `5 hours`, `12 days`; less than two of a unit, but one, in the next smaller unit. */
function span(days: number): string {
  const seconds = days * DAY_SECONDS;
  // Rounded to the smaller unit first, since 119.7 minutes are two hours rather than 120 minutes.
  const [unit, name] =
    UNITS.findLast(([unit], at) => {
      const smaller = UNITS[at - 1]?.[0] ?? 1;
      const rounded = Math.round(seconds / smaller) * smaller;
      return rounded === unit || rounded >= 2 * unit;
    }) ?? UNITS[0];
  return counted(Math.max(1, Math.round(seconds / unit)), name);
}
