import { DAY_SECONDS, isoOfSeconds } from '../contract/time.js';
import { MONTHS } from './period-bars.js';

/** A day of a calendar. */
export interface CalendarCell {
  /** `2025-11-03`. */
  date: string;
  /** Which block of weeks it stands in. */
  year: string;
  /** Column within the block, from 0. */
  week: number;
  weekday: 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun';
  /** Null where there is none. */
  pnl: number | null;
  /** Of gain or loss. */
  amount: number;
  /** What stands above the column: only in the first whole week of a month, on its Monday. */
  month?: string;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Weeks that fit in a row: a year and a few days. */
const ROW_WEEKS = 54;

/**
 * The cells of a calendar, all days from a first to a last one: in one block where they span no more than a year, else
 * a block for each calendar year.
 *
 * @param first In days since 1970, as are the keys of `pnlOf`.
 */
export function calendarCells(first: number, last: number, pnlOf: ReadonlyMap<number, number>): CalendarCell[] {
  const isOneRow = weekOf(last) - weekOf(first) < ROW_WEEKS;
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const day = first + at;
    const date = isoOfSeconds(day * DAY_SECONDS).slice(0, 10);
    const year = date.slice(0, 4);
    const pnl = pnlOf.get(day);
    const start = isOneRow ? first : Math.max(first, Date.UTC(Number(year), 0, 1) / 1000 / DAY_SECONDS);
    const from = isOneRow ? first : Date.UTC(Number(year), 0, 1) / 1000 / DAY_SECONDS;
    return {
      date,
      year: isOneRow ? '' : year,
      week: weekOf(day) - weekOf(from),
      weekday: WEEKDAYS[(day + 3) % 7] ?? 'Mon',
      pnl: pnl === undefined ? null : Math.round(pnl * 100) / 100,
      amount: Math.round(Math.abs(pnl ?? 0) * 100) / 100,
      ...monthAbove(day, date, start, isOneRow),
    };
  });
}

/** Weeks from Monday, counted from the one that holds the first day of 1970, a Thursday. */
function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

function monthAbove(day: number, date: string, start: number, isOneRow: boolean): { month?: string } {
  const isFirstWeek = (day + 3) % 7 === 0 && Number(date.slice(8)) <= 7;
  if (!isFirstWeek) return {};
  const name = MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3) ?? '';
  const isNewYear = isOneRow && (name === 'Jan' || day - start < 31);
  return { month: isNewYear ? `${name} ${date.slice(0, 4)}` : name };
}
