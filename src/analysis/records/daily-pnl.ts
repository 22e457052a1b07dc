import { bucketStart, DAY_SECONDS, dateOfDay, dayOfDate } from '../../contract/time.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import { cellAt } from '../../frame/vector/vector.js';
import type { DayRange } from './asked-range.js';
import { type GroupedRows, type Keys, namesOf } from './grouped-rows.js';
import { pnlCurve } from './pnl-curve.js';
import { granularityOf, guessedGranularity, isPeriod, type Period, refuseCoarser } from './record-granularity.js';

/** Profit and loss of each day of a range, in micro-dollars; 0 where nothing was realized. */
export interface DailyPnl {
  readonly pnl: Float64Array;
  /** The first and the last day; null where there is none. */
  readonly from: string | null;
  readonly to: string | null;
  /** Days at the end without a record of which nobody told whether the records reach as far. */
  readonly untold: number;
}

/**
 * Profit and loss by day; wallets are pooled. Records outside the range are left out.
 *
 * @param range Ends that are not given are those of the first and the last record. A record before a first day that was
 *   only asked for by some of several queries counts all the same.
 * @throws {ColumnError} If `date` or `pnl` is missing or not numeric, a date cannot be read, or the records are coarser
 *   than days, according to the queries behind the frame or, if these do not say, to its dates.
 */
export function dailyPnl(frame: Tabular, range: CountedRange): DailyPnl {
  const { times, micros } = pnlCurve(frame, 'all');
  if (times.length > 0 && !range.ofGroup) refuseCoarser(frame, '1d', granularityOf(frame) ?? guessedGranularity(times));
  const days = Float64Array.from(times, (time) => Math.floor(time / 1000 / DAY_SECONDS));
  const first = range.cutsFirst
    ? range.first
    : Math.min(range.first ?? Number.POSITIVE_INFINITY, days[0] ?? Number.POSITIVE_INFINITY);
  const last = range.cutsLast
    ? range.last
    : Math.max(range.last ?? Number.NEGATIVE_INFINITY, days.at(-1) ?? Number.NEGATIVE_INFINITY);
  if (first === undefined || last === undefined || !Number.isFinite(last - first) || last < first)
    return { pnl: new Float64Array(0), from: null, to: null, untold: 0 };
  const pnl = new Float64Array(last - first + 1);
  for (let place = 0; place < days.length; place += 1) {
    const at = (days[place] as number) - first;
    if (at >= 0 && at < pnl.length) pnl[at] = (pnl[at] as number) + (micros[place] as number);
  }
  const untold = range.isUntold ? Math.max(0, last - Math.max(first - 1, days.at(-1) ?? first - 1)) : 0;
  return { pnl, from: dateOfDay(first), to: dateOfDay(last), untold };
}

/** A range, and whether its ends leave out what lies beyond, as those do that were given. */
export interface CountedRange extends DayRange {
  readonly cutsFirst?: boolean;
  readonly cutsLast?: boolean;
  /** Whether the records are a group of some that are known to be of days: one may trade on Mondays alone. */
  readonly ofGroup?: boolean;
}

/**
 * A function that gives the range of each group: that of the whole frame, or the part of it in the group's period.
 *
 * @throws {ColumnError} As {@link dailyPnl} does.
 */
export function rangeOfGroups(
  frame: Tabular,
  by: Keys,
  range: CountedRange,
): (group?: number, grouped?: GroupedRows) => CountedRange {
  const whole = dailyPnl(frame, range);
  const all: CountedRange = {
    first: dayOfDate(whole.from ?? ''),
    last: dayOfDate(whole.to ?? ''),
    cutsFirst: true,
    cutsLast: true,
    ofGroup: true,
  };
  const period = namesOf(by).find(isPeriod);
  return (group, grouped) => {
    const starts = grouped?.all.find(({ column }) => column.name === 'date')?.vector;
    if (period === undefined || starts === undefined || group === undefined) return all;
    const first = dayOfDate(String(cellAt(starts, group)).slice(0, 10)) as number;
    const last = lastDayOf(period, first);
    return { ...all, first: Math.max(first, all.first ?? first), last: Math.min(last, all.last ?? last) };
  };
}

/** The last day of a period that begins on a day. */
function lastDayOf(period: Period, first: number): number {
  if (period === 'day') return first;
  if (period === 'week') return first + 6;
  return bucketStart('1m', first + 31, first) - 1;
}
