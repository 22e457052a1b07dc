import type { TopLevelSpec } from 'vega-lite';
import { cumulativePnl } from '../analysis/cumulative-pnl.js';
import { formatUsd } from '../analysis/format-usd.js';
import { column } from '../frame/column.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { shortId } from '../frame/display/cell-formatter.js';
import { recordsOf } from '../frame/records-of.js';
import type { Tabular } from '../frame/tabular.js';
import { Chart } from './chart.js';
import { cumulativePnlLines } from './cumulative-pnl-lines.js';
import { frameOfChart } from './frame-of-chart.js';
import { CUMULATIVE_USD, CURVE_TIP, INVISIBLE, TIME, ZERO_LINE } from './pnl-encoding.js';
import { COLORS } from './theme.js';
import { TIPS } from './without-tips.js';

/** How {@link cumulativePnlChart} looks. */
export interface CumulativePnlChartOptions {
  /** Default: what is shown, and whose. */
  title?: string;
}

/**
 * Cumulative realized PnL over time. One wallet, or a frame without wallets: its curve, with the drawdown below the
 * highest point so far shaded. Several wallets: a line each, at most eight, those that won or lost most, as the
 * subtitle then says.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`; `proxy_wallet` tells wallets apart.
 * @throws {ColumnError} If a column is missing or not numeric, or a date cannot be read.
 * @example cumulativePnlChart(await lab.pnl({ wallet }).frame());
 */
export function cumulativePnlChart(frame: Tabular, options: CumulativePnlChartOptions = {}): Chart {
  const wallets = frame.columns.includes('proxy_wallet')
    ? new Set(column(frame as DataFrame<{ proxy_wallet: string }>, 'proxy_wallet'))
    : new Set<string>();
  if (wallets.size > 1) return cumulativePnlLines(frame, options.title);
  const [wallet = ''] = wallets;
  return curveOf(frame, wallet && ` of ${shortId(wallet)}`, options.title);
}

function curveOf(frame: Tabular, whose: string, title = `Cumulative realized PnL${whose}`): Chart {
  const curve = cumulativePnl(frame);
  const [dollars, depths] = [column(curve, 'cumulative_pnl'), column(curve, 'drawdown')];
  const end = formatUsd(dollars.at(-1) ?? 0);
  const values = recordsOf(curve).map((row, at) => ({ ...row, peak: (dollars[at] ?? 0) + (depths[at] ?? 0) }));
  const tips = { name: TIPS, mark: INVISIBLE, encoding: { x: TIME, y: CUMULATIVE_USD, tooltip: [...CURVE_TIP] } };
  return new Chart({
    ...frameOfChart({
      title,
      subtitle: `${end} in the end; shaded: drawdown below the highest point so far`,
      description: `${title}: ${end} after ${values.length} dates`,
      width: 640,
      height: 320,
    }),
    data: { values },
    layer: [
      {
        mark: { type: 'area', interpolate: 'step-after', color: COLORS.loss, opacity: 0.22 },
        encoding: { x: TIME, y: { ...CUMULATIVE_USD, field: 'peak' }, y2: { field: 'cumulative_pnl' } },
      },
      ZERO_LINE,
      {
        mark: {
          type: 'line',
          interpolate: 'step-after',
          color: COLORS.main,
          strokeWidth: 2,
          point: values.length === 1,
        },
        encoding: { x: TIME, y: CUMULATIVE_USD },
      },
      tips,
    ],
  } satisfies TopLevelSpec);
}
