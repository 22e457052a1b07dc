import type { TopLevelSpec } from 'vega-lite';
import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { sum } from '../analysis/statistics/sums.js';
import { volume } from '../analysis/volume.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { isMissing } from '../frame/vector/vector.js';
import { LABELS, namesEncoding } from './design/axes.js';
import { checkedTop, frameOfChart } from './design/chart-spec.js';
import { BESIDE } from './design/marks.js';
import { COLORS } from './design/theme.js';
import { Chart, emptyChart } from './drawing/chart.js';

/** Options of {@link volumeByEventChart}. */
export interface VolumeByEventChartOptions {
  /** Number of events that get a bar, the largest, from 1 to 100. Default 12. */
  top?: number;
  /** The title. Default: one that says what is shown. */
  title?: string;
}

/**
 * Dollars traded by event: a bar for each of the largest events, with its share of the volume of all markets in the
 * frame. The subtitle says what the other events hold: as a bar it would dwarf the rest.
 *
 * @param frame Market records: needs `event_slug` and `volume_total`. Markets without an event form one group.
 * @returns The chart; if there is no market, or none with a trade, an empty one that says so.
 * @throws {ColumnError} If a column is missing, or `volume_total` is not numeric, negative or infinite.
 * @throws {UsageError} If an option is unknown, or `top` is not a whole number from 1 to 100.
 * @example volumeByEventChart(await lab.markets({ closed: true }).frame(), { top: 10 });
 */
export function volumeByEventChart(frame: Tabular, options: VolumeByEventChartOptions = {}): Chart {
  knownOptions('volumeByEventChart', options, ['top', 'title']);
  const { title = 'Volume by event' } = options;
  const top = checkedTop(options.top, 12);
  const events = recordsOf(volume(frame));
  if (events.length === 0) return emptyChart(title, 'There is no market to show.', frame);
  const values = events.slice(0, top).map(({ event_slug: slug, volume_total, share, markets }) => {
    return {
      event: isMissing(slug) ? 'without an event' : String(slug),
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
  if (total === 0) return emptyChart(title, 'There is no market with a trade.', frame);
  const subtitle = [
    `${formatUsd(total)} in ${counted(namedIn(events), 'event')} and ${counted(frame.shape[0] ?? 0, 'market')}`,
    others.length === 0
      ? ''
      : `Not drawn: ${leftOut(namedIn(others), others.length)} with ${formatPercent(dollarsOf(others) / total)} of it`,
  ];
  const y = namesEncoding('event', values, false);
  return new Chart({
    ...frameOfChart({ of: frame, title, subtitle, width: 440, height: Math.max(60, values.length * 24) }),
    data: { values },
    encoding: { y, x: DOLLARS, tooltip: [...TIP] },
    layer: [
      { mark: { type: 'bar', height: { band: 0.72 }, cornerRadiusEnd: 2, color: COLORS.main } },
      { mark: BESIDE, encoding: { text: { field: 'label', type: 'nominal' } } },
    ],
  } satisfies TopLevelSpec);
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
  { field: 'event', type: 'nominal', title: 'Event' },
  { field: 'volume_total', type: 'quantitative', title: 'Volume', format: LABELS.usdTip },
  { field: 'share', type: 'quantitative', title: 'Share', format: LABELS.percentTip },
  { field: 'markets', type: 'quantitative', title: 'Markets', format: LABELS.count },
] as const;
