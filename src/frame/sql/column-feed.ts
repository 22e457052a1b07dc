import type { DuckDB } from '../../base/duckdb.js';
import type { Dtype } from '../../contract/definition.js';
import type { PlainVector } from '../vector/plain-vector.js';
import { MISSING_MICROS, type MicrosVector, type NumberVector } from '../vector/vector.js';
import { CHUNK_ROWS, type Feed, feedOfParts, madeFeed } from './chunk-feed.js';
import type { TextPacker } from './packed-text.js';
import { textFeed } from './text-feed.js';

const INT32_LIMIT = 2 ** 31;
/** The smallest number of micro-units with more than 18 digits. */
const DECIMAL18_LIMIT = 10n ** 18n;

/**
 * The feed of a column: doubles as DOUBLE (INTEGER or BIGINT where the dtype is `int32` and every value whole), exact
 * amounts as DECIMAL with six places, text as VARCHAR, booleans as BOOLEAN; moments (see {@link momentsOf}) as DATE,
 * TIMESTAMP or TIMESTAMP_NS.
 *
 * @param to For Parquet, a TIMESTAMP is marked as one in UTC, and text of few words becomes an ENUM, which the file holds
 * as text all the same: its words are then not looked up anew for each row.
 */
export function feedOf(
  duckdb: DuckDB,
  packer: TextPacker,
  vector: PlainVector,
  dtype: Dtype,
  to: 'SQL' | 'Parquet',
): Feed {
  switch (vector.kind) {
    case 'number':
      return numberFeed(duckdb, vector, dtype === 'int32');
    case 'micros':
      return microsFeed(duckdb, vector);
    case 'boolean': {
      const { values } = vector;
      const part = new Int8Array(CHUNK_ROWS);
      const put = (at: number, row: number) => {
        part[at] = values[row] === 1 ? 1 : 0;
      };
      return madeFeed(duckdb.BOOLEAN, part, put, values.includes(-1) && ((row) => values[row] === -1));
    }
    default:
      return textFeed(duckdb, packer, vector, dtype, to);
  }
}

function numberFeed(duckdb: DuckDB, { values }: NumberVector, whole: boolean): Feed {
  const missing = values.includes(Number.NaN) && ((row: number) => Number.isNaN(values[row]));
  const type = whole ? integerType(values) : undefined;
  if (type === undefined) return feedOfParts(duckdb.DOUBLE, (from, to) => values.subarray(from, to), missing);
  if (type === 'BIGINT') {
    const part = new BigInt64Array(CHUNK_ROWS);
    const put = (at: number, row: number) => {
      part[at] = BigInt(values[row] || 0);
    };
    return madeFeed(duckdb.BIGINT, part, put, missing);
  }
  const part = new Int32Array(CHUNK_ROWS);
  const partOf = (from: number, to: number) => {
    part.set(values.subarray(from, to));
    return part.subarray(0, to - from);
  };
  return feedOfParts(duckdb.INTEGER, partOf, missing);
}

/** The narrowest type that holds every value unchanged; undefined if only a double does. */
function integerType(values: Float64Array): 'INTEGER' | 'BIGINT' | undefined {
  let type: 'INTEGER' | 'BIGINT' = 'INTEGER';
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (value !== 0 && (value | 0) === value) continue;
    if (Number.isNaN(value)) continue;
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return undefined;
    if (Math.abs(value) >= INT32_LIMIT) type = 'BIGINT';
  }
  return type;
}

function microsFeed({ DECIMAL }: DuckDB, { values }: MicrosVector): Feed {
  const missing = values.includes(MISSING_MICROS) && ((row: number) => values[row] === MISSING_MICROS);
  if (!values.some(hasManyDigits)) return feedOfParts(DECIMAL(18, 6), (from, to) => values.subarray(from, to), missing);
  // Sixteen bytes each, the low ones first.
  const part = new BigInt64Array(2 * CHUNK_ROWS);
  const put = (at: number, row: number) => {
    const value = values[row] as bigint;
    part[2 * at] = value;
    part[2 * at + 1] = value < 0n ? -1n : 0n;
  };
  return madeFeed(DECIMAL(26, 6), part, put, missing);
}

function hasManyDigits(value: bigint): boolean {
  return value !== MISSING_MICROS && (value >= DECIMAL18_LIMIT || value <= -DECIMAL18_LIMIT);
}
