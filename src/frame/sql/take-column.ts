import type { DuckDBType, DuckDBVector } from '@duckdb/node-api';
import { quoteName, wholeText } from '../../base/duckdb.js';
import { UsageError } from '../../base/errors.js';
import type { Dtype } from '../../contract/definition.js';
import { shortestTimes } from '../vector/iso-time.js';
import { INFINITE_MICROS, type MomentForm, momentCollector } from '../vector/moment-form.js';
import { TextCollector } from '../vector/text-vector.js';
import { MISSING_MICROS, type Vector } from '../vector/vector.js';

/** What the statistics of a column decide between. */
export interface ColumnStatistics {
  readonly rows: number;
  /** Least and greatest value of a numeric column as text; null where there is none. */
  readonly least: string | null;
  readonly greatest: string | null;
  /** About how many different values there are. */
  readonly different: number;
}

/** How a column is taken out of the database. */
export interface TakenColumn {
  readonly dtype: Dtype;
  /** The SQL of what is read, given that of the column. */
  sql(column: string): string;
  /** Whether its texts are worth a list of their own, from which each is read once. */
  readonly numbered?: boolean;
  /** What collects the values that are read. */
  collector(rows: number): Collector;
}

/** Collects the values of one column, chunk by chunk. */
export interface Collector {
  take(source: DuckDBVector, rows: number, from: number): void;
  vector(): Vector;
}

/** Rows from which texts are worth numbering, and how often each has to come for that. */
const NUMBERED_ROWS = 20_000;
const NUMBERED_REPEATS = 3;

const INT32 = [-(2n ** 31n) + 1n, 2n ** 31n - 1n] as const;
const EXACT_DOUBLE = [-(2n ** 53n) + 1n, 2n ** 53n - 1n] as const;
/** Micro-units that DECIMAL(18, 6), and a 64-bit integer that is no {@link MISSING_MICROS}, hold. */
const DECIMAL18 = [-(10n ** 18n) + 1n, 10n ** 18n - 1n] as const;
const INT64 = [-(2n ** 63n) + 1n, 2n ** 63n - 1n] as const;
const PLACES = 6;

const DOUBLE: TakenColumn = { dtype: 'float64', sql: (column) => `${column}::DOUBLE`, collector: numbers };
const TEXT: TakenColumn = { dtype: 'string', sql: (column) => wholeText(`${column}::VARCHAR`), collector: texts };
const JSON_TEXT: TakenColumn = {
  ...TEXT,
  sql: (column) => `CASE WHEN ${column} IS NOT NULL THEN to_json(${column})::VARCHAR END`,
};

/**
 * How a column of a type becomes a column of a frame. Whole numbers become `int32` where all fit, else doubles up to
 * 2⁵³, else text; decimals of up to six places exact amounts, others the nearest doubles; dates and times ISO 8601 text
 * in UTC, infinite ones `infinity` and `-infinity`; lists, structs, maps and unions JSON text; everything else DuckDB's own text.
 *
 * @param name The column's, for the error.
 * @param form In which moments are said.
 * @throws {UsageError} If decimals of up to six places are too large for exact amounts.
 */
