import type { DuckDBType } from '@duckdb/node-api';
import type { ChunkBindings, ChunkMemory, DuckDB } from '../../base/duckdb.js';
import type { Dtype } from '../../contract/definition.js';
import { type MomentForm, type Moments, momentsOf } from '../vector/moment-form.js';
import type { PlainVector } from '../vector/plain-vector.js';
import { usedWords } from '../vector/text-vector.js';
import { MISSING_MICROS, type MicrosVector, type NumberVector, type TextVector } from '../vector/vector.js';

/** Number of rows in a chunk of the database. */
export const CHUNK_ROWS = 2048;

/** A column of a chunk that the database asks for. */
export class ChunkColumn {
  readonly #bindings: ChunkBindings;
  readonly #memory: ChunkMemory;

  constructor(bindings: ChunkBindings, memory: ChunkMemory) {
    this.#bindings = bindings;
    this.#memory = memory;
  }

  /** Sets all rows, from an array in the layout that the database has for the column's type. */
  setAll({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.#bindings.copy_data_to_vector(this.#memory, 0, buffer, byteOffset, byteLength);
  }

  setText(row: number, text: string): void {
    this.#bindings.vector_assign_string_element(this.#memory, row, text);
  }

  /** Makes the rows NULL whose bits are 0. */
  setPresent({ buffer, byteOffset, byteLength }: Uint8Array): void {
    this.#bindings.vector_ensure_validity_writable(this.#memory);
    this.#bindings.copy_data_to_vector_validity(this.#memory, 0, buffer, byteOffset, byteLength);
  }
}

/** How a column gets into the database. What is missing becomes NULL. */
export interface Feed {
  readonly type: DuckDBType;
  /** Sets a chunk to the rows from one up to, but without, another. */
  fill(target: ChunkColumn, from: number, to: number): void;
  /** The texts that the values are indexes of. */
  readonly words?: readonly string[];
  /** Form of the column's moments, if it becomes a DATE or TIMESTAMP. */
  readonly moments?: MomentForm;
}

/** Whether a row has no value. */
type Missing = (row: number) => boolean;

const INT32_LIMIT = 2 ** 31;
/** The smallest number of micro-units with more than 18 digits. */
const DECIMAL18_LIMIT = 10n ** 18n;
const DAY_MICROS = 86_400_000_000n;

/**
 * The feed of a column: doubles as DOUBLE (INTEGER or BIGINT where the dtype is `int32` and every value whole), exact
 * amounts as DECIMAL with six places, text as VARCHAR, booleans as BOOLEAN; moments (see {@link momentsOf}) as DATE,
 * TIMESTAMP or TIMESTAMP_NS.
 *
 * @param to For Parquet, a TIMESTAMP is marked as one in UTC, and text of few words becomes an ENUM, which the file holds
 * as text all the same: its words are then not looked up anew for each row.
 */
export function feedOf(duckdb: DuckDB, vector: PlainVector, dtype: Dtype, to: 'SQL' | 'Parquet'): Feed {
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
      return textFeed(duckdb, vector, dtype, to);
  }
}

/** A feed of the rows' own numbers. */
export function rowNumbers({ INTEGER }: DuckDB): Feed {
  const part = new Int32Array(CHUNK_ROWS);
  return madeFeed(INTEGER, part, (at, row) => {
    part[at] = row;
  });
}

/** A feed of texts, one a row. */
export function wordsThemselves({ VARCHAR }: DuckDB, words: readonly string[]): Feed {
  return {
    type: VARCHAR,
    fill(target, from, to) {
      for (let row = from; row < to; row += 1) target.setText(row - from, words[row] as string);
    },
  };
}

/** A feed of parts of an array. */
function feedOfParts(
  type: DuckDBType,
  partOf: (from: number, to: number) => ArrayBufferView,
  missing?: Missing | false,
) {
  const fill: Feed['fill'] = (target, from, to) => {
    target.setAll(partOf(from, to));
    if (missing) hide(target, from, to, missing);
  };
  return { type, fill };
}

type Part = Int8Array | Uint8Array | Uint16Array | Int32Array | BigInt64Array;

