import { UsageError } from './errors.js';

/**
 * Refuses a Date such as `new Date(2025, 10, 1)`, which is midnight where the machine stands but not in UTC, so that the
 * same program would ask for other days on another machine; and one within a second of such a midnight, as the last
 * second of a day is written, if it is of another day in UTC.
 *
 * @param name What was given, for the message: `startTime`, or `from of sharpe`.
 * @param isMoment Whether a moment is asked for. Where it is a day, a Date of the same day in UTC is right.
 * @throws {UsageError} If it is one; the message says what to write.
 */
export function refuseLocalMidnight(name: string, value: unknown, isMoment: boolean): void {
  if (!isLocalMidnight(value, isMoment)) return;
  const [year, month, date] = [value.getFullYear(), value.getMonth(), value.getDate()];
  const utc = value.toISOString();
  const day = localDay(value);
  const since = sinceMidnight(value);
  const clock = new Date(since).toISOString().slice(11).replace('.000Z', '').replace('Z', '');
  const isEnd = isMoment && since > SECOND_MS;
  const meant = isMoment ? `${utc.slice(0, 19)}Z` : utc.slice(0, 10);
  throw new UsageError(
    `${name} is ${since === 0 ? 'midnight' : clock} of ${day} in this machine's time zone, which is ` +
      `${utc.replace('.000Z', 'Z')}; all times here are UTC. Write '${day}${isEnd ? 'T23:59:59Z' : ''}', or ` +
      `new Date(Date.UTC(${year}, ${month}, ${date}${isEnd ? ', 23, 59, 59' : ''})); or '${meant}' if you mean that.`,
  );
}

const SECOND_MS = 1000;
const DAY_MS = 24 * 3600 * SECOND_MS;

/** Milliseconds since midnight by the machine's clock. */
function sinceMidnight(value: Date): number {
  const minutes = value.getHours() * 60 + value.getMinutes();
  return (minutes * 60 + value.getSeconds()) * SECOND_MS + value.getMilliseconds();
}

/** Whether a value is a Date at or around a midnight of the machine that is another moment, or another day, in UTC. */
function isLocalMidnight(value: unknown, isMoment: boolean): value is Date {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return false;
  const since = sinceMidnight(value);
  const isAround = (ms: number): boolean => ms <= SECOND_MS || ms >= DAY_MS - SECOND_MS;
  if (!isAround(since)) return false;
  return isMoment ? !isAround(value.getTime() % DAY_MS) : !value.toISOString().startsWith(localDay(value));
}

function localDay(value: Date): string {
  const [year, month, date] = [value.getFullYear(), value.getMonth() + 1, value.getDate()];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
}

/**
 * Refuses a column of Dates all of which are such midnights, where its days count: one alone may be any time of a day.
 *
 * @param name The column, for the message: `The column "d" of joinOn`.
 * @throws {UsageError} If all its Dates are; the message says what to write for the first.
 */
export function refuseLocalDays(name: string, cells: readonly unknown[], isMoment: boolean): void {
  const dates = cells.filter((cell) => cell instanceof Date);
  if (dates.every((date) => isLocalMidnight(date, isMoment)))
    refuseLocalMidnight(`A Date of ${name}`, dates[0], isMoment);
}