export function takenColumn(
  name: string,
  type: DuckDBType,
  statistics: ColumnStatistics,
  form: MomentForm = 'shortest',
): TakenColumn {
  const full = type.toString();
  const kind = /^[A-Z_ ]*[A-Z]/.exec(full)?.[0] ?? full;
  if (/[[(]/.test(full) && !/^(DECIMAL|ENUM)\(/.test(full)) return JSON_TEXT;
  if (/^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/.test(kind)) return wholeNumber(statistics);
  if (/^(FLOAT|DOUBLE)$/.test(kind)) return DOUBLE;
  if (kind === 'DECIMAL') return decimal(name, Number(/, ?(\d+)\)/.exec(full)?.[1] ?? 0), statistics);
  if (kind === 'BOOLEAN') return { dtype: 'boolean', sql: (column) => column, collector: booleans };
  // The text of days and of nanoseconds tells what it is: not all that DuckDB has are ISO 8601. Without any, they are times.
  const textDtype = statistics.different === 0 ? 'datetime' : 'string';
  if (kind === 'TIMESTAMP_NS') return { ...TEXT, dtype: textDtype, sql: textOfNanos, collector: nanoMoments };
  if (kind.startsWith('TIMESTAMP')) {
    return { dtype: 'datetime', sql: microsOf, collector: (rows) => collecting(momentCollector(rows, form)) };
  }
  const { rows, different } = statistics;
  const numbered = rows >= NUMBERED_ROWS && different > 0 && different * NUMBERED_REPEATS <= rows;
  return { ...TEXT, numbered, dtype: kind === 'DATE' ? textDtype : 'string' };
}

/** Whether {@link takenColumn} looks at the least and greatest value of a column of the type. */
export function needsRange(type: DuckDBType): boolean {
  return /^(U?(BIG|HUGE)INT|UINTEGER|DECIMAL\([\d, ]+\))$/.test(type.toString());
}

function textOfNanos(column: string): string {
  const text = `${column}::VARCHAR`;
  return `CASE WHEN isinf(${column}) THEN ${text} ELSE replace(${text}, ' ', 'T') || 'Z' END`;
}

function wholeNumber(statistics: ColumnStatistics): TakenColumn {
  if (isWithin(statistics, INT32)) return { ...DOUBLE, dtype: 'int32' };
  return isWithin(statistics, EXACT_DOUBLE) ? DOUBLE : TEXT;
}

/** Microseconds since 1970; of an infinite time, which DuckDB would make NULL of, the greatest or least of them. */
function microsOf(column: string): string {
  const ends = `CASE WHEN ${column} > TIMESTAMP '1970-01-01' THEN ${INFINITE_MICROS} ELSE ${-INFINITE_MICROS} END`;
  return `CASE WHEN isinf(${column}) THEN ${ends} ELSE epoch_us(${column}) END`;
}

function decimal(name: string, places: number, statistics: ColumnStatistics): TakenColumn {
  if (places > PLACES) return DOUBLE;
  if (!isWithin(statistics, INT64, PLACES)) {
    throw new UsageError(
      `The column "${name}" has decimals beyond ±9.2 trillion, the most that an exact column holds: choose it in SQL as ` +
        `${quoteName(name)}::DOUBLE, which rounds, or as ${quoteName(name)}::VARCHAR.`,
    );
  }
  const digits = isWithin(statistics, DECIMAL18, PLACES) ? 18 : 38;
  return { dtype: 'float64', sql: (column) => `${column}::DECIMAL(${digits}, ${PLACES})`, collector: amounts };
}

type Range = readonly [from: bigint, to: bigint];

/** Whether all values lie in a range, which counts units of the given decimal place. */
function isWithin({ least, greatest }: ColumnStatistics, [from, to]: Range, places = 0): boolean {
  return least === null || greatest === null || (scaled(least, places) >= from && scaled(greatest, places) <= to);
}

/** A decimal of no more than so many places as a multiple of the last of them. */
function scaled(text: string, places: number): bigint {
  const [units = '', fraction = ''] = text.split('.', 2);
  return BigInt(units + fraction.padEnd(places, '0'));
}

function numbers(rows: number): Collector {
  const values = new Float64Array(rows).fill(Number.NaN);
  return {
    take(source, count, from) {
      for (let row = 0; row < count; row += 1)
        values[from + row] = (source.getItem(row) as number | null) ?? Number.NaN;
    },
    vector: () => ({ kind: 'number', values }),
  };
}

function amounts(rows: number): Collector {
  const values = new BigInt64Array(rows).fill(MISSING_MICROS);
  return {
    take(source, count, from) {
      const scaled = source as DuckDBVector & { getScaledValue(row: number): bigint | number | null };
      for (let row = 0; row < count; row += 1)
        values[from + row] = BigInt(scaled.getScaledValue(row) ?? MISSING_MICROS);
    },
    vector: () => ({ kind: 'micros', values }),
  };
}

function booleans(rows: number): Collector {
  const values = new Int8Array(rows).fill(-1);
  return {
    take(source, count, from) {
      for (let row = 0; row < count; row += 1) {
        const value = source.getItem(row);
        if (value !== null) values[from + row] = value === true ? 1 : 0;
      }
    },
    vector: () => ({ kind: 'boolean', values }),
  };
}

function collecting<Value extends string | bigint>(collected: TextCollector<Value>): Collector {
  return {
    take(source, count) {
      for (let row = 0; row < count; row += 1) collected.add(source.getItem(row) as Value | null);
    },
    vector: () => collected.vector(),
  };
}

function texts(rows: number): Collector {
  return collecting(new TextCollector(rows));
}

function nanoMoments(rows: number): Collector {
  const collected = texts(rows);
  return { ...collected, vector: () => shortestTimes(collected.vector()) };
}
