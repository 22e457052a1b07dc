const DAY_MS = 86_400_000;

/** Days of which an axis names each tick by its day. */
const MOST_DAYS = 62;

/**
 * How an axis of some weeks names its days, `Nov 3`: by itself Vega mixes weekdays, months and days with a zero before
 * them. Nothing for a longer time, and for hours of a few days.
 *
 * @param times In milliseconds since 1970.
 */
export function dayLabels(times: readonly number[]): { format?: string } {
  let [first, last, isDaily] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (const time of times) {
    [first, last] = [Math.min(first, time), Math.max(last, time)];
    isDaily &&= (time - (times[0] ?? 0)) % DAY_MS === 0;
  }
  const days = (last - first) / DAY_MS;
  return days <= MOST_DAYS && (isDaily || days > 3) ? { format: '%b %-d' } : {};
}
