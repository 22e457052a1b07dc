import { roi, roiBy } from '../analysis/roi.js';
import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { refuseConfidence } from '../analysis/statistics/wilson-interval.js';
import { greatestOf } from '../base/many.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { LABELS, namesEncoding, roomTo } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { checkedTop } from './design/chart-spec.js';
import { groupName } from './design/chart-text.js';
import { GAIN_OR_LOSS, GAIN_OR_LOSS_KEY } from './design/marks.js';
import { sideColumns } from './design/side-columns.js';
import { INK } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';
import { roiIntervals } from './roi-intervals.js';

/** Options of {@link roiByWalletChart}. */
export interface RoiByWalletChartOptions extends ChartOptions {
  /** Number of wallets shown, those that invested most, from 1 to 100. Default 20. */
  top?: number;
  /** Confidence of the intervals, in (0, 1). Default 0.95. */
  confidence?: number;
}

/**
 * Return on investment by wallet, the highest first: gains are filled, losses hollow. A line shows how uncertain each
 * return is, by the bootstrap over the wallet's weeks, as `bootstrapInterval(…, { by: 'week' })` measures it. Of many
 * wallets, those that invested most are shown, because the returns of small stakes scatter.
 *
 * @param frame PnL records (`date`, `pnl`, `invested`) or lifetime records, with `proxy_wallet`. Lifetime records tell
 * nothing of how returns vary, so that they have no lines; nor has a wallet with a single week, or one that lost more
 * than it invested, as its stakes were paid before these records.
 * @returns The chart; if no wallet invested anything, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or `invested` negative.
 * @throws {UsageError} If an option is unknown or of a wrong type, or `top` is not a whole number from 1 to 100.
 * @example roiByWalletChart(await lab.pnl({ wallet: wallets }).frame());
 */
export function roiByWalletChart(frame: Tabular, options: RoiByWalletChartOptions = {}): Chart {
  knownOptions('roiByWalletChart', options, ['top', 'confidence', ...CHART_OPTIONS]);
  const { title = 'Return on investment by wallet', confidence = 0.95 } = options;
  const top = checkedTop(options.top, 20);
  refuseConfidence(confidence);
  const all = recordsOf(roiBy(frame, { by: 'proxy_wallet' })).filter((row) => Number.isFinite(row.roi));
  if (all.length === 0) return emptyChart(title, 'There is no wallet that invested anything.', frame, options);
  const largest = new Set([...all].sort((a, b) => b.invested - a.invested).slice(0, top));
  const shown = all.filter((row) => largest.has(row));
  const intervals = roiIntervals(
    frame,
    shown.map((row) => row.proxy_wallet),
    confidence,
  );
  const most = Math.max(LEAST_CUT, 2 * greatestOf(shown.map((row) => Math.abs(row.roi))));
  const values = shown.map((row, at) => {
    const { low, high } = intervals?.[at] ?? {};
    const isKnown = low !== undefined && high !== undefined && Number.isFinite(high - low);
    const drawn = isKnown ? { from: Math.max(low, -most), to: Math.min(high, most) } : {};
    const words = isKnown
      ? { low, high, interval: `${formatPercent(low, 0)} to ${formatPercent(high, 0)}` }
      : { interval: '–' };
    return { ...row, proxy_wallet: groupName(row.proxy_wallet), text: formatPercent(row.roi), ...drawn, ...words };
  });
  const told = values.filter(({ low }) => low !== undefined);
  const isCut = told.some(({ low = 0, high = 0 }) => low < -most || high > most);
  const of =
    values.length < all.length ? `The ${values.length} of ${counted(all.length, 'wallet')} that invested most. ` : '';
  const pooled = roi(frame);
  const above = told.filter(({ low = 0 }) => low > 0).length;
  const cut = isCut ? `, cut at ±${formatPercent(most, 0)}` : '';
  const subtitle = [
    `${of}Pooled over all: ${formatPercent(pooled.roi)} on ${formatUsd(pooled.invested)} invested`,
    told.length === 0 ? '' : `${above} of ${counted(told.length, 'interval')} ${above === 1 ? 'lies' : 'lie'} above 0`,
    `${GAIN_OR_LOSS_KEY}${told.length === 0 ? '' : `; line: ${formatPercent(confidence, 0)} interval from its weeks${cut}`}`,
  ];
  const y = namesEncoding('proxy_wallet', values, false);
  const ends = values.flatMap((row) => [row.roi, ...(row.from === undefined ? [] : [row.from, row.to])]);
  const height = Math.max(60, values.length * 24);
  return chartOf({ of: frame, title, subtitle, width: 400, height }, options, {
    data: { values },
    layer: [
      {
        mark: { type: 'bar', height: { band: 0.7 }, strokeWidth: 1.25 },
        encoding: { y, x: RETURN, ...GAIN_OR_LOSS, tooltip: told.length === 0 ? TIP : [...TIP, ...TIP_OF_INTERVAL] },
      },
      ...(told.length === 0
        ? []
        : [
            { mark: LINE, encoding: { y, x: { ...RETURN, field: 'from' }, x2: { field: 'to' } } },
            ...['from', 'to'].map((field) => ({ mark: END, encoding: { y, x: { ...RETURN, field } } })),
          ]),
      ...sideColumns(y, told.length === 0 ? COLUMNS.slice(0, 1) : COLUMNS),
      roomTo('x', 'quantitative', 'roi', [0, ...ends]),
    ],
  });
}

/** The least return at which a line is cut. */
const LEAST_CUT = 0.5;

const LINE = { type: 'rule', color: INK, strokeWidth: 1.5, opacity: 0.75, aria: false, tooltip: null } as const;

const END = {
  type: 'point',
  shape: 'M0,-1L0,1',
  size: 50,
  filled: false,
  stroke: INK,
  strokeWidth: 1.5,
  opacity: 0.75,
  aria: false,
  tooltip: null,
} as const;

const COLUMNS = [
  { field: 'text', head: 'ROI', end: 56 },
  { field: 'interval', head: 'Interval', end: 148 },
] as const;

const RETURN = {
  field: 'roi',
  type: 'quantitative',
  axis: { title: 'PnL / invested', format: LABELS.percent, tickCount: 5, grid: true },
} as const;

const TIP = [
  { field: 'proxy_wallet', type: 'nominal', title: 'Wallet' },
  { field: 'roi', type: 'quantitative', title: 'ROI', format: LABELS.percentTip },
  { field: 'pnl', type: 'quantitative', title: 'PnL', format: LABELS.usdTip },
  { field: 'invested', type: 'quantitative', title: 'Invested', format: LABELS.usdTip },
] as const;

const TIP_OF_INTERVAL = [
  { field: 'low', type: 'quantitative', title: 'From', format: LABELS.percentTip },
  { field: 'high', type: 'quantitative', title: 'To', format: LABELS.percentTip },
] as const;
