import { ColumnError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import type { Column } from '../../contract/definition.js';
import { dayOfDate, isoOfSeconds } from '../../contract/time.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf } from '../tabular/columns-of.js';
import type { CellOf, ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { columnNames, type Tabular, textVector, vectorsOf } from '../tabular/tabular.js';
import { toIsoTime } from '../vector/iso-time.js';
import { concatVectors } from '../vector/plain-vector.js';
import { usedWords } from '../vector/text-vector.js';
import type { TextVector } from '../vector/vector.js';
import {
  type BucketPeriod,
  type Calendar,
  calendarOf,
  dayOfSecond,
  periodOfSecond,
  type WeekStart,
} from './calendar.js';

/** Options of `bucketBy`. */
export interface BucketOptions<Name extends string> {
  /** Name of the new column. Default `bucket`. */
  readonly as?: Name;
  /**
   * The first day, `YYYY-MM-DD`, from which `3 days` counts; other periods ignore it. Default: the first day of the
   * column.
   */
  readonly from?: string;
  /** The IANA time zone in whose days, hours and so on the periods are, such as `America/New_York`. Default `UTC`. */
  readonly zone?: string;
  /** The day on which weeks start; only for the period `week`. Default `monday`. */
  readonly weekStart?: WeekStart;
}

/** A row with its bucket beside. */
type BucketedRow<Row extends object, Time extends string, Name extends string> = [keyof Row] extends [never]
  ? object
  : Row & { [Added in Name]: null extends CellOf<Row, Time> ? string | null : string };

/**
 * Adds a column with the period of each row's time, as the first moment of that period, for use with `groupBy` and
 * `pivot`.
 *
 * @param name A column of ISO 8601 times or of dates; without an offset they are UTC.
 * @param period `hour`, `day`, `3 days`, `week` (from Monday, unless `weekStart` is another day), `month`, `quarter` or
 * `year`, in UTC or in the time zone `zone`.
 * @returns The same rows and columns, and the new one: ISO 8601 text in UTC such as `2026-01-05T00:00:00Z`, or
 * `2026-01-05T05:00:00Z` for a day that starts then in New York; null where the time is missing. Of an hour that a clock
 * repeats at the end of summer time, each is one of its own.
 * @throws {ColumnError} If the frame lacks the column, a value is not a time, or there already is a column of the new
 * name.
 * @throws {UsageError} If an option is unknown, there is no such period, zone or day of the week, or `from` is not a
 * date.
 * @example groupBy(bucketBy(pnl, 'date', 'week'), 'bucket').rollup({ pnl: sum('pnl') });
 * @example bucketBy(trades, 'timestamp', 'hour', { zone: 'America/New_York', as: 'hour' });
 */
export function bucketBy<
  Row extends object,
  const Time extends ColumnNameOf<Row, string | Date>,
  const Name extends string = 'bucket',
>(
  frame: DataFrame<Row>,
  name: Time,
  period: BucketPeriod,
  options: BucketOptions<Name> = {},
): DataFrame<BucketedRow<Row, Time, Name>> {
  knownOptions('bucketBy', options, ['as', 'from', 'zone', 'weekStart'], { from: 'text' });
  const { as: added = 'bucket', from } = options;
  const calendar = calendarOf(period, options.zone, options.weekStart);
  refuseTaken(frame, added);
  const times = timesOf(frame, name);
  const { starts } = periodsOf(calendar, secondsOf(name, times), from);
  const words = starts.map(isoOfSeconds);
  const buckets = concatVectors(added, [{ vector: { ...times, words, distinct: false }, rows: times.codes.length }]);
  const column = bucketColumn(calendar, name, added, times.codes.includes(-1));
  return frameFromVectors([...columnsOf(frame), column], [...vectorsOf(frame), buckets], frame);
}

/**
 * Refuses the name of a new column that a frame has already.
 *
 * @throws {ColumnError} If it has.
 */
export function refuseTaken(frame: Tabular, added: string): void {
  if (columnNames(frame).includes(added)) {
    throw new ColumnError(`The frame has a column "${added}" already: name the new one otherwise by { as: '…' }.`);
  }
}

/** What a column of buckets is. */
export function bucketColumn({ period, zone }: Calendar, name: string, as: string, nullable: boolean): Column {
  const where = zone === undefined ? 'UTC' : `as clocks in ${zone.name} have it, UTC`;
  return { name: as, dtype: 'datetime', nullable, meaning: `First moment of the ${period} of ${name}, ${where}.` };
}

/** The time zone whose days or longer periods a column of {@link bucketColumn} holds; undefined for hours and UTC. */
export function zoneOfBuckets({ meaning }: Column): string | undefined {
  return /^First moment of the (?!hour).*, as clocks in (\S+) have it, UTC\.$/.exec(meaning)?.[1];
}

/** A column of times, as text: each word once, and none that no row has, as a filter leaves them. */
export function timesOf(frame: Tabular, name: string): TextVector {
  return usedWords(textVector(frame, name, 'times such as 2026-01-31T00:00:00Z'));
}

/**
 * The moments of the words of a column, in Unix seconds without their fractions.
 *
 * @throws {ColumnError} If one is no time: says in which row.
 */
export function secondsOf(name: string, times: TextVector): number[] {
  return times.words.map((word, code) => {
    const iso = toIsoTime(word);
    if (iso !== undefined) return Math.floor(Date.parse(iso) / 1000);
    throw new ColumnError(
      `There is no time in row ${times.codes.indexOf(code)}, counted from 0, of the column "${name}", but ` +
        `${JSON.stringify(word)}: write it as 2026-01-31T00:00:00Z.`,
    );
  });
}

/** The starts of the periods of some seconds, and the day from which `3 days` counts. */
export function periodsOf(
  calendar: Calendar,
  seconds: readonly number[],
  from: string | undefined,
): { starts: number[]; first: number } {
  const days =
    calendar.period === '3 days' && from === undefined ? seconds.map((each) => dayOfSecond(calendar, each)) : [];
  const first = from === undefined ? days.reduce((least, day) => Math.min(least, day), days[0] ?? 0) : dayOfFrom(from);
  return { starts: seconds.map((second) => periodOfSecond(calendar, second, first)), first };
}

function dayOfFrom(from: string): number {
  const day = typeof from === 'string' ? dayOfDate(from) : undefined;
  if (day === undefined) throw new UsageError(`from must be a date such as 2026-01-31; got ${shownValue(from)}.`);
  return day;
}
