import { formatPercent } from '../analysis/shown-result.js';
import { volumeDistribution } from '../analysis/volume-distribution.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { LABELS } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { COLORS } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/**
 * How markets are distributed by size, on a logarithmic scale: of each size, the filled bar is its
 * share of the markets, the hollow one its share of all volume.
 *
 * @param frame Market records: needs `volume_total`. Markets without a trade have no place on a logarithmic axis; the
 * subtitle counts them.
 * @returns The chart; if no market has a trade, an empty one that says so.
 * @throws {ColumnError} If `volume_total` is missing, not numeric, negative or infinite.
 * @throws {UsageError} If an option is unknown or of a wrong type.
 * @example volumeDistributionChart(await lab.markets().frame());
 */
export function volumeDistributionChart(frame: Tabular, options: ChartOptions = {}): Chart {
  knownOptions('volumeDistributionChart', options, [...CHART_OPTIONS]);
  const { title = 'Distribution of volume over markets' } = options;
  const bins = recordsOf(volumeDistribution(frame));
  const values = bins.filter(({ low, high }) => low > 0 && high > low);
  if (values.length === 0) return emptyChart(title, 'There is no market with a trade.', frame, options);
  const untraded = bins.find(({ high }) => high === 0)?.markets ?? 0;
  const most = values.reduce((one, other) => (other.markets > one.markets ? other : one));
  const richest = values.reduce((one, other) => (other.share_of_volume > one.share_of_volume ? other : one));
  const span = ({ low, high }: { low: number; high: number }) => `${short(low)} to ${short(high)}`;
  const subtitle = [
    `The most common size is ${span(most)}, ${formatPercent(most.share_of_markets)} of markets; ${span(richest)} holds the most volume, ${formatPercent(richest.share_of_volume)}`,
    `Filled: share of markets; hollow: share of volume${untraded === 0 ? '' : `; not drawn: ${counted(untraded, 'market')} without a trade`}`,
  ];
  const edges = [...values.map(({ low }) => low), values.at(-1)?.high ?? 0];
  const x = { ...SIZE, scale: { ...SIZE.scale, ...roomBeside(edges) }, axis: { ...SIZE.axis, values: edges } };
  const pairs = values.map((bin) => ({ ...bin, middle: Math.sqrt(bin.low * bin.high) }));
  const bar = (field: string, from: string, to: string, look: object) => ({
    mark: { type: 'rect', xOffset: 1, x2Offset: -1, ...look },
    encoding: { x: { ...x, field: from }, x2: { field: to }, y: { ...SHARE, field }, y2: { datum: 0 }, tooltip: TIP },
  });
  return chartOf({ of: frame, title, subtitle, width: 560, height: 300 }, options, {
    data: { values: pairs },
    layer: [
      bar('share_of_markets', 'low', 'middle', { color: COLORS.main }),
      bar('share_of_volume', 'middle', 'high', HOLLOW),
    ],
  });
}

const HOLLOW = { fill: COLORS.loss, fillOpacity: 0.22, stroke: COLORS.loss, strokeWidth: 1.25 } as const;

/** Leaves room beside a few bars, so that they do not fill the whole width; a power of ten has about three bars. */
function roomBeside(edges: readonly number[]) {
  const room = 10 ** ((FEWEST - edges.length + 1) / 6);
  return room > 1 ? { domainMin: (edges[0] ?? 1) / room, domainMax: (edges.at(-1) ?? 1) * room } : {};
}

/** The least number of bars that the x axis has room for. */
const FEWEST = 6;

const SIZE = {
  field: 'low',
  type: 'quantitative',
  scale: { type: 'log', nice: false },
  axis: { title: 'Volume of the market (USD)', labelExpr: LABELS.usd, labelOverlap: true },
} as const;

const SHARE = {
  type: 'quantitative',
  axis: { title: 'Share of all', format: LABELS.percent, tickCount: 5, grid: true },
} as const;

const TIP = [
  { field: 'low', type: 'quantitative', title: 'From', format: '$,.0f' },
  { field: 'high', type: 'quantitative', title: 'To', format: '$,.0f' },
  { field: 'markets', type: 'quantitative', title: 'Markets', format: LABELS.count },
  { field: 'share_of_markets', type: 'quantitative', title: 'Share of markets', format: LABELS.percentTip },
  { field: 'share_of_volume', type: 'quantitative', title: 'Share of volume', format: LABELS.percentTip },
] as const;

/** Dollars of a round bin edge, short: `$20k`. */
function short(dollars: number): string {
  for (const [unit, sign] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (dollars >= unit) return `$${dollars / unit}${sign}`;
  }
  return `$${dollars}`;
}
