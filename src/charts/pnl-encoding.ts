import { dayLabels } from './day-labels.js';
import { LABELS } from './labels.js';
import { INK } from './theme.js';

/** Dates along the x axis, in UTC wherever they are shown. The title names their years, since ticks may not. */
export function timeEncoding(rows: readonly { readonly date: unknown }[]) {
  const years = rows.map(({ date }) => String(date).slice(0, 4)).sort();
  const [first = '', last = ''] = [years[0], years.at(-1)];
  const title = `Date, UTC, ${first === last ? first : `${first}–${last}`}`;
  const axis = {
    title,
    tickCount: 8,
    labelOverlap: true,
    ...dayLabels(rows.map(({ date }) => Date.parse(String(date)))),
  };
  return { field: 'date', type: 'temporal', scale: { type: 'utc' }, axis } as const;
}

/** Dollars of cumulative PnL along the y axis. */
export const CUMULATIVE_USD = {
  field: 'cumulative_pnl',
  type: 'quantitative',
  scale: { nice: 6 },
  axis: { title: 'Cumulative realized PnL (USD)', labelExpr: LABELS.usd, tickCount: 6 },
} as const;

/** The line of no gain and no loss. */
export const ZERO_LINE = {
  data: { values: [{ zero: 0 }] },
  mark: { type: 'rule', color: INK, opacity: 0.6, strokeWidth: 1, aria: false, tooltip: null },
  encoding: { y: { field: 'zero', type: 'quantitative' } },
} as const;

/** The tip of a date on a curve. */
export const CURVE_TIP = [
  { field: 'date', type: 'temporal', title: 'Date', timeUnit: 'utcyearmonthdate', format: LABELS.date },
  { field: 'cumulative_pnl', type: 'quantitative', title: 'Cumulative PnL', format: LABELS.usdTip },
  { field: 'pnl', type: 'quantitative', title: 'PnL', format: LABELS.usdTip },
  { field: 'drawdown', type: 'quantitative', title: 'Drawdown', format: LABELS.usdTip },
] as const;
