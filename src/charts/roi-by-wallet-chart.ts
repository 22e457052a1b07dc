import type { TopLevelSpec } from 'vega-lite';
import { roi, roiBy } from '../analysis/roi.js';
import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { barRoom, LABELS, namesEncoding } from './design/axes.js';
import { checkedTop, frameOfChart } from './design/chart-spec.js';
import { groupName } from './design/chart-text.js';
import { GAIN_OR_LOSS, GAIN_OR_LOSS_KEY, wordsAtEnds } from './design/marks.js';
import { Chart, emptyChart } from './drawing/chart.js';

/** Options of {@link roiByWalletChart}. */
export interface RoiByWalletChartOptions {
  /** Number of wallets shown, those that invested most, from 1 to 100. Default 20. */
  top?: number;
  /** The title. Default: one that says what is shown. */
  title?: string;
}

/**
 * Return on investment by wallet, the highest first: gains are filled, losses hollow. Of many wallets, those that
 * invested most are shown, because the returns of small stakes scatter.
 *
 * @param frame PnL records (`pnl`, `invested`) or lifetime records, with `proxy_wallet`.
 * @returns The chart; if no wallet invested anything, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or `invested` negative.
 * @throws {UsageError} If an option is unknown, or `top` is not a whole number from 1 to 100.
 * @example roiByWalletChart(await lab.lifetime({ wallet: wallets }).frame());
 */
export function roiByWalletChart(frame: Tabular, options: RoiByWalletChartOptions = {}): Chart {
  knownOptions('roiByWalletChart', options, ['top', 'title']);
  const { title = 'Return on investment by wallet' } = options;
  const top = checkedTop(options.top, 20);
  const all = recordsOf(roiBy(frame, { by: 'proxy_wallet' })).filter((row) => Number.isFinite(row.roi));
  if (all.length === 0) return emptyChart(title, 'There is no wallet that invested anything.', frame);
  const largest = new Set([...all].sort((a, b) => b.invested - a.invested).slice(0, top));
  const values = all
    .filter((row) => largest.has(row))
    .map((row) => ({ ...row, proxy_wallet: groupName(row.proxy_wallet), text: formatPercent(row.roi) }));
  const of =
    values.length < all.length ? `The ${values.length} of ${counted(all.length, 'wallet')} that invested most. ` : '';
  const pooled = roi(frame);
  const subtitle = [
    `${of}Pooled over all: ${formatPercent(pooled.roi)} on ${formatUsd(pooled.invested)} invested`,
    GAIN_OR_LOSS_KEY,
  ];
  const y = namesEncoding('proxy_wallet', values, false);
  const returns = values.map((row) => row.roi);
  return new Chart({
    ...frameOfChart({ of: frame, title, subtitle, width: 480, height: Math.max(60, values.length * 24) }),
    data: { values },
    layer: [
      {
        mark: { type: 'bar', height: { band: 0.7 }, strokeWidth: 1.25 },
        encoding: { y, x: RETURN, ...GAIN_OR_LOSS, tooltip: [...TIP] },
      },
      ...wordsAtEnds('roi', returns, { y, x: RETURN }, BESIDE_BARS),
      barRoom('x', returns, 0.12),
    ],
  } satisfies TopLevelSpec);
}

const RETURN = {
  field: 'roi',
  type: 'quantitative',
  axis: { title: 'PnL / invested', labelExpr: LABELS.signedPercent, tickCount: 5, grid: true },
} as const;

const BESIDE_BARS = { gains: { align: 'left', dx: 6 }, losses: { align: 'right', dx: -6 } } as const;

const TIP = [
  { field: 'proxy_wallet', type: 'nominal', title: 'Wallet' },
  { field: 'roi', type: 'quantitative', title: 'ROI', format: LABELS.percentTip },
  { field: 'pnl', type: 'quantitative', title: 'PnL', format: LABELS.usdTip },
  { field: 'invested', type: 'quantitative', title: 'Invested', format: LABELS.usdTip },
] as const;
