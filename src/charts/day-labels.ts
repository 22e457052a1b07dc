const DAY_MS = 86_400_000;

/** Days of which an axis names each tick by its day. */
const MOST_DAYS = 62;

/** Days from the first to the last of an axis that has a tick for each. */
const FEW_DAYS = 7;

/**
 * How an axis of some weeks names its days, `Nov 3`: by itself Vega mixes weekdays, months and days with a zero before
 * them. Of a few days each is named once. Nothing for a longer time, and for hours of a few days.
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
  // Of its own accord Vega puts two ticks or more into a day, and all of them would be named alike.
  const values = days <= FEW_DAYS ? midnights(first, last) : [];
  return { format: '%b %-d', ...(values.length > 0 && { values }) };
}

/** Starts of UTC days from one time to another, both included. */
function midnights(first: number, last: number): number[] {
  const start = Math.ceil(first / DAY_MS);
  return Array.from({ length: Math.floor(last / DAY_MS) - start + 1 }, (_, day) => (start + day) * DAY_MS);
}
