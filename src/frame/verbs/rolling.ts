import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import type { Column } from '../../contract/definition.js';
import { unitOfColumn } from '../tabular/columns-of.js';
import type { ColumnName, ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { numericVector, type Tabular } from '../tabular/tabular.js';
import { toIsoTime } from '../vector/iso-time.js';
import { doublesOf } from '../vector/plain-vector.js';
import { MISSING_MICROS, type MicrosVector, type TextVector, type Vector } from '../vector/vector.js';
import { secondsOf, timesOf } from './bucket-by.js';
import { fitting } from './cumulative.js';
import { quantileOf } from './quantile.js';
import type { RowLists } from './row-groups.js';
import { describedAs, eachRun, forEach, type RowBeside, refuseDisorder, runsOf, withColumn } from './row-runs.js';
import { SLIDING, slide } from './sliding-window.js';

/** What `rolling` knows. */
export type RollingMeasure = 'sum' | 'mean' | 'std' | 'min' | 'max' | 'median' | 'count';

const TITLES: Readonly<Record<RollingMeasure, string>> = {
  sum: 'Sum',
  mean: 'Mean',
  std: 'Standard deviation',
  min: 'Least value',
  max: 'Greatest value',
  median: 'Median',
  count: 'Number of values',
};

/** A number of rows, or a span of time such as `7 days` or `12 hours`. */
export type RollingWindow = number | `${number} ${'day' | 'days' | 'hour' | 'hours'}`;

/** Options of `rolling`. */
export interface RollingOptions<Row extends object, Name extends string, As extends string> {
  /** The column of numbers. */
  readonly column: Name;
  /**
   * So many rows, each row being the last of its own; or the span of time that ends with each row and does not contain
   * its own beginning, such as `7 days`.
   */
  readonly window: RollingWindow;
  /** What is computed: `sum`, `mean`, `std` (n − 1), `min`, `max`, `median` or the `count` of values. */
  readonly measure: RollingMeasure;
  /** The column of times, for a window that is a span of time. Rows have to be in its order. */
  readonly time?: ColumnNameOf<Row, string | Date>;
  /** The column or columns whose values divide the rows into groups, each with windows of its own. Default: one group. */
  readonly by?: ColumnName<Row> | readonly ColumnName<Row>[];
  /**
   * Values that a window needs at least; with fewer, the result is missing. Default: as many as the window has rows; 1
   * for a span of time, 0 for a count.
   */
  readonly minValues?: number;
  /** Name of the new column. Default `rolling_` and the column's name. */
  readonly as?: As;
}

/**
 * Adds a column with a measure of the rows of a moving window, in the order of the rows, such as the mean of the last
 * seven. Sort first where the order is not yet that of time. A window of seven rows is one of seven days only where each
 * day has a row (see `fillDays`); `window: '7 days'` asks the times themselves.
 *
 * Missing values are left out. Sums are added anew from each window's values, not kept running, so that no error of
 * rounding stays behind a large value.
 *
 * @returns The same rows and columns, and the new one; missing where the window has fewer values than `minValues`. Sums
 * of exact amounts are exact.
 * @throws {ColumnError} If the frame lacks a column, it is not numeric, rows are not in order of a span's time, or the
 * frame has a column of the new name.
 * @throws {UsageError} If an option is missing or unknown, or the window, the measure or `minValues` is none.
 * @example rolling(sortBy(pnl, 'date'), { column: 'pnl', window: '7 days', measure: 'sum', time: 'date', by: 'proxy_wallet' });
 */
export function rolling<
  Row extends object,
  const Name extends ColumnNameOf<Row, number | bigint>,
  const As extends string = `rolling_${Name}`,
>(frame: DataFrame<Row>, options: RollingOptions<Row, Name, As>): DataFrame<RowBeside<Row, As, number>> {
  knownOptions('rolling', options, ['column', 'window', 'measure', 'time', 'by', 'minValues', 'as'], {
    window: 'window',
    measure: 'choice',
  });
  const { column: name, measure, by, time, as = `rolling_${name}` } = options;
  if (typeof measure !== 'string' || !Object.hasOwn(TITLES, measure)) {
    throw new UsageError(
      `The measure of rolling must be one of ${Object.keys(TITLES).join(', ')}; got ${shownValue(measure)}.`,
    );
  }
  const window = windowOf(options.window, time);
  const { minValues = measure === 'count' ? 0 : window.seconds === undefined ? window.rows : 1 } = options;
  if (!Number.isInteger(minValues) || minValues < 0) {
    throw new UsageError(`minValues of rolling must be a whole number from 0; got ${shownValue(minValues)}.`);
  }
  const vector = numericVector(frame, name);
  const runs = runsOf(frame, 'rolling', by);
  const starts =
    window.seconds === undefined ? rowStarts(runs, window.rows) : timeStarts(frame, time ?? '', runs, window.seconds);
  const rolled =
    vector.kind === 'micros' && measure === 'sum'
      ? exactSums(name, vector, runs, starts, minValues)
      : { kind: 'number' as const, values: rolledValues(doublesOf(vector), runs, starts, measure, minValues) };
  const column: Column = {
    name: as,
    dtype: measure === 'count' ? 'int32' : 'float64',
    ...(measure === 'count' ? {} : unitOfColumn(describedAs(frame, name))),
    nullable: measure !== 'count' || minValues > 0,
    ...(rolled.kind === 'micros' ? { decimal: true as const } : {}),
    meaning: `${TITLES[measure]} of ${name} over ${window.text}${forEach(by)}.`,
  };
  return withColumn(frame, column, rolled) as DataFrame<RowBeside<Row, As, number>>;
}

const SPAN = /^(\d+(?:\.\d+)?) (day|hour)s?$/;
const SPAN_SECONDS: Readonly<Record<string, number>> = { day: 86_400, hour: 3600 };

interface Window {
  readonly rows: number;
  /** Length of a span of time; undefined for one of rows. */
  readonly seconds?: number;
  readonly text: string;
}

function windowOf(window: unknown, time: unknown): Window {
  const [, many = '', unit = ''] = (typeof window === 'string' && SPAN.exec(window)) || [];
  if (many === '') {
    if (typeof window !== 'number' || !Number.isInteger(window) || window < 1) {
      throw new UsageError(
        `window of rolling must be a number of rows from 1, or text such as "7 days"; got ${shownValue(window)}.`,
      );
    }
    if (time !== undefined) {
      throw new UsageError(
        `A window of ${window} rows has no use for the option time: give window: '7 days' for a span.`,
      );
    }
    return { rows: window, text: `${window} rows` };
  }
  const seconds = Number(many) * (SPAN_SECONDS[unit] as number);
  if (!(seconds > 0)) throw new UsageError(`window of rolling must be longer than nothing; got ${shownValue(window)}.`);
  if (time === undefined) {
    throw new UsageError(`A window of ${window} needs the column of times: rolling(frame, { …, time: 'date' }).`);
  }
  return { rows: 1, seconds, text: String(window) };
}

/** For each place of the runs, the first place of its window. */
function rowStarts({ starts, rows }: RowLists, window: number): Uint32Array {
  const first = new Uint32Array(rows.length);
  for (let run = 0; run + 1 < starts.length; run += 1) {
    const from = starts[run] as number;
    for (let at = from; at < (starts[run + 1] as number); at += 1) first[at] = Math.max(from, at - window + 1);
  }
  return first;
}

/** Parts of a second that a moment is counted in: of its fraction, eighteen digits are told apart. */
const UNITS = 10n ** 18n;

/** The moments of the words of a column with their fractions. */
function unitsOf(name: string, times: TextVector): bigint[] {
  const seconds = secondsOf(name, times);
  return times.words.map((word, code) => {
    const [, digits = ''] = /\.(\d+)/.exec(toIsoTime(word) ?? '') ?? [];
    return BigInt(seconds[code] as number) * UNITS + BigInt(digits.padEnd(18, '0').slice(0, 18));
  });
}

function timeStarts(frame: Tabular, time: string, runs: RowLists, seconds: number): Uint32Array {
  const times = timesOf(frame, time);
  const moments = unitsOf(time, times);
  const length = BigInt(Math.round(seconds * 1e6)) * (UNITS / 1_000_000n);
  // Places in the order of the moments, which doubles could not tell apart by nanoseconds.
  const inOrder = [...new Set(moments)].sort((a, b) => (a < b ? -1 : 1));
  const places = new Map(inOrder.map((moment, place) => [moment, place]));
  const placeOfWord = moments.map((moment) => places.get(moment) as number);
  const placeOf = Float64Array.from(times.codes, (code) => (code < 0 ? Number.NaN : (placeOfWord[code] as number)));
  refuseDisorder('rolling', time, runs, placeOf);
  let left = 0;
  // For each moment, the first one within the span that ends with it.
  const firstOf = inOrder.map((moment) => {
    while ((inOrder[left] as bigint) <= moment - length) left += 1;
    return left;
  });
  const { starts, rows } = runs;
  const first = new Uint32Array(rows.length);
  for (let run = 0; run + 1 < starts.length; run += 1) {
    let from = starts[run] as number;
    for (let at = from; at < (starts[run + 1] as number); at += 1) {
      const least = firstOf[placeOf[rows[at] as number] as number] as number;
      while ((placeOf[rows[from] as number] as number) < least) from += 1;
      first[at] = from;
    }
  }
  return first;
}

function rolledValues(
  given: Float64Array,
  runs: RowLists,
  starts: Uint32Array,
  measure: RollingMeasure,
  least: number,
): Float64Array {
  const counts = slide(given, runs, starts, SLIDING.count);
  const values = measure === 'median' ? medians(given, runs, starts) : slide(given, runs, starts, SLIDING[measure]);
  return values.map((value, row) => ((counts[row] as number) < least ? Number.NaN : value));
}

function medians(given: Float64Array, { rows }: RowLists, starts: Uint32Array): Float64Array {
  const values = new Float64Array(given.length);
  for (let at = 0; at < rows.length; at += 1) {
    const window = rows.subarray(starts[at] as number, at + 1);
    const present = Float64Array.from(window, (row) => given[row] as number).filter((value) => !Number.isNaN(value));
    values[rows[at] as number] = quantileOf(present.sort(), 0.5);
  }
  return values;
}

function exactSums(name: string, { values }: MicrosVector, runs: RowLists, starts: Uint32Array, least: number): Vector {
  const sums = new BigInt64Array(values.length).fill(MISSING_MICROS);
  let at = 0;
  for (const run of eachRun(runs)) {
    let [from, total, many] = [at, 0n, 0];
    for (const row of run) {
      const value = values[row] as bigint;
      if (value !== MISSING_MICROS) [total, many] = [total + value, many + 1];
      for (; from < (starts[at] as number); from += 1) {
        const left = values[runs.rows[from] as number] as bigint;
        if (left !== MISSING_MICROS) [total, many] = [total - left, many - 1];
      }
      if (many >= least) sums[row] = fitting(name, total);
      at += 1;
    }
  }
  return { kind: 'micros', values: sums };
}
