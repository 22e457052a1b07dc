import { GRANULARITY_OF, granularityOf, guessedGranularity } from '../../analysis/records/record-granularity.js';
import { itemAt } from '../../base/item-at.js';
import { DAY_MS, type Granularity } from '../../contract/time.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import { CURVE_TIP } from './axes.js';
import { MONTHS, periodBar } from './period-bars.js';

/** A point of a curve of cumulative PnL. */
interface CurvePoint {
  readonly date: string;
  readonly cumulative_pnl: number;
}

/**
 * The points of a curve where it is drawn: what was won in a week or a month is known at its end, so the curve steps
 * there. Days stay at their date.
 *
 * @returns Rows whose `date` is where they are drawn, with the period in words as `when`, and the tip that says it.
 */
export function atBucketEnds<Row extends CurvePoint>(frame: Tabular, rows: readonly Row[]) {
  const times = Float64Array.from(new Set(rows.map(({ date }) => Date.parse(date)))).sort();
  const granularity = granularityOf(frame) ?? guessedGranularity(times);
  const period = granularity === GRANULARITY_OF.week ? 'week' : granularity === GRANULARITY_OF.month ? 'month' : 'day';
  const placed = rows.map((row) => {
    const end = endOf(Date.parse(row.date), granularity);
    return end === undefined ? row : { ...row, date: isoOf(end), when: periodBar(row.date, period).when };
  });
  const hasWords = placed.some((row) => 'when' in row);
  const [, ...amounts] = CURVE_TIP;
  const tip = hasWords ? [{ field: 'when', type: 'nominal', title: 'Period' } as const, ...amounts] : [...CURVE_TIP];
  return { rows: placed, tip };
}

function isoOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Where a bucket ends, in milliseconds since 1970; undefined for days and for the whole time. */
function endOf(start: number, granularity: Granularity): number | undefined {
  if (granularity === '1w') return start + 7 * DAY_MS;
  if (granularity !== '1m') return undefined;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** A day in words: `Nov 3, 2025`. */
export function dayInWords(date: string): string {
  const day = new Date(date);
  return `${itemAt(MONTHS, day.getUTCMonth()).slice(0, 3)} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}

/**
 * Chooses the points to draw of a curve with more points than a picture can show: the first, lowest, highest and last
 * of each stretch, so that no peak and no fall is lost.
 *
 * @param most The approximate maximum of points to keep.
 */
export function thinned<Row extends CurvePoint>(rows: readonly Row[], most: number): readonly Row[] {
  if (rows.length <= most) return rows;
  const stretches = Math.max(1, Math.floor(most / 4));
  const kept = Array.from({ length: stretches }, (_, at) => {
    const end = Math.floor(((at + 1) * rows.length) / stretches);
    const stretch = rows.slice(Math.floor((at * rows.length) / stretches), end);
    const totals = stretch.map((row) => row.cumulative_pnl);
    const lowest = totals.reduce((least, total) => Math.min(least, total));
    const highest = totals.reduce((most, total) => Math.max(most, total));
    const places = new Set([0, totals.indexOf(lowest), totals.indexOf(highest), stretch.length - 1]);
    return stretch.filter((_, place) => places.has(place));
  });
  return kept.flat();
}