/** A feed of values that are made one by one: `put` sets the part's entry at a place to what a row has. */
function madeFeed(
  type: DuckDBType,
  part: Part,
  put: (at: number, row: number) => void,
  missing?: Missing | false,
): Feed {
  const width = part.length / CHUNK_ROWS;
  return feedOfParts(
    type,
    (from, to) => {
      for (let row = from; row < to; row += 1) put(row - from, row);
      return part.subarray(0, (to - from) * width);
    },
    missing,
  );
}

const present = new Uint8Array(CHUNK_ROWS / 8);

/** Makes the rows of a chunk NULL that have no value. */
function hide(target: ChunkColumn, from: number, to: number, missing: Missing): void {
  present.fill(255);
  let many = 0;
  for (let row = from; row < to; row += 1) {
    if (!missing(row)) continue;
    const at = row - from;
    present[at >> 3] = (present[at >> 3] as number) & ~(1 << (at & 7));
    many += 1;
  }
  if (many > 0) target.setPresent(present);
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

function textFeed(duckdb: DuckDB, vector: TextVector, dtype: Dtype, to: 'SQL' | 'Parquet'): Feed {
  const used = usedWords(vector);
  const moments = momentsOf(used, dtype);
  if (moments) return momentFeed(duckdb, moments, to);
  const { codes, words } = used;
  const missing = missingCodes(codes);
  if (to === 'Parquet' && isEnum(used)) {
    const part = words.length < 256 ? new Uint8Array(CHUNK_ROWS) : new Uint16Array(CHUNK_ROWS);
    const partOf = (from: number, to: number) => {
      part.set(codes.subarray(from, to));
      return part.subarray(0, to - from);
    };
    return feedOfParts(duckdb.ENUM(words), partOf, missing);
  }
  if (words.length > codes.length / 2) {
    const fill: Feed['fill'] = (target, from, to) => {
      for (let row = from; row < to; row += 1) {
        const word = words[codes[row] as number];
        if (word !== undefined) target.setText(row - from, word);
      }
      if (missing) hide(target, from, to, missing);
    };
    return { type: duckdb.VARCHAR, fill };
  }
  return { ...feedOfParts(duckdb.INTEGER, (from, to) => codes.subarray(from, to), missing), words };
}

function missingCodes(codes: Int32Array): Missing | false {
  return codes.includes(-1) && ((row) => codes[row] === -1);
}

/** Rows that the database puts into one part of a file. */
const GROUP_ROWS = 122_880;

/**
 * Whether text may be an ENUM: each part of a file holds all its words, so they must be few, even if each part's rows
 * have only some of them. The bindings cut off a word at U+0000, and make one of two that are no Unicode.
 */
function isEnum({ codes, words }: TextVector): boolean {
  const most = Math.min(codes.length, GROUP_ROWS) / 8;
  return words.length > 0 && words.length <= most && !words.some((word) => /[\0\p{Surrogate}]/u.test(word));
}

function momentFeed(duckdb: DuckDB, { form, codes, values }: Moments, to: 'SQL' | 'Parquet'): Feed {
  const missing = missingCodes(codes);
  if (form === 'day') {
    const days = Int32Array.from(values, (value) => Number(value / DAY_MICROS));
    const part = new Int32Array(CHUNK_ROWS);
    const put = (at: number, row: number) => {
      part[at] = days[codes[row] as number] ?? 0;
    };
    return { ...madeFeed(duckdb.DATE, part, put, missing), moments: form };
  }
  // By halves: as a big integer, each would be an object.
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const part = new Int32Array(2 * CHUNK_ROWS);
  const put = (at: number, row: number) => {
    const code = codes[row] as number;
    part[2 * at] = halves[2 * code] as number;
    part[2 * at + 1] = halves[2 * code + 1] as number;
  };
  // A timestamp with a zone has only microseconds.
  const micros = to === 'Parquet' ? duckdb.TIMESTAMPTZ : duckdb.TIMESTAMP;
  return { ...madeFeed(form === 'nanos' ? duckdb.TIMESTAMP_NS : micros, part, put, missing), moments: form };
}
