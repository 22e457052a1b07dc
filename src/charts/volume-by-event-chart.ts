import type { TopLevelSpec } from 'vega-lite';
import { formatPercent } from '../analysis/format-percent.js';
import { formatUsd } from '../analysis/format-usd.js';
import { totalVolume } from '../analysis/total-volume.js';
import { volume } from '../analysis/volume.js';
import { UsageError } from '../errors.js';
import { recordsOf } from '../frame/records-of.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { Chart } from './chart.js';
import { frameOfChart } from './frame-of-chart.js';
import { LABELS } from './labels.js';
import { COLORS } from './theme.js';

/** How {@link volumeByEventChart} looks. */
export interface VolumeByEventChartOptions {
  /** Events that get a bar of their own, the largest first; the others share one. Default 12. */
  top?: number;
  /** Default: what is shown. */
  title?: string;
}

/**
 * Dollars traded by event: a bar for each of the largest, and one for all others together, with their shares of the
 * volume of all markets in the frame.
 *
 * @param frame Market records: needs `event_slug` and `volume_total`.
 * @throws {ColumnError} If a column is missing, or `volume_total` is not numeric.
 * @throws {UsageError} If `top` is no whole number from 1 on.
 * @example volumeByEventChart(await lab.markets({ closed: true }).frame(), { top: 10 });
 */
export function volumeByEventChart(frame: Tabular, options: VolumeByEventChartOptions = {}): Chart {
  const { top = 12, title = 'Volume by event' } = options;
  if (!Number.isInteger(top) || top < 1) throw new UsageError(`top must be a whole number from 1 on; got ${top}.`);
  const events = recordsOf(volume(frame));
  const total = totalVolume(frame);
  const values = barsOf(events, top, total);
  const subtitle = `${formatUsd(total)} in ${count(events.length, 'event')} and ${count(frame.shape[0] ?? 0, 'market')}`;
  const y = {
    field: 'event',
    type: 'nominal',
    sort: null,
    axis: { title: null, labelExpr: SHORT, labelColor: COLORS.text, grid: false },
  } as const;
  return new Chart({
    ...frameOfChart({
      title,
      subtitle,
      description: `${title}: ${subtitle}`,
      width: 440,
      height: Math.max(60, values.length * 24),
    }),
    data: { values },
    encoding: { y, x: DOLLARS, tooltip: [...TIP] },
    layer: [
      {
        mark: { type: 'bar', height: { band: 0.72 }, cornerRadiusEnd: 2 },
        encoding: { color: { field: 'kind', type: 'nominal', scale: KINDS, legend: null } },
      },
      {
        mark: { type: 'text', align: 'left', dx: 5, color: COLORS.quiet, fontSize: 11 },
        encoding: { text: { field: 'label', type: 'nominal' } },
      },
    ],
  } satisfies TopLevelSpec);
}

/** Long slugs end in an ellipsis; the tip has the whole. */
const SHORT = "length(datum.label) > 44 ? slice(datum.label, 0, 43) + '…' : datum.label";
const KINDS = { domain: ['event', 'others'], range: [COLORS.main, COLORS.rest] };

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

function barsOf(events: readonly Record<string, Cell>[], top: number, total: number) {
  const bar = (event: string, kind: string, rows: readonly Record<string, Cell>[]) => {
    const dollars = rows.reduce((sum, row) => sum + Number(row.volume_total), 0);
    const markets = rows.reduce((sum, row) => sum + Number(row.markets), 0);
    const share = total > 0 ? dollars / total : 0;
    return { event, kind, volume_total: dollars, share, markets, label: formatPercent(share) };
  };
  const bars = events.slice(0, top).map((row) => bar(String(row.event_slug ?? 'without an event'), 'event', [row]));
  const others = events.slice(top);
  return others.length === 0 ? bars : [...bars, bar(`all others (${count(others.length, 'event')})`, 'others', others)];
}

function count(value: number, what: string): string {
  return `${value.toLocaleString('en-US')} ${what}${value === 1 ? '' : 's'}`;
}
