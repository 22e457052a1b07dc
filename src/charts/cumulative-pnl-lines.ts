import type { TopLevelSpec } from 'vega-lite';
import { type CumulativePnlRecord, cumulativePnl } from '../analysis/cumulative-pnl.js';
import { formatUsd } from '../analysis/format-usd.js';
import { groupedRows } from '../analysis/grouped-rows.js';
import { counted } from '../base/texts.js';
import { numericColumn } from '../frame/column.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { recordsOf } from '../frame/records-of.js';
import type { Tabular } from '../frame/tabular.js';
import { takeRows } from '../frame/verbs/take-rows.js';
import { Chart } from './chart.js';
import { emptyChart } from './empty-chart.js';
import { frameOfChart } from './frame-of-chart.js';
import { groupName } from './group-name.js';
import { CUMULATIVE_USD, CURVE_TIP, timeEncoding, ZERO_LINE } from './pnl-encoding.js';
import { shareOf } from './shared-points.js';
import { labelExprOf } from './short-labels.js';
import { DASHES, LINE_COLORS } from './theme.js';
import { thinnedCurve } from './thinned-curve.js';
import { INVISIBLE } from './without-tips.js';

/** The approximate maximum of points in all lines together. */
const MOST_POINTS = 1200;

/** Draws the cumulative PnL of several wallets, with one line each, told apart by colour and dashes. */
export function cumulativePnlLines(frame: Tabular, title = 'Cumulative realized PnL by wallet'): Chart {
  const { part, wallets } = mostWonOrLost(frame);
  const rows = recordsOf(cumulativePnl(part, { by: 'proxy_wallet' })).map((row) => {
    return { ...row, proxy_wallet: groupName(row.proxy_wallet) };
  }) as Row[];
  if (rows.length === 0) return emptyChart(title, 'There is no row with a PnL to add up.');
  const ends = [...new Map(rows.map((row) => [row.proxy_wallet, row.cumulative_pnl]))].sort(([, a], [, b]) => b - a);
  const chosen = ends.map(([wallet]) => wallet);
  const values = chosen.flatMap((wallet) => thinned(rows.filter((row) => row.proxy_wallet === wallet)));
  const all = counted(wallets, 'wallet');
  const shown = chosen.length < wallets ? `The ${chosen.length} of ${all} that won or lost most` : all;
  const [best = 0, worst = 0] = [ends[0]?.[1], ends.at(-1)?.[1]];
  const subtitle = [
    `${shown}: from ${formatUsd(worst)} to ${formatUsd(best)} in the end`,
    values.length < rows.length
      ? `Drawn: ${counted(values.length, 'point')} of ${rows.length.toLocaleString('en-US')}, all peaks kept`
      : '',
  ];
  const tip = { field: 'proxy_wallet', type: 'nominal', title: 'Wallet' } as const;
  const x = timeEncoding(values);
  const line = { x, y: CUMULATIVE_USD, ...lineEncoding(chosen) };
  return new Chart({
    ...frameOfChart({ title, subtitle, width: 600, height: 340 }),
    data: { values },
    layer: [
      ZERO_LINE,
      {
        mark: {
          type: 'line',
          interpolate: 'step-after',
          strokeWidth: 1.75,
          aria: false,
          point: values.length === chosen.length,
        },
        encoding: line,
      },
      { mark: INVISIBLE, encoding: { x, y: CUMULATIVE_USD, tooltip: [tip, ...CURVE_TIP] } },
    ],
  } satisfies TopLevelSpec);
}

type Row = CumulativePnlRecord<'proxy_wallet'>;

function thinned(line: readonly Row[]): readonly Row[] {
  const totals = line.map((row) => row.cumulative_pnl);
  return thinnedCurve(totals, shareOf(MOST_POINTS) / LINE_COLORS.length).flatMap((at) => line[at] ?? []);
}

/** The rows of the wallets that won or lost most, as many as can be told apart, and the number of all wallets. */
function mostWonOrLost(frame: Tabular): { part: Tabular; wallets: number } {
  const { groupOf, groups } = groupedRows(frame, 'proxy_wallet');
  const ends = new Float64Array(groups).fill(Number.NaN);
  for (const [row, pnl] of numericColumn(frame, 'pnl').entries()) {
    const group = groupOf[row] ?? 0;
    if (!Number.isNaN(pnl)) ends[group] = (ends[group] || 0) + pnl;
  }
  const present = Array.from(ends.keys()).filter((group) => !Number.isNaN(ends[group]));
  const stake = (group: number) => Math.abs(ends[group] ?? 0);
  const chosen = new Set(present.sort((a, b) => stake(b) - stake(a)).slice(0, LINE_COLORS.length));
  const rows = Uint32Array.from(groupOf.keys()).filter((row) => chosen.has(groupOf[row] ?? -1));
  return { part: takeRows(frame as DataFrame, rows), wallets: present.length };
}

function lineEncoding(wallets: string[]) {
  const legend = { title: 'Wallet, best first', labelExpr: labelExprOf(wallets) };
  const field = { field: 'proxy_wallet', type: 'nominal', legend } as const;
  return {
    color: { ...field, scale: { domain: wallets, range: LINE_COLORS.slice(0, wallets.length) } },
    strokeDash: { ...field, scale: { domain: wallets, range: DASHES.slice(0, wallets.length) } },
  };
}
