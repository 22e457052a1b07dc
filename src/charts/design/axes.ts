import { itemAt } from '../../base/item-at.js';
import { extentOf } from '../../base/many.js';
import { DAY_MS, DAY_SECONDS } from '../../contract/time.js';
import { labelExprOf } from './chart-text.js';
import { REFERENCE } from './marks.js';
import { INK } from './theme.js';

/** Vega expressions and formats for the labels of axes and tips in all charts. */
export const LABELS = {
  /** Dollars on an axis, short: $0.25, $250, $1.5k, $20M, $3B. */
  usd: "replace(format(datum.value, abs(datum.value) < 1 ? '$~f' : '$~s'), 'G', 'B')",
  /** Dollars in a tip, to the cent. */
  usdTip: '$,.2f',
  /** A fraction as a percentage on an axis. */
  percent: '~%',
  /** A fraction as a percentage in a tip. */
  percentTip: '.1%',
  /** A count on an axis, short. */
  amount: '~s',
  count: ',d',
  date: '%b %-d, %Y',
} as const;

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

/** The most days for which an axis labels its ticks by day. */
const MOST_DAYS = 62;

/** The most days from first to last for which an axis has exactly one tick per day. */
const FEW_DAYS = 7;

/**
 * The label format and ticks of an axis of days, such as `Nov 3`: by default Vega mixes weekdays, months and
 * zero-padded days. A few days get one tick each. Empty for a longer time, and for hours of a few days.
 *
 * @param times In milliseconds since 1970.
 */
export function dayLabels(times: readonly number[]): { format?: string; values?: number[] } {
  let [first, last, isDaily] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (const time of times) {
    [first, last] = [Math.min(first, time), Math.max(last, time)];
    isDaily &&= (time - itemAt(times, 0)) % DAY_MS === 0;
  }
  const days = (last - first) / DAY_MS;
  if (days > MOST_DAYS || !(isDaily || days > 3)) return {};
  // By default Vega puts several ticks into a day, which would all have the same label.
  const values = days <= FEW_DAYS ? midnights(first, last) : [];
  return { format: '%b %-d', ...(values.length > 0 && { values }) };
}

/** The starts of UTC days between two times, both included. */
function midnights(first: number, last: number): number[] {
  const start = Math.ceil(first / DAY_MS);
  return Array.from({ length: Math.floor(last / DAY_MS) - start + 1 }, (_, day) => (start + day) * DAY_MS);
}

/** The edges of bars of lifetimes, in seconds and then in days, with their names on an axis. */
const [SHORT_EDGES, LONG_EDGES] = [
  [
    ...([
      [1, '1 s'],
      [60, '1 min'],
      [300, '5 min'],
      [900, '15 min'],
      [1800, '30 min'],
      [3600, '1 h'],
    ] as const),
    ...([
      [10_800, '3 h'],
      [21_600, '6 h'],
      [43_200, '12 h'],
    ] as const),
  ],
  [
    ...([
      [1, '1 d'],
      [2, '2 d'],
      [4, '4 d'],
      [7, '1 wk'],
      [14, '2 wk'],
      [30, '1 mo'],
      [60, '2 mo'],
      [90, '3 mo'],
    ] as const),
    ...([
      [180, '6 mo'],
      [365, '1 y'],
      [730, '2 y'],
      [1460, '4 y'],
      [2920, '8 y'],
      [5840, '16 y'],
      [36_500, '100 y'],
    ] as const),
  ],
];

const NAMED_EDGES = [...SHORT_EDGES.map(([seconds, name]) => [seconds / DAY_SECONDS, name] as const), ...LONG_EDGES];

/** The edges of bars of lifetimes, in days, on a logarithmic axis; a life of less than a second counts as one. */
export const LIFETIME_EDGES: readonly number[] = NAMED_EDGES.map(([days]) => days);

/** An axis of days that labels every edge. */
export const LIFETIME_AXIS = {
  title: 'From opening to close',
  labelExpr: NAMED_EDGES.reduceRight<string>(
    (rest, [days, name]) => `abs(datum.value / ${days} - 1) < 1e-6 ? '${name}' : ${rest}`,
    "''",
  ),
};

/**
 * Names along the y axis, in the order of the rows and shortened.
 *
 * @param grid Whether a line leads from each name to its marks.
 */
export function namesEncoding<Field extends string>(
  field: Field,
  rows: readonly Readonly<Record<Field, string>>[],
  grid: boolean,
) {
  const labelExpr = labelExprOf(rows.map((row) => row[field]));
  const axis = { title: null, labelExpr, labelOpacity: 1, grid } as const;
  return { field, type: 'nominal', sort: null, axis } as const;
}

/** An invisible layer to whose ends an axis reaches. A domain would cut off what another chart layers over it. */
export function roomTo(axis: 'x' | 'y', type: 'quantitative' | 'temporal', field: string, ends: readonly number[]) {
  const mark = { type: 'tick', opacity: 0, aria: false, tooltip: null } as const;
  const values = ends.map((end) => ({ [field]: end }));
  return { data: { values }, mark, encoding: { [axis]: { field, type } } } as const;
}

/**
 * Room for labels beyond the ends of bars: on the side of gains, of losses or both, depending on which there are. A
 * padding would always leave room on both sides.
 *
 * @param share The room for a label, as a share of the bars' span.
 */
export function barRoom(axis: 'x' | 'y', lengths: readonly number[], share: number) {
  const [least, most] = extentOf([0, ...lengths]);
  const room = share * (most - least);
  return roomTo(axis, 'quantitative', 'end', [least < 0 ? least - room : 0, most > 0 ? most + room : 0]);
}

/** The room on each side, as a share of the rates' span, and the least span of an axis of rates. */
const [ROOM_BESIDE_RATES, LEAST_SPAN_OF_RATES] = [0.05, 0.1];

/** Some room beside rates and their intervals, never beyond 0 and 1. */
export function rateRoom(axis: 'x' | 'y', rates: readonly number[]) {
  const [least, most] = extentOf(rates);
  const aside = Math.max(ROOM_BESIDE_RATES * (most - least), (LEAST_SPAN_OF_RATES - (most - least)) / 2);
  return roomTo(axis, 'quantitative', 'rate', [Math.max(0, least - aside), Math.min(1, most + aside)]);
}

/** Win rates along an axis. Dots and lines need no zero, and rates differ only within a small part of their range. */
export const WIN_RATE = {
  type: 'quantitative',
  scale: { zero: false, nice: true },
  axis: { title: 'Win rate (% of closing events)', format: LABELS.percent },
} as const;

/** Shares of all along an axis, from 0 to 1. */
export function shareEncoding(field: string, title: string) {
  const axis = { format: LABELS.percent, tickCount: 5, grid: true, title } as const;
  return { type: 'quantitative', scale: { domain: [0, 1] as number[] }, field, axis } as const;
}

/** The dashed line on which both axes show the same share. */
export function diagonal(x: ReturnType<typeof shareEncoding>, y: ReturnType<typeof shareEncoding>) {
  const encoding = { x: { ...x, field: 'from' }, x2: { field: 'to' }, y: { ...y, field: 'from' }, y2: { field: 'to' } };
  return { data: { values: [{ from: 0, to: 1 }] }, mark: REFERENCE, encoding };
}
