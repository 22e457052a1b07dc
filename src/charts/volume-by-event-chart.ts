import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { sum } from '../analysis/statistics/sums.js';
import { volume } from '../analysis/volume.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { anyColumn, recordsOf } from '../frame/tabular/column-values.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { type Cell, isMissing } from '../frame/vector/vector.js';
import { LABELS } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { checkedTop } from './design/chart-spec.js';
import { shortLabels } from './design/chart-text.js';
import { BESIDE } from './design/marks.js';
import { COLORS, FONT_SIZES } from './design/theme.js';
import { wrappedText } from './design/title-text.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link volumeByEventChart}. */
export interface VolumeByEventChartOptions extends ChartOptions {
  /** Number of events that get a bar, the largest, from 1 to 100. Default 12. */
  top?: number;
}

/**
 * Dollars traded by event: a bar for each of the largest events, with its share of the volume of all markets in the
 * frame. An event of one market is named by its question, another by its slug in words. The subtitle says what the other events hold: as a bar it would dwarf the rest.
 *
 * @param frame Market records: needs `event_slug` and `volume_total`. Markets without an event form one group.
 * @returns The chart; if there is no market, or none with a trade, an empty one that says so.
 * @throws {ColumnError} If a column is missing, or `volume_total` is not numeric, negative or infinite.
 * @throws {UsageError} If an option is unknown, or `top` is not a whole number from 1 to 100.
 * @example volumeByEventChart(await lab.markets({ closed: true }).frame(), { top: 10 });
 */
export function volumeByEventChart(frame: Tabular, options: VolumeByEventChartOptions = {}): Chart {
  knownOptions('volumeByEventChart', options, ['top', ...CHART_OPTIONS]);
  const { title = 'Volume by event' } = options;
  const top = checkedTop(options.top, 12);
  const events = recordsOf(volume(frame));
  if (events.length === 0) return emptyChart(title, 'There is no market to show.', frame, options);
  const names = namesOf(frame, events.slice(0, top));
  const values = events.slice(0, top).map(({ event_slug: slug, volume_total, share, markets }) => {
    return {
      event: isMissing(slug) ? 'without an event' : String(slug),
      name: isMissing(slug) ? 'without an event' : (names.get(String(slug)) ?? String(slug)),
      volume_total,
      share,
      markets,
      label: formatPercent(share),
    };
  });
  const others = events.slice(top);
  const namedIn = (some: typeof events) => some.filter((row) => !isMissing(row.event_slug)).length;
  const dollarsOf = (some: typeof events) => sum(some.map((row) => row.volume_total));
  const total = dollarsOf(events);
  if (total === 0) return emptyChart(title, 'There is no market with a trade.', frame, options);
  const [largest] = values;
  const subtitle = [
    `${formatUsd(total)} in ${counted(namedIn(events), 'event')} and ${counted(frame.shape[0] ?? 0, 'market')}${events.length > 1 ? `; the largest holds ${largest?.label}` : ''}`,
    others.length === 0
      ? ''
      : `Not drawn: ${leftOut(namedIn(others), others.length)} with ${formatPercent(dollarsOf(others) / total)} of it`,
  ];
  const y = {
    field: 'event',
    type: 'nominal',
    sort: null,
    axis: null,
    scale: { paddingInner: 0.62, paddingOuter: 0.31 },
  };
  return chartOf({ of: frame, title, subtitle, width: WIDTH, height: Math.max(60, values.length * 38) }, options, {
    data: { values },
    encoding: { y, x: DOLLARS, tooltip: [...TIP] },
    layer: [
      { mark: { type: 'bar', cornerRadiusEnd: 2, color: COLORS.main } },
      {
        mark: NAME,
        encoding: { x: { value: 0 }, y: { ...y, bandPosition: 0 }, text: { field: 'name', type: 'nominal' } },
      },
      { mark: BESIDE, encoding: { text: { field: 'label', type: 'nominal' } } },
    ],
  });
}

/** Width between the axes in pixels, which is also that of the longest name. */
const WIDTH = 520;

/** An event's name above its bar, cut where the plot ends. */
const NAME = {
  type: 'text',
  align: 'left',
  baseline: 'bottom',
  dy: -3,
  limit: { expr: 'width' },
  aria: false,
  tooltip: null,
} as const;

/**
 * What the events are called: one of a single market by the market's question; one of several by its slug in words,
 * with the number of markets.
 */
function namesOf(
  frame: Tabular,
  events: readonly { event_slug: string | null; markets: number }[],
): Map<string, string> {
  const hasQuestions = columnNames(frame).includes('question');
  const slugs = anyColumn(frame, 'event_slug') as ArrayLike<Cell>;
  const questions = hasQuestions ? (anyColumn(frame, 'question') as ArrayLike<Cell>) : [];
  const questionOf = new Map(Array.from(questions, (question, row) => [String(slugs[row]), question]));
  const names = events.map(({ event_slug: slug, markets }) => {
    const question = questionOf.get(String(slug));
    const own = markets === 1 && !isMissing(question ?? null) ? String(question) : inWords(String(slug));
    return markets === 1 ? own : `${own} (${counted(markets, 'market')})`;
  });
  const fitting = names.map((name) => wrappedText(name, WIDTH, FONT_SIZES.label, 1)[0] ?? '');
  // Names that would be cut alike are told apart by what differs.
  const labels = new Set(fitting).size < names.length ? shortLabels(names) : fitting;
  return new Map(events.map(({ event_slug: slug }, at) => [String(slug), itemAt(labels, at)]));
}

/** A slug in words: `fed-decision-in-october` as `Fed decision in october`. */
function inWords(slug: string): string {
  const words = slug.replace(/(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The groups without a bar, in words. All are events, except for at most one group of markets without an event. */
function leftOut(events: number, groups: number): string {
  if (events === 0) return 'markets without an event';
  return `${counted(events, 'smaller event')}${events < groups ? ' and markets without one,' : ''}`;
}

const DOLLARS = {
  field: 'volume_total',
  type: 'quantitative',
  axis: { title: 'Volume (USD)', labelExpr: LABELS.usd, tickCount: 5, grid: true },
} as const;

const TIP = [
  { field: 'name', type: 'nominal', title: 'Event' },
  { field: 'volume_total', type: 'quantitative', title: 'Volume', format: LABELS.usdTip },
  { field: 'share', type: 'quantitative', title: 'Share', format: LABELS.percentTip },
  { field: 'markets', type: 'quantitative', title: 'Markets', format: LABELS.count },
] as const;
