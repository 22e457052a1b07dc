import type { TopLevelSpec } from 'vega-lite';
import { type CumulativePnlRecord, cumulativePnl } from '../analysis/cumulative-pnl.js';
import { formatUsd } from '../analysis/format-usd.js';
import { recordsOf } from '../frame/records-of.js';
import type { Tabular } from '../frame/tabular.js';
import { Chart } from './chart.js';
import { frameOfChart } from './frame-of-chart.js';
import { LABELS } from './labels.js';
import { CUMULATIVE_USD, CURVE_TIP, INVISIBLE, TIME, ZERO_LINE } from './pnl-encoding.js';
import { DASHES, LINE_COLORS } from './theme.js';
import { TIPS } from './without-tips.js';

/** The cumulative PnL of several wallets, a line each, told apart by colour and dashes. */
export function cumulativePnlLines(frame: Tabular, title = 'Cumulative realized PnL by wallet'): Chart {
  const rows = recordsOf(cumulativePnl(frame, { by: 'proxy_wallet' })) as CumulativePnlRecord<'proxy_wallet'>[];
  const ends = new Map(rows.map((row) => [row.proxy_wallet, row.cumulative_pnl]));
  const chosen = mostWonOrLost(ends);
  const part =
    chosen.length < ends.size
      ? `The ${chosen.length} of ${ends.size} wallets that won or lost most`
      : `${ends.size} wallets`;
  const [best = 0, worst = 0] = [ends.get(chosen[0] ?? ''), ends.get(chosen.at(-1) ?? '')];
  const tip = { field: 'proxy_wallet', type: 'nominal', title: 'Wallet' } as const;
  const line = { x: TIME, y: CUMULATIVE_USD, ...lineEncoding(chosen) };
  return new Chart({
    ...frameOfChart({
      title,
      subtitle: `${part}: from ${formatUsd(worst)} to ${formatUsd(best)} in the end`,
      description: `${title}. ${part}: from ${formatUsd(worst)} to ${formatUsd(best)} in the end`,
      width: 600,
      height: 340,
    }),
    data: { values: rows.filter((row) => chosen.includes(row.proxy_wallet)) },
    layer: [
      ZERO_LINE,
      { mark: { type: 'line', interpolate: 'step-after', strokeWidth: 1.75 }, encoding: line },
      { name: TIPS, mark: INVISIBLE, encoding: { x: TIME, y: CUMULATIVE_USD, tooltip: [tip, ...CURVE_TIP] } },
    ],
  } satisfies TopLevelSpec);
}

/** As many wallets as can be told apart, the best first. */
function mostWonOrLost(ends: ReadonlyMap<string, number>): string[] {
  const byStake = [...ends].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, LINE_COLORS.length);
  return byStake.sort(([, a], [, b]) => b - a).map(([wallet]) => wallet);
}

function lineEncoding(wallets: string[]) {
  const legend = { title: 'Wallet, best first', labelExpr: LABELS.wallet };
  const field = { field: 'proxy_wallet', type: 'nominal', legend } as const;
  return {
    color: { ...field, scale: { domain: wallets, range: LINE_COLORS.slice(0, wallets.length) } },
    strokeDash: { ...field, scale: { domain: wallets, range: DASHES.slice(0, wallets.length) } },
  };
}
