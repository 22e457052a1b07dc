import { ColumnError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { DAY_SECONDS, dateOfDay, dayOfDate } from '../../contract/time.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnOf, columnsOf } from '../tabular/columns-of.js';
import type { ColumnName, ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { numericVector, placeOf, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { concatVectors } from '../vector/plain-vector.js';
import { takeVector } from '../vector/take-vector.js';
import { bytesOfRow, missingAt, type TextVector, type Vector } from '../vector/vector.js';
import { secondsOf, timesOf, zoneOfBuckets } from './bucket-by.js';
import { keyNames } from './group-by.js';
import { refuseTooMany } from './row-limit.js';
import { eachRun, refuseDouble, runsOf } from './row-runs.js';

/** Options of `fillDays`. */
export interface FillDaysOptions<Row extends object, Time extends string, Key extends string, Zero extends string> {
  /** The column of dates, or of times: the UTC day of each counts. */
  readonly column: Time;
  /** The column or columns whose values divide the rows into groups, each with days of its own. Default: one group. */
  readonly by?: Key | readonly Key[];
  /** The day, `YYYY-MM-DD`, from which there is a row at the latest. Default: the first of the group. */
  readonly from?: string;
  /** The day up to which there is a row at the least. Default: the last of the group. */
  readonly to?: string;
  /** Columns of numbers that are 0 in new rows, such as amounts. Default none: what is not told is missing. */
  readonly zero?: Zero | readonly Zero[];
  /** Columns that go on as they were in the row before, such as prices. Default none. */
  readonly last?: ColumnName<Row> | readonly ColumnName<Row>[];
}

/** A row of which what is not told may be missing. */
type FilledRow<Row extends object, Told extends string> = [keyof Row] extends [never]
  ? object
  : { [Name in keyof Row]: Name extends Told ? Row[Name] : Row[Name] | null };

/**
 * A frame with a row for each day: days between the first and the last of each group on which there is none get one,
 * with its date and its group. Windows of rows are then windows of days, and charts show quiet days.
 *
 * @returns Groups in the order in which they first appear, their rows in order of time; a frame without rows stays so.
 * In new rows the columns of `zero` are 0, those of `last` as in the row before (missing on days before the first), all
 * others missing.
 * @throws {ColumnError} If the frame lacks a column, a value is not a time or missing, or a column of `zero` holds no
 * numbers.
 * @throws {UsageError} If an option is missing or unknown, `from` or `to` is no date, a column is told twice, the
 * column holds the days of another time zone (`bucketBy` with `zone`), or there
 * would be more rows than half of this machine's memory holds.
 * @example fillDays(pnl, { column: 'date', by: 'proxy_wallet', zero: ['pnl', 'invested', 'trades'] });
 */
export function fillDays<
  Row extends object,
  const Time extends ColumnNameOf<Row, string | Date>,
  const Key extends ColumnName<Row> = never,
  const Zero extends ColumnNameOf<Row, number | bigint> = never,
>(frame: DataFrame<Row>, options: FillDaysOptions<Row, Time, Key, Zero>): DataFrame<FilledRow<Row, Time | Key | Zero>> {
  knownOptions('fillDays', options, ['column', 'by', 'from', 'to', 'zero', 'last'], { from: 'text', to: 'text' });
  const { column: name, by = [], zero = [], last = [] } = options;
  const keys = keyNames('by of fillDays', by);
  const zeros = keyNames('zero of fillDays', zero);
  const lasts = keyNames('last of fillDays', last);
  refuseDouble([name, ...keys, ...zeros, ...lasts]);
  for (const each of [...zeros, ...lasts]) placeOf(frame, each);
  for (const each of zeros) numericVector(frame, each);
  const [from, to] = [dayOf('from', options.from), dayOf('to', options.to)];
  refuseZone(frame, name);
  const times = timesOf(frame, name);
  const vectors = vectorsOf(frame);
  const days = daysOf(name, times);
  const plan = planOf(frame, { days, keys, from, to }, bytesOfRow(vectors));
  const columns = columnsOf(frame);
  const told = [name, ...keys];
  const filled = vectors.map((vector, place) => {
    const each = columns[place]?.name ?? '';
    if (each === name) return withDays(times, vector, plan);
    const sources = keys.includes(each) ? plan.near : lasts.includes(each) ? plan.before : plan.rows;
    const taken = takeVector(vector, sources);
    return zeros.includes(each) ? withZeros(taken, plan.rows) : taken;
  });
  const hasNew = plan.rows.includes(-1);
  return frameFromVectors(
    columns.map((column) => {
      const isWhole = !hasNew || told.includes(column.name) || zeros.includes(column.name);
      return isWhole ? column : { ...column, nullable: true };
    }),
    filled,
    frame,
  );
}

/** @throws {UsageError} If a column holds days of another time zone, which are no days of UTC. */
function refuseZone(frame: Tabular, name: string): void {
  const zone = zoneOfBuckets(columnOf(frame, name));
  if (zone === undefined) return;
  throw new UsageError(
    `fillDays counts days of UTC, but "${name}" holds those of ${zone}: resample(frame, { column, period: 'day', zone: ` +
      `'${zone}', measures }) has a row for each day there.`,
  );
}

function dayOf(option: string, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const day = typeof given === 'string' ? dayOfDate(given) : undefined;
  if (day === undefined)
    throw new UsageError(`${option} of fillDays must be a date such as 2026-01-31; got ${shownValue(given)}.`);
  return day;
}

function daysOf(name: string, times: TextVector): Float64Array {
  const seconds = secondsOf(name, times);
  return Float64Array.from(times.codes, (code, row) => {
    if (code >= 0) return (seconds[code] as number) / DAY_SECONDS;
    throw new ColumnError(`fillDays needs a time in each row, but "${name}" lacks one in row ${row}, counted from 0.`);
  });
}

/** Where the rows of the result come from, by row of the frame. */
interface Plan {
  /** -1 for a new row. */
  readonly rows: Int32Array;
  /** The row before, or this one if it is not new; -1 where there is none. */
  readonly before: Int32Array;
  /** Any row of the same group. */
  readonly near: Int32Array;
  /** The day of a new row. */
  readonly days: Int32Array;
}

interface Wish {
  /** When each row is, in days since 1970-01-01, with their fractions. */
  readonly days: Float64Array;
  readonly keys: readonly string[];
  readonly from: number | undefined;
  readonly to: number | undefined;
}

function planOf(frame: Tabular, { days, keys, from, to }: Wish, width: number): Plan {
  const runs = [...eachRun(runsOf(frame, 'fillDays', keys))].map((run) =>
    run.toSorted((a, b) => (days[a] as number) - (days[b] as number) || a - b),
  );
  const spans = runs
    .filter(({ length }) => length > 0)
    .map((run) => {
      const own = [
        Math.floor(days[run[0] as number] as number),
        Math.floor(days[run.at(-1) as number] as number),
      ] as const;
      return { run, first: Math.min(own[0], from ?? own[0]), end: Math.max(own[1], to ?? own[1]) };
    });
  const most = spans.reduce((total, { run, first, end }) => total + run.length + end - first + 1, 0);
  refuseTooMany('The result of fillDays', most, width + 16, 'give a shorter span of days');
  const plan = {
    rows: new Int32Array(most),
    before: new Int32Array(most),
    near: new Int32Array(most),
    days: new Int32Array(most),
  };
  let at = 0;
  const put = (row: number, before: number, near: number, day: number) => {
    plan.rows[at] = row;
    plan.before[at] = before;
    plan.near[at] = near;
    plan.days[at] = day;
    at += 1;
  };
  for (const { run, first, end } of spans) {
    let place = 0;
    for (let day = first; day <= end; day += 1) {
      const start = place;
      for (; place < run.length && (days[run[place] as number] as number) < day + 1; place += 1) {
        const row = run[place] as number;
        put(row, row, row, day);
      }
      if (place === start) put(-1, place === 0 ? -1 : (run[place - 1] as number), run[0] as number, day);
    }
  }
  const { rows, before, near } = plan;
  return {
    rows: rows.slice(0, at),
    before: before.slice(0, at),
    near: near.slice(0, at),
    days: plan.days.slice(0, at),
  };
}

/** The column of days: new ones as days where all are, else as their midnight. */
function withDays(times: TextVector, vector: Vector, { rows, days }: Plan): Vector {
  const isDays = times.words.every((word) => word.length === 'YYYY-MM-DD'.length);
  const added = [...new Set(days.filter((_, at) => (rows[at] as number) < 0))];
  const codeOf = new Map(added.map((day, code) => [day, code]));
  const words = added.map((day) => (isDays ? dateOfDay(day) : `${dateOfDay(day)}T00:00:00Z`));
  const made: TextVector = { kind: 'text', codes: Int32Array.from(words, (_, code) => code), words, distinct: true };
  const many = times.codes.length;
  const given = vector.kind === 'text' ? vector : times;
  const all = concatVectors('', [
    { vector: given, rows: many },
    { vector: made, rows: words.length },
  ]);
  return takeVector(
    all,
    rows.map((row, at) => (row < 0 ? many + (codeOf.get(days[at] as number) as number) : row)),
  );
}

/** Zeros where a row is new, and only there: what was missing stays missing. */
function withZeros(vector: Vector, rows: Int32Array): Vector {
  if (vector.kind === 'micros')
    return { kind: 'micros', values: vector.values.map((value, at) => ((rows[at] as number) < 0 ? 0n : value)) };
  if (vector.kind === 'number')
    return { kind: 'number', values: vector.values.map((value, at) => ((rows[at] as number) < 0 ? 0 : value)) };
  return {
    kind: 'number',
    values: Float64Array.from(rows, (row, at) => (row < 0 || !missingAt(vector, at) ? 0 : Number.NaN)),
  };
}
