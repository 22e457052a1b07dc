import type { DuckDB } from '../../base/duckdb.js';
import type { Dtype } from '../../contract/definition.js';
import { type Moments, momentsOf } from '../vector/moment-form.js';
import { distinctWithin, heldWords } from '../vector/text-vector.js';
import type { TextVector } from '../vector/vector.js';
import { CHUNK_ROWS, type Feed, feedOfParts, hide, type Missing, madeFeed } from './chunk-feed.js';
import { ENTRY_PARTS, type TextPacker } from './packed-text.js';

const DAY_MICROS = 86_400_000_000n;

/** The feed of a column of text; see `feedOf`. */
export function textFeed(
  duckdb: DuckDB,
  packer: TextPacker,
  vector: TextVector,
  dtype: Dtype,
  to: 'SQL' | 'Parquet',
): Feed {
  const moments = momentsOf(vector, dtype);
  if (moments) return momentFeed(duckdb, moments, to);
  const few = distinctWithin(vector, mostWords(vector));
  if (!few) return rowsFeed(duckdb, packer, vector);
  const used = heldWords(few);
  if (to === 'Parquet' && isEnum(used)) return enumFeed(duckdb, used);
  return used.words.length > used.codes.length / 2 ? rowsFeed(duckdb, packer, used) : wordsFeed(duckdb, packer, used);
}

function missingCodes(codes: Int32Array): Missing | false {
  return codes.includes(-1) && ((row) => codes[row] === -1);
}

/** Rows that the database puts into one part of a file. */
const GROUP_ROWS = 122_880;

/**
 * Words that text of few may have. As an ENUM, each part of a file holds all of them, even if its rows have only some.
 */
function mostWords({ codes }: TextVector): number {
  return Math.min(codes.length, GROUP_ROWS) / 8;
}

/** Whether text may be an ENUM. The bindings cut off a word at U+0000, and make one of two that are no Unicode. */
function isEnum(vector: TextVector): boolean {
  const { words } = vector;
  const isFew = words.length > 0 && words.length <= mostWords(vector);
  return isFew && !words.some((word) => /[\0\p{Surrogate}]/u.test(word));
}

function enumFeed(duckdb: DuckDB, { codes, words }: TextVector): Feed {
  const part = words.length < 256 ? new Uint8Array(CHUNK_ROWS) : new Uint16Array(CHUNK_ROWS);
  const partOf = (from: number, to: number) => {
    part.set(codes.subarray(from, to));
    return part.subarray(0, to - from);
  };
  return feedOfParts(duckdb.ENUM(words), partOf, missingCodes(codes));
}

/** A feed of text of which most rows have their own: it is handed over with them. */
function rowsFeed({ VARCHAR }: DuckDB, packer: TextPacker, { codes, words }: TextVector): Feed {
  const missing = missingCodes(codes);
  return {
    type: VARCHAR,
    fill(target, from, to) {
      const texts = new Array<string>(to - from);
      for (let row = from; row < to; row += 1) texts[row - from] = words[codes[row] as number] ?? '';
      target.setTexts(texts, packer);
      if (missing) hide(target, from, to, missing);
    },
  };
}

/** A feed of text whose words recur: they are handed over once, in advance, and the rows point to them. */
function wordsFeed(duckdb: DuckDB, packer: TextPacker, { codes, words }: TextVector): Feed {
  const store = packer.packed(duckdb, words);
  const part = new Uint32Array(ENTRY_PARTS * CHUNK_ROWS);
  const put = (at: number, row: number) => {
    const { entries } = store;
    const [to, from] = [ENTRY_PARTS * at, ENTRY_PARTS * (codes[row] as number)];
    part[to] = entries[from] as number;
    part[to + 1] = entries[from + 1] as number;
    part[to + 2] = entries[from + 2] as number;
    part[to + 3] = entries[from + 3] as number;
  };
  return madeFeed(duckdb.VARCHAR, part, put, missingCodes(codes));
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
