import { bucketStart, DAY_SECONDS, type Granularity } from '../../contract/time.js';

/** A calendar period in UTC; weeks start on Monday, quarters in January, April, July and October. */
export type BucketPeriod = 'day' | '3 days' | 'week' | 'month' | 'quarter' | 'year';

const GRANULARITIES: Readonly<Record<BucketPeriod, Granularity>> = {
  day: '1d',
  '3 days': '3d',
  week: '1w',
  month: '1m',
  quarter: '1m',
  year: '1m',
};

/** Months to which a period begins at a multiple, counted from January. */
const MONTHS: Readonly<Partial<Record<BucketPeriod, number>>> = { quarter: 3, year: 12 };

/** Whether a text names a period. */
export function isPeriod(period: string): period is BucketPeriod {
  return Object.hasOwn(GRANULARITIES, period);
}

/** The names of all periods, shortest first. */
export const PERIODS = Object.keys(GRANULARITIES);

/**
 * The first day of the period that a day falls into, in UTC day numbers (days since 1970-01-01).
 *
 * @param first The day from which `3 days` counts.
 */
export function periodStart(period: BucketPeriod, day: number, first: number): number {
  let start = bucketStart(GRANULARITIES[period], day, first);
  const month = new Date(start * DAY_SECONDS * 1000).getUTCMonth();
  for (let back = month % (MONTHS[period] ?? 1); back > 0; back -= 1) start = bucketStart('1m', start - 1, first);
  return start;
}
