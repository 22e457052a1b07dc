import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { sum } from '../analysis/statistics/sums.js';
import { type VolumeRecord, volume } from '../analysis/volume.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { isMissing } from '../frame/vector/vector.js';
import { LABELS } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { checkedTop } from './design/chart-spec.js';
import { eventNames, namesInLines } from './design/event-names.js';
import { BESIDE } from './design/marks.js';
import { COLORS } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link volumeByEventChart}. */
export interface VolumeByEventChartOptions extends ChartOptions {
  /** Number of events that get a bar, the largest, from 1 to 100. Default 12. */
  top?: number;
}

/**
 * Dollars traded by event: a bar for each of the largest events, with its share of the volume of all markets in the
 * frame. An event of one market is named by its question, another by what its questions have in common, or else by its
 * slug in words. The subtitle says what the other events hold: as a bar it would dwarf the rest.
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
  const values = eventBars(frame, events.slice(0, top));
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
  const isNarrow = (options.width ?? WIDTH) < WIDTH;
  const height = (step: number) => Math.max(60, values.length * step);
  return chartOf({ of: frame, title, subtitle, width: WIDTH, height: height(isNarrow ? 52 : 38) }, options, {
    data: { values },
    ...(options.height === undefined ? { usermeta: { narrow: { height: height(52) } } } : {}),
    encoding: { y, x: DOLLARS, tooltip: [...TIP] },
    layer: [
      { mark: { type: 'bar', cornerRadiusEnd: 2, color: COLORS.main } },
      {
        mark: NAME,
        encoding: { x: { value: 0 }, y: { ...y, bandPosition: 0 } },
      },
      { mark: BESIDE, encoding: { text: { field: 'label', type: 'nominal' } } },
    ],
  });
}

/** A bar for each event, with its name in one line for a whole picture, and in two for a phone. */
function eventBars(frame: Tabular, events: readonly VolumeRecord<'event_slug'>[]) {
  const byName = eventNames(frame, events);
  const names = events.map(({ event_slug: slug }) => (isMissing(slug) ? NO_EVENT : (byName.get(slug) ?? slug)));
  const [lines, narrow] = [namesInLines(names, WIDTH, 1), namesInLines(names, NARROW_WIDTH, 2)];
  return events.map(({ event_slug: slug, volume_total, share, markets }, at) => {
    const shown = { name: itemAt(names, at), line: itemAt(lines, at), narrow: itemAt(narrow, at) };
    return { event: slug ?? NO_EVENT, ...shown, volume_total, share, markets, label: formatPercent(share) };
  });
}

const NO_EVENT = 'without an event';

/** Width between the axes in pixels, which is also that of the longest name; and what a phone leaves of it. */
const [WIDTH, NARROW_WIDTH] = [520, 320];

/** Whether there is less room than a name in one line may take. */
const IS_NARROW = `width < ${WIDTH - 1}`;

/** An event's name above its bar: in one line where there is room for it. */
const NAME = {
  type: 'text',
  text: { expr: `${IS_NARROW} ? datum.narrow : datum.line` },
  lineBreak: '\n',
  lineHeight: 13,
  align: 'left',
  baseline: 'bottom',
  // Vega puts the first of several lines where a single one would be.
  dy: { expr: `${IS_NARROW} && indexof(datum.narrow, '\\n') >= 0 ? -16 : -3` },
  limit: { expr: 'width' },
  aria: false,
  tooltip: null,
} as const;

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
