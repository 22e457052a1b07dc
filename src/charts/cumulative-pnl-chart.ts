import type { TopLevelSpec } from 'vega-lite';
import { cumulativePnl } from '../analysis/cumulative-pnl.js';
import { formatUsd } from '../analysis/format-usd.js';
import { groupedRows } from '../analysis/grouped-rows.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { column } from '../frame/column.js';
import { columnNames } from '../frame/column-names.js';
import { shortId } from '../frame/display/cell-formatter.js';
import type { Tabular } from '../frame/tabular.js';
import { isMissing } from '../frame/vector/is-missing.js';
import { cellAt } from '../frame/vector/vector.js';
import { Chart } from './chart.js';
import { cumulativePnlLines } from './cumulative-pnl-lines.js';
import { emptyChart } from './empty-chart.js';
import { frameOfChart } from './frame-of-chart.js';
import { CUMULATIVE_USD, CURVE_TIP, timeEncoding, ZERO_LINE } from './pnl-encoding.js';
import { shareOf } from './shared-points.js';
import { COLORS } from './theme.js';
import { thinnedCurve } from './thinned-curve.js';
import { INVISIBLE } from './without-tips.js';

/**
 * Options of {@link cumulativePnlChart}.
 */
export interface CumulativePnlChartOptions {
  /** The title. Default: one that says what is shown, and of which wallet. */
  title?: string;
}

/** The approximate maximum of dates drawn. */
const MOST_DATES = 800;

/**
 * Cumulative realized PnL over time. For one wallet, or a frame without the column `proxy_wallet`: its curve, with the
 * drawdown below the highest point so far shaded. For several wallets: a line for each of at most eight, those that won
 * or lost most, as the subtitle then says. Of very many dates, those are drawn that preserve the shape of the curve.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`; `proxy_wallet` distinguishes wallets.
 * @returns The chart; if no row has a `pnl`, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, or a date cannot be read.
 * @throws {UsageError} If an option is unknown.
 * @example cumulativePnlChart(await lab.pnl({ wallet }).frame());
 */
export function cumulativePnlChart(frame: Tabular, options: CumulativePnlChartOptions = {}): Chart {
  knownOptions('cumulativePnlChart', options, ['title']);
  if (!columnNames(frame).includes('proxy_wallet')) return curveOf(frame, '', options.title);
  const { keys, groups } = groupedRows(frame, 'proxy_wallet');
  if (groups > 1) return cumulativePnlLines(frame, options.title);
  const wallet = groups === 1 ? cellAt(keys, 0) : null;
  return curveOf(frame, isMissing(wallet) ? '' : ` of ${shortId(String(wallet))}`, options.title);
}

function curveOf(frame: Tabular, whose: string, title = `Cumulative realized PnL${whose}`): Chart {
  const curve = cumulativePnl(frame);
  const dates = column(curve, 'date');
  if (dates.length === 0) return emptyChart(title, 'There is no row with a PnL to add up.');
  const [pnl, totals, depths] = [column(curve, 'pnl'), column(curve, 'cumulative_pnl'), column(curve, 'drawdown')];
  const shown = thinnedCurve(totals, shareOf(MOST_DATES));
  const values = shown.map((at) => {
    const [total = 0, depth = 0] = [totals[at], depths[at]];
    return { date: dates[at], pnl: pnl[at], cumulative_pnl: total, drawdown: depth, peak: total + depth };
  });
  const end = formatUsd(totals.at(-1) ?? 0);
  const subtitle = [
    `${end} in the end; shaded: drawdown below the highest point so far`,
    shown.length < dates.length ? `Drawn: ${shown.length} of ${counted(dates.length, 'date')}, all peaks kept` : '',
  ];
  return new Chart({
    ...frameOfChart({ title, subtitle, width: 640, height: 320 }),
    data: { values },
    layer: layersOf(timeEncoding(values), values.length === 1),
  } satisfies TopLevelSpec);
}

function layersOf(x: ReturnType<typeof timeEncoding>, point: boolean) {
  const step = { interpolate: 'step-after', aria: false } as const;
  return [
    {
      mark: { type: 'area', ...step, color: COLORS.loss, opacity: 0.28 } as const,
      encoding: { x, y: { ...CUMULATIVE_USD, field: 'peak' }, y2: { field: 'cumulative_pnl' } },
    },
    ZERO_LINE,
    {
      mark: { type: 'line', ...step, color: COLORS.main, strokeWidth: 2, point } as const,
      encoding: { x, y: CUMULATIVE_USD },
    },
    { mark: INVISIBLE, encoding: { x, y: CUMULATIVE_USD, tooltip: [...CURVE_TIP] } },
  ];
}
