import type { TopLevelSpec } from 'vega-lite';
import { type CumulativePnlRecord, cumulativePnl } from '../analysis/cumulative-pnl.js';
import { groupedRows, groupedSums } from '../analysis/records/grouped-rows.js';
import { formatUsd } from '../analysis/shown-result.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { takeRows } from '../frame/danfo/frame-from-vectors.js';
import { shortId } from '../frame/display/cell-formatter.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { cellAt, isMissing } from '../frame/vector/vector.js';
import { CUMULATIVE_USD, CURVE_TIP, timeEncoding, ZERO_LINE } from './design/axes.js';
import { frameOfChart, shareOfPoints } from './design/chart-spec.js';
import { groupName, labelExprOf } from './design/chart-text.js';
import { INVISIBLE } from './design/marks.js';
import { COLORS, DASHES, LINE_COLORS } from './design/theme.js';
import { Chart, emptyChart } from './drawing/chart.js';

/** Options of {@link cumulativePnlChart}. */
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
  const rows = recordsOf(cumulativePnl(frame)) as CumulativePnlRecord[];
  if (rows.length === 0) return emptyChart(title, 'There is no row with a PnL to add up.', frame);
  const shown = thinned(rows, shareOfPoints(MOST_DATES));
  const values = shown.map((row) => ({ ...row, peak: row.cumulative_pnl + row.drawdown }));
  const subtitle = [
    `${formatUsd(itemAt(rows, rows.length - 1).cumulative_pnl)} in the end; shaded: drawdown below the highest point so far`,
    shown.length < rows.length ? `Drawn: ${shown.length} of ${counted(rows.length, 'date')}, all peaks kept` : '',
  ];
  return new Chart({
    ...frameOfChart({ of: frame, title, subtitle, width: 640, height: 320 }),
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

/** The approximate maximum of points in all lines together. */
const MOST_POINTS = 1200;

/** Draws the cumulative PnL of several wallets, with one line each, told apart by colour and dashes. */
function cumulativePnlLines(frame: Tabular, title = 'Cumulative realized PnL by wallet'): Chart {
  const { part, wallets } = mostWonOrLost(frame);
  const rows = recordsOf(cumulativePnl(part, { by: 'proxy_wallet' })).map((row) => ({
    ...row,
    proxy_wallet: groupName(row.proxy_wallet),
  })) as CumulativePnlRecord<'proxy_wallet'>[];
  if (rows.length === 0) return emptyChart(title, 'There is no row with a PnL to add up.', frame);
  const ends = [...new Map(rows.map((row) => [row.proxy_wallet, row.cumulative_pnl]))].sort(([, a], [, b]) => b - a);
  const chosen = ends.map(([wallet]) => wallet);
  const most = shareOfPoints(MOST_POINTS) / LINE_COLORS.length;
  const lines = chosen.map((wallet) => rows.filter((row) => row.proxy_wallet === wallet));
  const values = lines.flatMap((line) => thinned(line, most));
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
    ...frameOfChart({ of: frame, title, subtitle, width: 600, height: 340 }),
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

/** The rows of the wallets that won or lost most, as many as can be told apart, and the number of all wallets. */
function mostWonOrLost(frame: Tabular): { part: Tabular; wallets: number } {
  const { grouped, sums, present } = groupedSums(frame, 'proxy_wallet', ['pnl'], []);
  const { groupOf } = grouped;
  const [pnl = new Float64Array()] = sums;
  const stake = (group: number) => Math.abs(itemAt(pnl, group));
  const chosen = new Set([...present].sort((a, b) => stake(b) - stake(a)).slice(0, LINE_COLORS.length));
  const rows = Uint32Array.from(groupOf.keys()).filter((row) => chosen.has(groupOf[row] as number));
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

/**
 * Chooses the points to draw of a curve with more points than a picture can show: the first, lowest, highest and last
 * of each stretch, so that no peak and no fall is lost.
 *
 * @param most The approximate maximum of points to keep.
 */
function thinned<Row extends CumulativePnlRecord>(rows: readonly Row[], most: number): readonly Row[] {
  if (rows.length <= most) return rows;
  const stretches = Math.max(1, Math.floor(most / 4));
  const kept = Array.from({ length: stretches }, (_, at) => {
    const end = Math.floor(((at + 1) * rows.length) / stretches);
    const stretch = rows.slice(Math.floor((at * rows.length) / stretches), end);
    const totals = stretch.map((row) => row.cumulative_pnl);
    const lowest = totals.reduce((least, total) => Math.min(least, total));
    const highest = totals.reduce((most, total) => Math.max(most, total));
    const places = new Set([0, totals.indexOf(lowest), totals.indexOf(highest), stretch.length - 1]);
    return stretch.filter((_, place) => places.has(place));
  });
  return kept.flat();
}
