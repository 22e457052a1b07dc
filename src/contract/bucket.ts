import { DAY_SECONDS } from './time.js';

/** The aggregation intervals of the PnL dataset. */
export const GRANULARITIES = ['1d', '3d', '1w', '1m', 'all'] as const;

/**
 * Length of the buckets of PnL records: `1d` a day, `3d` three days, `1w` a week from Monday, `1m` a calendar month,
 * `all` one bucket.
 */
export type Granularity = (typeof GRANULARITIES)[number];

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
