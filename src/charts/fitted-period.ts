import { GRANULARITY_OF, type Period } from '../analysis/grouped-rows.js';
import { granularityOf, isCoarser } from '../analysis/refuse-coarser.js';
import { nearest } from '../contract/nearest.js';
import { UsageError } from '../errors.js';
import type { Tabular } from '../frame/tabular.js';
import { shareOf } from './shared-points.js';

const PERIODS: readonly Period[] = ['day', 'week', 'month'];

/** Bars that are drawn where nobody asked for a period, and at most. */
const [COMFORTABLE, MOST] = [62, 400];

/** Rows of the period that they are drawn by. */
export interface PeriodRows<Row> {
  readonly period: Period;
  /** Those that are drawn: the last ones where they are too many by month, too. */
  readonly rows: readonly Row[];
  /** Those that are not drawn, too. */
  readonly all: readonly Row[];
  /** What a subtitle says where the period is not the one asked for; else empty. */
  readonly note: string;
}

/**
 * Rows by a period that makes no more bars than a picture can hold: the one asked for or a coarser one; where none is
 * asked for, the finest that is comfortable to read. Periods without a row count, too: they take their place on the axis.
 *
 * @param rowsOf Makes the rows of a period.
 * @param finest The finest to choose where none is asked for. Default `day`.
 * @throws {UsageError} If what is asked for is no period.
 */
export function fittedPeriod<Row extends object>(
  asked: Period | undefined,
  rowsOf: (period: Period) => readonly Row[],
  finest: Period = 'day',
): PeriodRows<Row> {
  const start = placeOf(asked === undefined ? finest : asked);
  const mostBars = Math.max(COMFORTABLE, shareOf(MOST));
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
    asked === undefined || asked === period ? '' : `By ${period}: ${places} ${asked}s are too many to draw`;
  const cut = last.length < rows.length ? `Drawn: the last ${mostBars} of ${rows.length} ${period}s` : '';
  return { period, rows: last, all: rows, note: [coarser, cut].filter(Boolean).join('. ') };
}

/** The finest period that PnL records tell apart. */
export function finestPeriod(frame: Tabular): Period {
  const granularity = granularityOf(frame) ?? '1d';
  return PERIODS.find((period) => !isCoarser(granularity, GRANULARITY_OF[period])) ?? 'month';
}

/** Where a period stands among all, the finest first. */
function placeOf(asked: Period): number {
  const place = PERIODS.indexOf(asked);
  if (place >= 0) return place;
  const near = typeof asked === 'string' ? nearest(asked, PERIODS) : undefined;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new UsageError(`by must be "day", "week" or "month"; got ${JSON.stringify(asked)}.${hint}`);
}

/** Days of a period, about. */
const DAYS = { day: 1, week: 7, month: 30.44 } as const;

/** Periods from the `date` of the first row to that of the last. */
function placesOf(rows: readonly object[], period: Period): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const time = Date.parse(String(Reflect.get(row, 'date')));
    [first, last] = [Math.min(first, time), Math.max(last, time)];
  }
  return rows.length === 0 ? 0 : Math.round((last - first) / (DAYS[period] * 86_400_000)) + 1;
}
