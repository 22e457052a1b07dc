import type { PnlCurve } from '../../analysis/records/pnl-curve.js';
import {
  GRANULARITY_OF,
  granularityOf,
  guessedGranularity,
  isCoarser,
  type Period,
} from '../../analysis/records/record-granularity.js';
import { MICRO } from '../../base/decimal.js';
import { UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { nearest } from '../../base/nearest.js';
import { counted } from '../../base/texts.js';
import { bucketStart, DAY_MS } from '../../contract/time.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import { dayLabels, roomTo } from './axes.js';
import { shareOfPoints } from './chart-spec.js';

/** A period as a bar along a time axis. */
export interface PeriodBar {
  /** Ends of the bar, in milliseconds since 1970. */
  from: number;
  to: number;
  /** Its middle. */
  at: number;
  /** The period in words. */
  when: string;
}

/** The gap on each side of a bar, as a share of the period's length. */
const GAP = 0.09;

/** The bar of a period, given its first moment as ISO 8601 text. */
export function periodBar(date: string, period: Period): PeriodBar {
  const start = Date.parse(date);
  const first = new Date(start);
  const next = period === 'month' ? Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) : 0;
  const length = period === 'month' ? next - start : DAY_MS * (period === 'week' ? 7 : 1);
  const at = start + length / 2;
  return { from: start + GAP * length, to: start + (1 - GAP) * length, at, when: inWords(first, period) };
}

/** A period in words, given its first day: `Nov 3, 2025`, `Week of Nov 3, 2025`, `November 2025`. */
function inWords(first: Date, period: Period): string {
  const [month, year] = [itemAt(MONTHS, first.getUTCMonth()), first.getUTCFullYear()];
  if (period === 'month') return `${month} ${year}`;
  return `${period === 'week' ? 'Week of ' : ''}${month.slice(0, 3)} ${first.getUTCDate()}, ${year}`;
}

/** Names of the months, in English whatever the machine speaks. */
export const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** The x axis of time: a tick under the middle of each bar if they are few and their labels tell them apart. */
export function periodAxis(bars: readonly PeriodBar[], period: Period) {
  const [first, last] = [bars[0], bars.at(-1)];
  // Labels of days and weeks name no year.
  const isClear = period === 'month' || (first && last && last.at - first.at < 365 * DAY_MS);
  const isFew = bars.length <= 14 && isClear;
  // Few bars are labelled by their starts. A longer axis also shows a year that begins within the last bar.
  const ends = first && last ? [first.from, isFew ? last.from : last.to] : [];
  const years = [...new Set(ends.map((time) => new Date(time).getUTCFullYear()))].join('–');
  const title = `${TITLES[period]}, UTC, ${years}`;
  if (!isFew) return { title, tickCount: 8, labelOverlap: true, ...dayLabels(bars.map((bar) => bar.at)) };
  // The middle of a day or a month is still in it by name; that of a week is 3.5 days after the date that names it.
  const late = period === 'week' ? 3.5 * DAY_MS : 0;
  const format = period === 'month' ? '%b %Y' : '%b %-d';
  return {
    title,
    values: bars.map((bar) => bar.at),
    labelExpr: `utcFormat(datum.value - ${late}, '${format}')`,
    labelOverlap: true,
  };
}

/** Room that keeps a few bars from filling the whole width; none if there are enough bars. */
export function periodRoom(bars: readonly PeriodBar[]) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return [];
  const missing = FEWEST * ((first.to - first.from) / (1 - 2 * GAP)) - (last.to - first.from);
  return missing > 0 ? [roomTo('x', 'temporal', 'from', [first.from - missing / 2, last.to + missing / 2])] : [];
}

/** The least number of periods that the x axis has room for. */
const FEWEST = 6;

const TITLES = { day: 'Day', week: 'Week, from Monday', month: 'Month' } as const;

const PERIODS: readonly Period[] = ['day', 'week', 'month'];

