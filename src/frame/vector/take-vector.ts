import { type Cell, MISSING_MICROS, type TextVector, type Vector } from './vector.js';

/** Some rows of a vector, by position and in the order given. */
export function takeVector(vector: Vector, rows: Uint32Array): Vector {
  switch (vector.kind) {
    case 'number':
      return { kind: 'number', values: gatherDoubles(vector.values, rows) };
    case 'micros':
      return { kind: 'micros', values: gatherExact(vector.values, rows) };
    case 'text':
      return withCodes(vector, gatherCodes(vector.codes, rows));
    case 'boolean':
      return { kind: 'boolean', values: gatherBytes(vector.values, rows) };
    default:
      return { kind: 'mixed', cells: Array.from<number, Cell>(rows, (row) => vector.cells[row]) };
  }
}

// One loop a kind of array: a loop that meets several is several times as slow.

function gatherDoubles(from: Float64Array, rows: Uint32Array): Float64Array {
  const to = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
  return to;
}

function gatherCodes(from: Int32Array, rows: Uint32Array): Int32Array {
  const to = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
  return to;
}

function gatherBytes(from: Int8Array, rows: Uint32Array): Int8Array {
  const to = new Int8Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
  return to;
}

function gatherExact(from: BigInt64Array, rows: Uint32Array): BigInt64Array {
  const to = new BigInt64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] as number] as bigint;
  return to;
}

/** Some rows of a vector, by position and in the order given; a missing value for each row number below 0. */
export function takeOrMissing(vector: Vector, rows: Int32Array): Vector {
  switch (vector.kind) {
    case 'number':
      return {
        kind: 'number',
        values: gatherOrMissing(vector.values, new Float64Array(rows.length), rows, Number.NaN),
      };
    case 'micros':
      return { kind: 'micros', values: gatherExactOrMissing(vector.values, rows) };
    case 'text':
      return withCodes(vector, gatherOrMissing(vector.codes, new Int32Array(rows.length), rows, -1));
    case 'boolean':
      return { kind: 'boolean', values: gatherOrMissing(vector.values, new Int8Array(rows.length), rows, -1) };
    default:
      return { kind: 'mixed', cells: Array.from(rows, (row) => (row < 0 ? null : vector.cells[row])) };
  }
}

function gatherOrMissing<Values extends Float64Array | Int32Array | Int8Array>(
  from: Values,
  to: Values,
  rows: Int32Array,
  missing: number,
): Values {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    to[at] = row < 0 ? missing : (from[row] as number);
  }
  return to;
}

function gatherExactOrMissing(from: BigInt64Array, rows: Int32Array): BigInt64Array {
  const to = new BigInt64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    to[at] = row < 0 ? MISSING_MICROS : (from[row] as bigint);
  }
  return to;
}

/** The words of a text vector under other codes; words that are made when first read stay so. */
function withCodes(vector: TextVector, codes: Int32Array): TextVector {
  const isLazy = Object.getOwnPropertyDescriptor(vector, 'words')?.get !== undefined;
  const { distinct } = vector;
  if (!isLazy) return { kind: 'text', codes, words: vector.words, distinct };
  return {
    kind: 'text',
    codes,
    distinct,
    get words() {
      return vector.words;
    },
  };
}
