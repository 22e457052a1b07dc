import { DAY_SECONDS, isoOfSeconds } from '../contract/time.js';
import { MONTHS } from './period-bars.js';

/** A day of a calendar. */
export interface CalendarCell {
  /** `2025-11-03`. */
  date: string;
  /** The block of weeks that it is in, if there are several. */
  year?: string;
  /** Column within the block, from 0. */
  week: number;
  weekday: 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun';
  /** Null if the day has none. */
  pnl: number | null;
  /** Lines above the column: only on the Monday of a month's first whole week, or on the very first day. */
  month?: string[];
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Weeks that fit in a row: a year and a few days. */
const ROW_WEEKS = 54;

/**
 * The cells of a calendar, one for each day from the first to the last: in one block if they span at most about a year,
 * otherwise in a block for each calendar year.
 *
 * @param first In days since 1970, like `last` and the keys of `pnlOf`.
 */
export function calendarCells(first: number, last: number, pnlOf: ReadonlyMap<number, number>): CalendarCell[] {
  const isOneRow = weekOf(last) - weekOf(first) < ROW_WEEKS;
  let isNamed = false;
  const cells = Array.from({ length: last - first + 1 }, (_, at) => {
    const day = first + at;
    const date = isoOfSeconds(day * DAY_SECONDS).slice(0, 10);
    const year = date.slice(0, 4);
    const pnl = pnlOf.get(day);
    const from = isOneRow ? first : Date.UTC(Number(year), 0, 1) / 1000 / DAY_SECONDS;
    const name = monthFrom(day, date);
    const isNewYear = isOneRow && name !== undefined && (name === 'Jan' || !isNamed);
    isNamed ||= name !== undefined;
    return {
      date,
      ...(isOneRow ? {} : { year }),
      week: weekOf(day) - weekOf(from),
      weekday: WEEKDAYS[(day + 3) % 7] ?? 'Mon',
      pnl: pnl === undefined ? null : Math.round(pnl * 100) / 100,
      ...(name === undefined ? {} : { month: isNewYear ? [name, year] : [name] }),
    };
  });
  return isNamed ? cells : cells.map((cell, at) => (at === 0 ? { ...cell, month: namesOf(cell.date) } : cell));
}

/** The month and the year of a day. */
function namesOf(date: string): string[] {
  return [MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3) ?? '', date.slice(0, 4)];
}

/** Weeks from Monday, counted from the one that holds the first day of 1970, a Thursday. */
function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

/** The month whose first whole week begins on a day; undefined on other days. */
function monthFrom(day: number, date: string): string | undefined {
  const isFirstWeek = (day + 3) % 7 === 0 && Number(date.slice(8)) <= 7;
  return isFirstWeek ? MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3) : undefined;
}
