import type { Period } from '../analysis/grouped-rows.js';
import { shareOf } from './shared-points.js';

const PERIODS: readonly Period[] = ['day', 'week', 'month'];

/** Bars that are drawn where nobody asked for a period, and at most. */
const [COMFORTABLE, MOST] = [62, 400];

/** Rows of the period that they are drawn by. */
export interface PeriodRows<Row> {
  readonly period: Period;
  readonly rows: readonly Row[];
  /** What a subtitle says where the period is not the one asked for; else empty. */
  readonly note: string;
}

/**
 * Rows by a period that makes no more bars than a picture can hold: the one asked for or a coarser one; where none is
 * asked for, the finest that is comfortable to read.
 *
 * @param rowsOf Makes the rows of a period.
 */
export function fittedPeriod<Row>(
  asked: Period | undefined,
  rowsOf: (period: Period) => readonly Row[],
): PeriodRows<Row> {
  const start = PERIODS.indexOf(asked ?? 'day');
  const mostBars = Math.max(COMFORTABLE, shareOf(MOST));
  const most = asked === undefined ? COMFORTABLE : mostBars;
  let period = PERIODS[start] ?? 'day';
  let rows = rowsOf(period);
  const finest = rows.length;
  for (const next of PERIODS.slice(start + 1)) {
    if (rows.length <= most) break;
    [period, rows] = [next, rowsOf(next)];
  }
  const last = rows.slice(-mostBars);
  const coarser =
    asked === undefined || asked === period ? '' : `By ${period}: ${finest} ${asked}s are too many to draw`;
  const cut = last.length < rows.length ? `Drawn: the last ${mostBars} of ${rows.length} ${period}s` : '';
  return { period, rows: last, note: [coarser, cut].filter(Boolean).join('. ') };
}
