import { MISSING_MICROS, type TextVector, type Vector } from './vector.js';

/** Some rows of a vector, by position and in the order given; a missing value for each row number below 0. */
export function takeVector(vector: Vector, rows: Uint32Array | Int32Array): Vector {
  switch (vector.kind) {
    case 'number':
      return { kind: 'number', values: gathered(vector.values, new Float64Array(rows.length), rows, Number.NaN) };
    case 'micros':
      return { kind: 'micros', values: gathered(vector.values, new BigInt64Array(rows.length), rows, MISSING_MICROS) };
    case 'text':
      return withCodes(vector, gathered(vector.codes, new Int32Array(rows.length), rows, -1));
    case 'boolean':
      return { kind: 'boolean', values: gathered(vector.values, new Int8Array(rows.length), rows, -1) };
    default:
      return { kind: 'mixed', cells: Array.from(rows, (row) => (row < 0 ? null : vector.cells[row])) };
  }
}

/** Arrays that the same loop gathers from: each kind has its own, see {@link gathered}. */
type Values = Float64Array | BigInt64Array | Int32Array | Int8Array;

function gathered<Kind extends Values>(
  from: Kind,
  to: Kind,
  rows: Uint32Array | Int32Array,
  missing: Kind[number],
): Kind {
  if (rows instanceof Int32Array) gatherOrMissing(from, to, rows, missing);
  else if (from instanceof Float64Array) gatherDoubles(from, to as Float64Array, rows);
  else if (from instanceof Int32Array) gatherCodes(from, to as Int32Array, rows);
  else gatherOrMissing(from, to, rows, missing);
  return to;
}

function gatherOrMissing(from: Values, to: Values, rows: Uint32Array | Int32Array, missing: number | bigint): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    to[at] = row < 0 ? missing : (from[row] as number | bigint);
  }
}

// Rows in random order are mostly not in the processor's cache. Eight are read before any is written, so that it
// waits for them at once: of a million rows, a column of doubles takes 9 ms instead of 30.

function gatherDoubles(from: Float64Array, to: Float64Array, rows: Uint32Array): void {
  let at = 0;
  for (; at + 8 <= rows.length; at += 8) {
    const one = from[rows[at] as number] as number;
    const two = from[rows[at + 1] as number] as number;
    const three = from[rows[at + 2] as number] as number;
    const four = from[rows[at + 3] as number] as number;
    const five = from[rows[at + 4] as number] as number;
    const six = from[rows[at + 5] as number] as number;
    const seven = from[rows[at + 6] as number] as number;
    const eight = from[rows[at + 7] as number] as number;
    to[at] = one;
    to[at + 1] = two;
    to[at + 2] = three;
    to[at + 3] = four;
    to[at + 4] = five;
    to[at + 5] = six;
    to[at + 6] = seven;
    to[at + 7] = eight;
  }
  for (; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
}

function gatherCodes(from: Int32Array, to: Int32Array, rows: Uint32Array): void {
  let at = 0;
  for (; at + 8 <= rows.length; at += 8) {
    const one = from[rows[at] as number] as number;
    const two = from[rows[at + 1] as number] as number;
    const three = from[rows[at + 2] as number] as number;
    const four = from[rows[at + 3] as number] as number;
    const five = from[rows[at + 4] as number] as number;
    const six = from[rows[at + 5] as number] as number;
    const seven = from[rows[at + 6] as number] as number;
    const eight = from[rows[at + 7] as number] as number;
    to[at] = one;
    to[at + 1] = two;
    to[at + 2] = three;
    to[at + 3] = four;
    to[at + 4] = five;
    to[at + 5] = six;
    to[at + 6] = seven;
    to[at + 7] = eight;
  }
  for (; at < rows.length; at += 1) to[at] = from[rows[at] as number] as number;
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
