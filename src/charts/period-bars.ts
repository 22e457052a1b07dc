import type { Period } from '../analysis/grouped-rows.js';

/** A period as a bar along a time axis. */
export interface PeriodBar {
  /** Ends of the bar, in milliseconds since 1970. */
  from: number;
  to: number;
  /** Its middle. */
  at: number;
  /** The period in words. */
  when: string;
}

const DAY_MS = 86_400_000;

/** Of a period's length, what stays free on each side of its bar. */
const GAP = 0.09;

/** The bar of a period, given its first moment as ISO 8601 text. */
export function periodBar(date: string, period: Period): PeriodBar {
  const start = Date.parse(date);
  const first = new Date(start);
  const next = period === 'month' ? Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) : 0;
  const length = period === 'month' ? next - start : DAY_MS * (period === 'week' ? 7 : 1);
  const at = start + length / 2;
  return { from: start + GAP * length, to: start + (1 - GAP) * length, at, when: inWords(first, period) };
}

/** A period in words, given its first day: `Nov 3, 2025`, `Week of Nov 3, 2025`, `November 2025`. */
function inWords(first: Date, period: Period): string {
  const [month, year] = [MONTHS[first.getUTCMonth()] ?? '', first.getUTCFullYear()];
  if (period === 'month') return `${month} ${year}`;
  return `${period === 'week' ? 'Week of ' : ''}${month.slice(0, 3)} ${first.getUTCDate()}, ${year}`;
}

/** Names of the months, in English whatever the machine speaks. */
export const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Time along the x axis: a tick under the middle of each bar while they are few. */
export function periodAxis(bars: readonly PeriodBar[], period: Period) {
  const year = (bar: PeriodBar | undefined) => (bar === undefined ? '' : String(new Date(bar.at).getUTCFullYear()));
  const years = [...new Set([year(bars[0]), year(bars.at(-1))])].filter(Boolean).join('–');
  const title = `${TITLES[period]}, UTC, ${years}`;
  if (bars.length > 14) return { title, tickCount: 8, labelOverlap: true };
  const half = { day: 0.5, week: 3.5, month: 15 }[period] * DAY_MS;
  const format = period === 'month' ? '%b %Y' : '%b %-d';
  return {
    title,
    values: bars.map((bar) => bar.at),
    labelExpr: `utcFormat(datum.value - ${half}, '${format}')`,
    labelOverlap: true,
  };
}

const TITLES = { day: 'Day', week: 'Week, from Monday', month: 'Month' } as const;
