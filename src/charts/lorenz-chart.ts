import { type ConcentrationOptions, concentration, lorenzCurve } from '../analysis/concentration.js';
import { formatPercent } from '../analysis/shown-result.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { column } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { diagonal, LABELS, shareEncoding } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { columnInWords } from './design/chart-text.js';
import { INVISIBLE } from './design/marks.js';
import { COLORS } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link lorenzChart}: those of `lorenzCurve`, and the title. */
export interface LorenzChartOptions extends ConcentrationOptions, ChartOptions {}

/** The least distance between drawn points of the curve, as a share of either axis. */
const STEP = 1 / 250;

/**
 * How concentrated volume, or another amount, is: the Lorenz curve below the dashed diagonal, which it would follow if
 * all markets were equal.
 *
 * @param frame Market records, or any frame with a column of amounts.
 * @returns The chart; if there is no amount, or all are 0, an empty one that says so.
 * @throws {ColumnError} If a column is missing, or `value` is not numeric, negative or infinite.
 * @throws {UsageError} If an option is unknown or of a wrong type.
 * @example lorenzChart(markets, { by: 'event_slug' });
 */
export function lorenzChart(frame: Tabular, options: LorenzChartOptions = {}): Chart {
  knownOptions('lorenzChart', options, ['value', 'by', ...CHART_OPTIONS], { by: 'text' });
  const { value = 'volume_total', by } = options;
  const amount = value === 'volume_total' ? 'volume' : value;
  const {
    title = `Concentration of ${amount}: Lorenz curve`,
    subtitle: _,
    color: __,
    width: ___,
    height: ____,
    ...asked
  } = options;
  const curve = lorenzCurve(frame, asked);
  const [members, shares] = [column(curve, 'share_of_markets'), column(curve, 'share_of_volume')];
  if (members.length === 0) return emptyChart(title, `There is no ${amount} to compare.`, frame, options);
  const many = members.length - 1;
  const row = amount === 'volume' ? 'market' : 'row';
  const what = by === undefined ? row : columnInWords(by) === by ? 'group' : columnInWords(by);
  const tenth = Math.max(1, Math.round(many / 10));
  const largest = formatPercent(1 - itemAt(shares, many - tenth));
  const of = `of ${many.toLocaleString('en-US')}`;
  const holders = tenth === 1 ? `${what} ${of} holds` : `${counted(tenth, what)} ${of} hold`;
  const subtitle = [
    many === 1 ? `The only ${what} holds all of it` : `The largest ${holders} ${largest}`,
    `Gini coefficient ${Math.max(0, concentration(frame, asked).gini).toFixed(2)}: 0 if all were equal, near 1 if one of many held all`,
  ];
  const values = pointsOf(members, shares);
  const x = shareEncoding('share_of_markets', `Share of ${what}s, smallest first`);
  const y = shareEncoding('share_of_volume', `Share of ${amount}`);
  return chartOf({ of: frame, title, subtitle, width: 360, height: 360 }, options, {
    data: { values },
    layer: [
      diagonal(x, y),
      {
        mark: { type: 'area', color: COLORS.main, opacity: 0.18, aria: false },
        encoding: { x, y, y2: { field: 'share_of_markets' } },
      },
      { mark: { type: 'line', color: COLORS.main, strokeWidth: 2, aria: false }, encoding: { x, y } },
      { mark: INVISIBLE, encoding: { x, y, tooltip: [...TIP] } },
    ],
  });
}

const TIP = [
  { field: 'share_of_markets', type: 'quantitative', title: 'The smallest', format: LABELS.percentTip },
  { field: 'share_of_volume', type: 'quantitative', title: 'hold', format: LABELS.percentTip },
] as const;

function pointsOf(members: Float64Array, shares: Float64Array) {
  const points: { share_of_markets: number; share_of_volume: number }[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const last = points.at(-1);
    const [x = 0, y = 0] = [members[at], shares[at]];
    const near = last && x - last.share_of_markets < STEP && y - last.share_of_volume < STEP;
    if (!near || at === members.length - 1) points.push({ share_of_markets: round(x), share_of_volume: round(y) });
  }
  return points;
}

function round(share: number): number {
  return Number(share.toFixed(5));
}
