import type { DuckDBType, DuckDBVector } from '@duckdb/node-api';
import type { Dtype } from '../../contract/definition.js';
import { type MomentForm, momentsOf } from '../files/moment-form.js';
import { distinctWords } from '../vector/distinct-words.js';
import type { PlainVector } from '../vector/plain-vector.js';
import type { MicrosVector, NumberVector, TextVector } from '../vector/vector.js';
import type { DuckDB } from './engine.js';

/** How a column gets into the database: as plain values, which an SQL expression then converts. */
export interface Feed {
  /** Type of the plain values. */
  readonly type: DuckDBType;
  /** Sets the next values of a chunk from the rows that begin at `from`. */
  fill(target: DuckDBVector, from: number): void;
  /** Returns the SQL of the value, given that of the plain one. */
  sql(plain: string): string;
  /** The texts that the plain values are indexes of. */
  readonly words?: readonly string[];
  /** Form of the column's moments, if it becomes a DATE or TIMESTAMP. */
  readonly moments?: MomentForm;
}

const INT32_LIMIT = 2 ** 31;
/** The smallest number of micro-units with more than 18 digits. */
const DECIMAL18_LIMIT = 10n ** 18n;
const LEAST = -(2n ** 63n);
const LEAST_BIGINT = `(${LEAST})`;

/**
 * The feed of a column: doubles as DOUBLE (INTEGER or BIGINT where the dtype is `int32` and every value whole), exact
 * amounts as DECIMAL with six places, text as VARCHAR, booleans as BOOLEAN; moments (see {@link momentsOf}) as DATE,
 * TIMESTAMP or TIMESTAMP_NS. What is missing becomes NULL.
 */
export function feedOf(duckdb: DuckDB, vector: PlainVector, dtype: Dtype): Feed {
  switch (vector.kind) {
    case 'number':
      return numberFeed(duckdb, vector, dtype === 'int32');
    case 'micros':
      return microsFeed(duckdb, vector);
    case 'boolean':
      return {
        type: duckdb.TINYINT,
        fill: filler(vector.values),
        sql: (plain) => `CASE WHEN ${plain} >= 0 THEN ${plain} = 1 END`,
      };
    default:
      return textFeed(duckdb, vector, dtype);
  }
}

function filler(values: ArrayLike<number> | ArrayLike<bigint>): Feed['fill'] {
  return fillWith((row) => values[row] ?? null);
}

/** Fills a chunk with the values that a function returns by row. */
export function fillWith(valueAt: (row: number) => number | bigint | string | null): Feed['fill'] {
  return (target, from) => {
    const rows = target.itemCount;
    for (let row = 0; row < rows; row += 1) target.setItem(row, valueAt(from + row));
  };
}

function numberFeed(duckdb: DuckDB, { values }: NumberVector, whole: boolean): Feed {
  const type = whole ? integerType(values) : undefined;
  const value = (plain: string) => (type ? `${plain}::${type}` : plain);
  return {
    type: duckdb.DOUBLE,
    fill: filler(values),
    sql: (plain) => `CASE WHEN NOT isnan(${plain}) THEN ${value(plain)} END`,
  };
}

/** The narrowest type that holds every value unchanged; undefined if only a double does. */
function integerType(values: Float64Array): 'INTEGER' | 'BIGINT' | undefined {
  let type: 'INTEGER' | 'BIGINT' = 'INTEGER';
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return undefined;
    if (Math.abs(value) >= INT32_LIMIT) type = 'BIGINT';
  }
  return type;
}

function microsFeed(duckdb: DuckDB, { values }: MicrosVector): Feed {
  const isLarge = values.some(
    (value) => value > -(2n ** 63n) && (value >= DECIMAL18_LIMIT || value <= -DECIMAL18_LIMIT),
  );
  const exact = (plain: string) => `${plain}::DECIMAL(19, 0) * 0.000001::DECIMAL(7, 6)`;
  return {
    type: duckdb.BIGINT,
    fill: filler(values),
    sql: (plain) =>
      `CASE WHEN ${plain} <> ${LEAST_BIGINT} THEN (${exact(plain)})::DECIMAL(${isLarge ? 26 : 18}, 6) END`,
  };
}

function textFeed(duckdb: DuckDB, vector: TextVector, dtype: Dtype): Feed {
  const moments = momentsOf(vector, dtype);
  if (moments) {
    const make = moments.form === 'nanos' ? 'make_timestamp_ns' : 'make_timestamp';
    const type = moments.form === 'day' ? '::DATE' : '';
    return {
      type: duckdb.BIGINT,
      fill: fillWith((row) => moments.values[moments.codes[row] ?? -1] ?? LEAST),
      sql: (plain) => `CASE WHEN ${plain} <> ${LEAST_BIGINT} THEN ${make}(${plain})${type} END`,
      moments: moments.form,
    };
  }
  const { codes, words } = distinctWords(vector);
  if (words.length > codes.length / 2) {
    return {
      type: duckdb.VARCHAR,
      fill: fillWith((row) => words[codes[row] ?? -1] ?? null),
      sql: (plain) => plain,
    };
  }
  return { type: duckdb.INTEGER, fill: filler(codes), sql: (plain) => plain, words };
}
