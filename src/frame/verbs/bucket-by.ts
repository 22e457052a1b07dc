import { ColumnError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { bucketStart, DAY_SECONDS, dayOfDate, type Granularity, isoOfSeconds } from '../../contract/time.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf } from '../tabular/columns-of.js';
import type { CellOf, ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { columnNames, textVector, vectorsOf } from '../tabular/tabular.js';
import { toIsoTime } from '../vector/iso-time.js';
import { concatVectors } from '../vector/plain-vector.js';
import { usedWords } from '../vector/text-vector.js';
import type { TextVector } from '../vector/vector.js';

/** Options of `bucketBy`. */
export interface BucketOptions<Name extends string> {
  /** Name of the new column. Default `bucket`. */
  readonly as?: Name;
  /**
   * The first day, `YYYY-MM-DD`, from which `3 days` counts; other periods ignore it. Default: the first day of the
   * column.
   */
  readonly from?: string;
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
 * @param period `day`, `3 days`, `week` (from Monday), `month`, `quarter` or `year`, all in UTC.
 * @returns The same rows and columns, and the new one: ISO 8601 text such as `2026-01-05T00:00:00Z`, null where the
 * time is missing.
 * @throws {ColumnError} If the frame lacks the column, a value is not a time, or there already is a column of the new
 * name.
 * @throws {UsageError} If an option is unknown, the period is another one, or `from` is not a date.
 * @example groupBy(bucketBy(pnl, 'date', 'week'), 'bucket').rollup({ pnl: sum('pnl') });
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
  knownOptions('bucketBy', options, ['as', 'from']);
  const { as: added = 'bucket', from } = options;
  if (!isPeriod(period)) throw new UsageError(`There is no period "${period}": give one of ${PERIODS.join(', ')}.`);
  if (columnNames(frame).includes(added)) {
    throw new ColumnError(`The frame has a column "${added}" already: name the buckets otherwise by { as: '…' }.`);
  }
  const times = usedWords(textVector(frame, name, 'times such as 2026-01-31T00:00:00Z'));
  const days = times.words.map((word, code) => dayOfTime(word, () => placeOfCode(name, times, code)));
  const start = from === undefined ? days.reduce((least, day) => Math.min(least, day), days[0] ?? 0) : dayOfFrom(from);
  const words = days.map((day) => isoOfSeconds(periodStart(period, day, start) * DAY_SECONDS));
  const starts = { ...times, words, distinct: false };
  const buckets = concatVectors(added, [{ vector: starts, rows: times.codes.length }]);
  const nullable = times.codes.includes(-1);
  const column = {
    name: added,
    dtype: 'datetime',
    nullable,
    meaning: `First moment of the ${period} of ${name}, UTC.`,
  };
  return frameFromVectors(
    [...columnsOf(frame), { ...column, dtype: 'datetime' }],
    [...vectorsOf(frame), buckets],
    frame,
  );
}

/** Where a word first stands, for an error. */
function placeOfCode(name: string, { codes }: TextVector, code: number): string {
  return `row ${codes.indexOf(code)}, counted from 0, of the column "${name}"`;
}

function dayOfTime(text: string, place: () => string): number {
  const iso = toIsoTime(text);
  const day = iso === undefined ? undefined : dayOfDate(iso.slice(0, 10));
  if (day !== undefined) return day;
  throw new ColumnError(
    `There is no time in ${place()}, but ${JSON.stringify(text)}: write it as 2026-01-31T00:00:00Z.`,
  );
}

function dayOfFrom(from: string): number {
  const day = dayOfDate(from);
  if (day === undefined) throw new UsageError(`from of bucketBy must be a date such as 2026-01-31; got "${from}".`);
  return day;
}

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
function isPeriod(period: string): period is BucketPeriod {
  return Object.hasOwn(GRANULARITIES, period);
}

/** The names of all periods, shortest first. */
const PERIODS = Object.keys(GRANULARITIES);

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
