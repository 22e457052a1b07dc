import { UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { bucketStart, DAY_SECONDS, type Granularity } from '../../contract/time.js';

/** A calendar period; weeks start on Monday unless told otherwise, quarters in January, April, July and October. */
export type BucketPeriod = 'hour' | 'day' | '3 days' | 'week' | 'month' | 'quarter' | 'year';

/** The day on which a week starts. */
export type WeekStart = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

const HOUR_SECONDS = 3600;

const GRANULARITIES: Readonly<Record<BucketPeriod, Granularity>> = {
  hour: '1d',
  day: '1d',
  '3 days': '3d',
  week: '1w',
  month: '1m',
  quarter: '1m',
  year: '1m',
};

/** Months to which a period begins at a multiple, counted from January. */
const MONTHS: Readonly<Partial<Record<BucketPeriod, number>>> = { quarter: 3, year: 12 };

/** The names of all periods, shortest first. */
const PERIODS = Object.keys(GRANULARITIES);

const WEEK_STARTS: readonly WeekStart[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

/** How time is divided into periods. */
export interface Calendar {
  readonly period: BucketPeriod;
  /** Days after Monday on which weeks start. */
  readonly weekStart: number;
  /** Undefined for UTC. */
  readonly zone: Zone | undefined;
}

/**
 * Checks what only TypeScript would have told.
 *
 * @throws {UsageError} If there is no such period, time zone or day of the week, or the start of a week is given for
 * another period.
 */
export function calendarOf(period: string, zone: unknown, weekStart: unknown): Calendar {
  if (!isPeriod(period)) {
    throw new UsageError(`There is no period ${shownValue(period)}: give one of ${PERIODS.join(', ')}.`);
  }
  const day = WEEK_STARTS.findIndex((name) => name === (weekStart === undefined ? 'monday' : weekStart));
  if (day < 0)
    throw new UsageError(`weekStart must be one of ${WEEK_STARTS.join(', ')}; got ${shownValue(weekStart)}.`);
  if (weekStart !== undefined && period !== 'week') {
    throw new UsageError(`weekStart is for the period "week" alone; the period is "${period}".`);
  }
  return { period, weekStart: day, zone: zone === undefined || zone === 'UTC' ? undefined : new Zone(zone) };
}

function isPeriod(period: unknown): period is BucketPeriod {
  return typeof period === 'string' && Object.hasOwn(GRANULARITIES, period);
}

/**
 * The first second of the period that a second falls into, both in Unix time.
 *
 * @param first The day, in days since 1970-01-01, from which `3 days` counts.
 */
export function periodOfSecond(calendar: Calendar, second: number, first: number): number {
  const { zone } = calendar;
  const local = second + (zone?.offsetAt(second) ?? 0);
  if (calendar.period === 'hour') {
    const start = second - (((local % HOUR_SECONDS) + HOUR_SECONDS) % HOUR_SECONDS);
    // Of an hour that a clock repeats, each is one of its own, and so is what is left of one by half an hour.
    return zone ? zone.changeBetween(start, second) : start;
  }
  const day = startDay(calendar, Math.floor(local / DAY_SECONDS), first);
  return zone ? zone.startOfDay(day) : day * DAY_SECONDS;
}

/** The local day into which a second falls, in days since 1970-01-01. */
export function dayOfSecond({ zone }: Calendar, second: number): number {
  return Math.floor((second + (zone?.offsetAt(second) ?? 0)) / DAY_SECONDS);
}

/**
 * The first second of the period after that which begins at a second, both in Unix time.
 *
 * @param start As {@link periodOfSecond} gives it.
 */
export function nextPeriod(calendar: Calendar, start: number, first: number): number {
  const { period, zone } = calendar;
  if (period === 'hour') {
    // Where a clock is turned within an hour, two shorter ones may begin here.
    let next = periodOfSecond(calendar, start + HOUR_SECONDS, first);
    for (let before = start; ; next = before) {
      before = periodOfSecond(calendar, next - 1, first);
      if (before <= start) return next;
    }
  }
  const from = dayOfSecond(calendar, start);
  // A day that a zone skipped is no period of its own: its start is that of the next one.
  for (let day = from + shortestDays(period); ; day += 1) {
    if (startDay(calendar, day, first) === from) continue;
    const next = zone ? zone.startOfDay(day) : day * DAY_SECONDS;
    if (next > start) return next;
  }
}

/** The least number of days of a period. */
function shortestDays(period: BucketPeriod): number {
  if (period === '3 days') return 3;
  if (period === 'week') return 7;
  return { day: 1, hour: 1, month: 28, quarter: 90, year: 365 }[period];
}

/** The least number of seconds of a period. */
export function shortestSeconds(period: BucketPeriod): number {
  return period === 'hour' ? HOUR_SECONDS : shortestDays(period) * DAY_SECONDS;
}

function startDay({ period, weekStart }: Calendar, day: number, first: number): number {
  return period === 'week' ? day - ((((day + 3 - weekStart) % 7) + 7) % 7) : periodStart(period, day, first);
}

/**
 * The first day of the period that a day falls into, in UTC day numbers (days since 1970-01-01); that of an hour is
 * the day.
 *
 * @param first The day from which `3 days` counts.
 */
export function periodStart(period: BucketPeriod, day: number, first: number): number {
  let start = bucketStart(GRANULARITIES[period], day, first);
  const month = new Date(start * DAY_SECONDS * 1000).getUTCMonth();
  for (let back = month % (MONTHS[period] ?? 1); back > 0; back -= 1) start = bucketStart('1m', start - 1, first);
  return start;
}

const MINUTE_SECONDS = 60;
/** Seconds around a local midnight within which it lies in UTC, in any zone. */
const WIDEST = 30 * HOUR_SECONDS;

/** A time zone of the IANA database, as the runtime knows it. */
class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  /** Seconds ahead of UTC, by the minute since 1970. */
  readonly #offsets = new Map<number, number>();
  readonly #starts = new Map<number, number>();

  /** @throws {UsageError} If there is no such zone. */
  constructor(name: unknown) {
    this.#format = formatOf(name);
    this.name = String(name);
  }

  /** Seconds that local time is ahead of UTC at a second in Unix time. */
  offsetAt(second: number): number {
    const minute = Math.floor(second / MINUTE_SECONDS);
    const known = this.#offsets.get(minute);
    if (known !== undefined) return known;
    const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
      /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(this.#format.format(minute * MINUTE_SECONDS * 1000)) ?? [];
    const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_SECONDS + Number(minutes) * 60 + Number(seconds));
    this.#offsets.set(minute, ahead);
    return ahead;
  }

  /** The first second since which the clock has been as far ahead of UTC as at `second`, or `from` if that is later. */
  changeBetween(from: number, second: number): number {
    const ahead = this.offsetAt(second);
    if (this.offsetAt(from) === ahead) return from;
    let [before, start] = [from, second];
    while (start - before > 1) {
      const middle = Math.floor((before + start) / 2);
      if (this.offsetAt(middle) === ahead) start = middle;
      else before = middle;
    }
    return start;
  }

  /** The first second in Unix time of a local day; where a zone skipped it, that of the next one. */
  startOfDay(day: number): number {
    const known = this.#starts.get(day);
    if (known !== undefined) return known;
    let [before, start] = [day * DAY_SECONDS - WIDEST, day * DAY_SECONDS + WIDEST];
    while (start - before > 1) {
      const middle = Math.floor((before + start) / 2);
      if (Math.floor((middle + this.offsetAt(middle)) / DAY_SECONDS) < day) before = middle;
      else start = middle;
    }
    this.#starts.set(day, start);
    return start;
  }
}

function formatOf(name: unknown): Intl.DateTimeFormat {
  try {
    if (typeof name === 'string' && name !== '') {
      return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    }
  } catch {
    // Told below.
  }
  const near = typeof name === 'string' ? nearest(name, Intl.supportedValuesOf('timeZone')) : undefined;
  const hint = near === undefined ? 'give one such as America/New_York.' : `did you mean "${near}"?`;
  throw new UsageError(`There is no time zone ${shownValue(name)}: ${hint}`);
}
