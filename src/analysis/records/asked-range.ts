import { UsageError } from '../../base/errors.js';
import { refuseLocalMidnight } from '../../base/local-midnight.js';
import { leastOf } from '../../base/many.js';
import { PNL } from '../../contract/pnl.js';
import { DAY_MS, dateOfDay, dayOfDate } from '../../contract/time.js';
import { type Provenance, provenanceOf } from '../../frame/tabular/provenance.js';
import type { Tabular } from '../../frame/tabular/tabular.js';

/** Days that a measure counts, those without a record included; both ends belong to the range. */
export interface DayRange {
  /** UTC day numbers (days since 1970-01-01). Undefined: from the first record, or up to the last. */
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** Whether the last day is one that was asked for, while the service did not tell how far its records reach. */
  readonly isUntold?: boolean;
}

/** The days that a measure counts. */
export interface RangeOptions {
  /**
   * The first day that counts, as `2025-11-01` or a `Date`, whose day in UTC it is. Default: the first day that the
   * query asked for (`startTime`) or, where it asked for none, that of the first record.
   */
  readonly from?: string | Date;
  /** The last day that counts, itself included. Default: the last day asked for, as far as there are data, or with a record. */
  readonly to?: string | Date;
}

/**
 * The range of days that was given or, where it was not, that the queries behind the frame asked for. A frame of several
 * queries covers all their ranges; one that asked for no first day begins with the first record. No day counts that lay
 * in the future when the service answered, or behind the last event of the wallets asked for, where the service told it
 * of them: of what came then, the data know nothing. Records may lie behind it, as markets close later.
 *
 * @throws {UsageError} If an end is no day, or the range ends before it begins.
 */
export function rangeOf(measure: string, frame: Tabular, { from, to }: RangeOptions): DayRange {
  const asked = askedRange(frame);
  const first = from === undefined ? asked.first : dayGiven(measure, 'from', from);
  const last = to === undefined ? asked.last : dayGiven(measure, 'to', to);
  if (from !== undefined && to !== undefined && (first as number) > (last as number)) {
    throw new UsageError(
      `${measure} was asked for days from ${dateOfDay(first as number)} to ${dateOfDay(last as number)}, which is before.`,
    );
  }
  return { first, last, isUntold: to === undefined && asked.isUntold === true };
}

function askedRange(frame: Tabular): DayRange {
  const queries = provenanceOf(frame).filter(({ dataset }) => dataset === PNL.id);
  const isUntold = queries.some((query) => query.params.end_time !== undefined && lastEventOf(query) === undefined);
  const ranges = queries.map((query) => ({
    first: dayOfDate(query.params.start_time ?? ''),
    last: earlier(dayOfDate(query.params.end_time ?? ''), dayOfDate(query.queriedAt.slice(0, 10)), lastEventOf(query)),
  }));
  return { first: least(ranges.map(({ first }) => first)), last: greatest(ranges.map(({ last }) => last)), isUntold };
}

/** The last day asked for, cut at the ends of what can be known; undefined where none was asked for. */
function earlier(asked: number | undefined, ...ends: readonly (number | undefined)[]): number | undefined {
  return asked === undefined ? undefined : leastOf([asked, ...ends.map((end) => end ?? asked)]);
}

/**
 * The day of the last event of a query's wallets; undefined where the service did not tell it of all of them, as of
 * queries that are described together.
 */
function lastEventOf({ completeness = {}, together }: Provenance): number | undefined {
  if (together) return undefined;
  return greatest(Object.values(completeness).map(({ last }) => dayOfDate(String(last ?? '').slice(0, 10))));
}

/** The first of the days that queries asked for; undefined if none did. The first record may lie before it. */
function least(days: readonly (number | undefined)[]): number | undefined {
  return days.reduce((first, day) => (day === undefined || (first ?? day) < day ? first : day), undefined);
}

function greatest(days: readonly (number | undefined)[]): number | undefined {
  return days.reduce((last, day) => (day === undefined || (last ?? day) > day ? last : day), undefined);
}

/**
 * The UTC day number of an option.
 *
 * @throws {UsageError} If it is neither a day nor a Date, or a Date that is midnight of another day on this machine.
 */
export function dayGiven(measure: string, name: string, given: unknown): number {
  refuseLocalMidnight(`${name} of ${measure}`, given, false);
  if (given instanceof Date && !Number.isNaN(given.getTime())) return Math.floor(given.getTime() / DAY_MS);
  const day = typeof given === 'string' ? dayOfDate(given.replace(/T00:00(:00(\.0+)?)?Z$/, '')) : undefined;
  if (day !== undefined) return day;
  const got =
    typeof given === 'string'
      ? JSON.stringify(given)
      : given instanceof Date
        ? 'a Date of no time'
        : `a value of type ${typeof given}`;
  throw new UsageError(`${name} of ${measure} must be a day such as '2025-11-01', or a Date; got ${got}.`);
}

/** A moment in UTC. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/;

/**
 * The moment of an option in milliseconds since 1970: of a day alone its beginning or, for `to`, its end; text
 * such as `2026-03-01T09:30:00Z` is that moment, as a Date is, at midnight, too.
 *
 * @throws {UsageError} If it is neither a day nor a Date, or a Date that is a midnight on this machine, but not in UTC.
 */
export function momentGiven(measure: string, name: 'from' | 'to', given: unknown): number {
  refuseLocalMidnight(`${name} of ${measure}`, given, true);
  if (given instanceof Date && !Number.isNaN(given.getTime())) return given.getTime();
  const moment = typeof given === 'string' && MOMENT.test(given) && dayOfDate(given.slice(0, 10)) !== undefined;
  if (moment && !Number.isNaN(Date.parse(given))) return Date.parse(given);
  return (dayGiven(measure, name, given) + (name === 'to' ? 1 : 0)) * DAY_MS;
}

/** The end of the time that counts, in milliseconds since 1970. */
export interface End {
  /** Up to when time is counted. */
  readonly time: number;
  /** The last moment that belongs to it: of a day not the midnight with which the next one begins. */
  readonly last: number;
}

/**
 * The end that an option gives, as {@link momentGiven} reads it.
 *
 * @throws {UsageError} As {@link momentGiven} does.
 */
export function endGiven(measure: string, given: unknown): End {
  const time = momentGiven(measure, 'to', given);
  return { time, last: typeof given === 'string' && !MOMENT.test(given) ? time - 1 : time };
}
