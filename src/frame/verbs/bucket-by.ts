import { ColumnError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { DAY_SECONDS, dayOfDate, isoOfSeconds } from '../../contract/time.js';
import { columnNames } from '../column-names.js';
import { columnsOf } from '../columns-of.js';
import type { CellOf, ColumnNameOf, DataFrame } from '../danfo/data-frame.js';
import { frameFromVectors } from '../frame-from-vectors.js';
import { toIsoTime } from '../iso-time.js';
import { concatVectors } from '../vector/concat-vectors.js';
import { textVector } from '../vector/plain-vector.js';
import { usedWords } from '../vector/used-words.js';
import type { TextVector } from '../vector/vector.js';
import { vectorsOf } from '../vector/vectors-of.js';
import { type BucketPeriod, isPeriod, PERIODS, periodStart } from './period-start.js';

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
export type BucketedRow<Row extends object, Time extends string, Name extends string> = [keyof Row] extends [never]
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
