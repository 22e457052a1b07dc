import { GRANULARITY_OF, type Period } from '../analysis/grouped-rows.js';
import { granularityOf, guessedGranularity, isCoarser } from '../analysis/refuse-coarser.js';
import { UsageError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import type { Tabular } from '../frame/tabular.js';
import { shareOf } from './shared-points.js';

const PERIODS: readonly Period[] = ['day', 'week', 'month'];

/** The most bars drawn by default, and the most drawn for a period that was asked for. */
const [COMFORTABLE, MOST] = [62, 400];

/** The rows to draw and the period that they are pooled by. */
export interface PeriodRows<Row> {
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

/** The index of a period, the finest first. */
function placeOf(asked: Period): number {
  const place = PERIODS.indexOf(asked);
  if (place >= 0) return place;
  const near = typeof asked === 'string' ? nearest(asked, PERIODS) : undefined;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new UsageError(`by must be "day", "week" or "month"; got ${JSON.stringify(asked)}.${hint}`);
}

/** Approximate days of a period. */
const DAYS = { day: 1, week: 7, month: 30.44 } as const;

/** The number of periods from the earliest `date` to the latest. */
function placesOf(rows: readonly object[], period: Period): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const time = Date.parse(String(Reflect.get(row, 'date')));
    [first, last] = [Math.min(first, time), Math.max(last, time)];
  }
  return rows.length === 0 ? 0 : Math.round((last - first) / (DAYS[period] * 86_400_000)) + 1;
}
