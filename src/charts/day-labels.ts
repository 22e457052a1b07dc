const DAY_MS = 86_400_000;

/** The most days for which an axis labels its ticks by day. */
const MOST_DAYS = 62;

/** The most days from first to last for which an axis has exactly one tick per day. */
const FEW_DAYS = 7;

/**
 * The label format and ticks of an axis of days, such as `Nov 3`: by default Vega mixes weekdays, months and
 * zero-padded days. A few days get one tick each. Empty for a longer time, and for hours of a few days.
 *
 * @param times In milliseconds since 1970.
 */
export function dayLabels(times: readonly number[]): { format?: string; values?: number[] } {
  let [first, last, isDaily] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (const time of times) {
    [first, last] = [Math.min(first, time), Math.max(last, time)];
    isDaily &&= (time - (times[0] ?? 0)) % DAY_MS === 0;
  }
  const days = (last - first) / DAY_MS;
  if (days > MOST_DAYS || !(isDaily || days > 3)) return {};
  // By default Vega puts several ticks into a day, which would all have the same label.
  const values = days <= FEW_DAYS ? midnights(first, last) : [];
  return { format: '%b %-d', ...(values.length > 0 && { values }) };
}

/** The starts of UTC days between two times, both included. */
function midnights(first: number, last: number): number[] {
  const start = Math.ceil(first / DAY_MS);
  return Array.from({ length: Math.floor(last / DAY_MS) - start + 1 }, (_, day) => (start + day) * DAY_MS);
}