/** The most bars drawn by default, and the most drawn for a period that was asked for. */
const [COMFORTABLE, MOST_PERIODS] = [62, 400];

/** The rows to draw and the period that they are pooled by. */
interface PeriodRows<Row> {
  readonly period: Period;
  /** The rows to draw: only the last ones if even months are too many. */
  readonly rows: readonly Row[];
  /** All rows, including those not drawn. */
  readonly all: readonly Row[];
  /** A note for the subtitle if the period is not the one asked for or rows are not drawn; otherwise empty. */
  readonly note: string;
}

/**
 * Pools rows by a period that makes no more bars than a chart can hold: the one asked for or a coarser one; if none is
 * asked for, the finest that is easy to read. Periods without rows count too, since they take room on the axis.
 *
 * @param rowsOf Makes the rows of a period.
 * @param finest The finest period to choose if none is asked for. Default `day`.
 * @throws {UsageError} If `asked` is not a period.
 */
export function fittedPeriod<Row extends object>(
  asked: Period | undefined,
  rowsOf: (period: Period) => readonly Row[],
  finest: Period = 'day',
): PeriodRows<Row> {
  const start = placeOf(asked === undefined ? finest : asked);
  const mostBars = Math.max(COMFORTABLE, shareOfPoints(MOST_PERIODS));
  const most = asked === undefined ? COMFORTABLE : mostBars;
  let period = PERIODS[start] ?? 'day';
  let rows = rowsOf(period);
  const places = placesOf(rows, period);
  for (const next of PERIODS.slice(start + 1)) {
    if (placesOf(rows, period) <= most) break;
    [period, rows] = [next, rowsOf(next)];
  }
  const last = rows.slice(-mostBars);
  const coarser =
    asked === undefined || asked === period ? '' : `By ${period}: ${counted(places, asked)} are too many to draw`;
  const cut = last.length < rows.length ? `Drawn: the last ${mostBars} of ${counted(rows.length, period)}` : '';
  return { period, rows: last, all: rows, note: [coarser, cut].filter(Boolean).join('. ') };
}

/**
 * The finest period that PnL records distinguish, according to the queries behind them or, if these do not say, to their
 * distinct times, in milliseconds since 1970.
 */
export function finestPeriod(frame: Tabular, times: Float64Array): Period {
  const granularity = granularityOf(frame) ?? guessedGranularity(times);
  return PERIODS.find((period) => !isCoarser(granularity, GRANULARITY_OF[period])) ?? 'month';
}

/** Realized PnL by period, in the order of time: the first day of each period, in days since 1970, and dollars. */
export function pnlByPeriod({ times, micros }: PnlCurve, period: Period): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [place, time] of times.entries()) {
    const day = Math.floor(time / DAY_MS);
    const start = bucketStart(GRANULARITY_OF[period], day, day);
    sums.set(start, (sums.get(start) ?? 0) + itemAt(micros, place));
  }
  return new Map(Array.from(sums, ([start, total]) => [start, total / MICRO]));
}

/** The index of a period, the finest first. */
function placeOf(asked: Period): number {
  const place = PERIODS.indexOf(asked);
  if (place >= 0) return place;
  const near = typeof asked === 'string' ? nearest(asked, PERIODS) : undefined;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new UsageError(`by must be "day", "week" or "month"; got ${JSON.stringify(asked)}.${hint}`);
}

/** Approximate days of a period. */
const DAYS_OF_PERIOD = { day: 1, week: 7, month: 30.44 } as const;

/** The number of periods from the earliest `date` to the latest. */
function placesOf(rows: readonly object[], period: Period): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const time = Date.parse(String(Reflect.get(row, 'date')));
    [first, last] = [Math.min(first, time), Math.max(last, time)];
  }
  return rows.length === 0 ? 0 : Math.round((last - first) / (DAYS_OF_PERIOD[period] * DAY_MS)) + 1;
}
