/** Seconds in a UTC day. */
export const DAY_SECONDS = 86_400;
/** Milliseconds in a day. */
export const DAY_MS = 1000 * DAY_SECONDS;

/** The first second of year 1 and the last of year 9999: the range of ISO 8601 text with four-digit years. */
export const FIRST_SECOND = -62_135_596_800;
export const LAST_SECOND = 253_402_300_799;

/** Whether a number is a whole Unix second in the years 1 to 9999. */
export function isUnixSecond(value: number): boolean {
  return Number.isInteger(value) && value >= FIRST_SECOND && value <= LAST_SECOND;
}

/**
 * The UTC day number (days since 1970-01-01) of a calendar date.
 *
 * @param text `YYYY-MM-DD`.
 * @returns The day, or undefined if the text has another form or names a date that does not exist.
 * @example dayOfDate('1970-01-02'); // 1
 */
export function dayOfDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  // NaN if the month is not 01 to 12 or the day is not 01 to 31.
  const time = Date.parse(`${text}T00:00:00Z`);
  const isThere = Number(text.slice(8)) <= daysOfMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
  return isThere && !Number.isNaN(time) ? time / 1000 / DAY_SECONDS : undefined;
}

/** The number of days in a month; months are counted from 1. */
export function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** The calendar date, `YYYY-MM-DD`, of a UTC day number. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/** ISO 8601 text in UTC, to the second, of a Unix time in seconds. */
export function isoOfSeconds(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The aggregation intervals of the PnL dataset. */
export const GRANULARITIES = ['1d', '3d', '1w', '1m', 'all'] as const;

/**
 * Length of the buckets of PnL records: `1d` a day, `3d` three days, `1w` a week from Monday, `1m` a calendar month,
 * `all` one bucket.
 */
export type Granularity = (typeof GRANULARITIES)[number];

/** The intervals of the candles of the dataset of prices. */
export const CANDLE_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const;

/** Length of a candle: `1m` is a minute, unlike the month of a {@link Granularity}. */
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** The length of each interval, in seconds. */
export const CANDLE_SECONDS: Readonly<Record<CandleInterval, number>> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '4h': 14_400,
  '1d': DAY_SECONDS,
  '1w': 7 * DAY_SECONDS,
};

/** A Monday at midnight UTC, in Unix seconds: every interval that is counted from it begins where its days do. */
export const A_MONDAY = 4 * DAY_SECONDS;

/**
 * The first day of the bucket that a day falls into, all in UTC day numbers (days since 1970-01-01).
 *
 * @param first The day from which `3d` counts and on which `all` starts.
 * @example bucketStart('1w', dayOfDate('2026-01-08'), 0); // Monday, 2026-01-05
 */
export function bucketStart(granularity: Granularity, day: number, first: number): number {
  switch (granularity) {
    case '1d':
      return day;
    case '3d':
      return first + Math.floor((day - first) / 3) * 3;
    case '1w':
      return day - ((((day + 3) % 7) + 7) % 7);
    case '1m': {
      const date = new Date(day * DAY_SECONDS * 1000);
      return day - (date.getUTCDate() - 1);
    }
    case 'all':
      return first;
  }
}
