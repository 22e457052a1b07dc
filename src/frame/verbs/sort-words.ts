import { HIGH_HALF } from '../vector/high-half.js';
import { bigIntegersOf, plainVector } from '../vector/plain-vector.js';
import { usedWords } from '../vector/used-words.js';
import type { TextVector, Vector } from '../vector/vector.js';

/** Part of a sort key: unsigned integers that sort as the values do. */
export interface SortWord {
  readonly values: Uint32Array;
  /** Bits that may be set. */
  readonly bits: number;
}

/**
 * A column as unsigned words, the least significant first, whose order is the order of its values: -0 equals 0, text
 * by code units, false before true, missing values last in either direction.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it mixes kinds of values.
 */
export function sortWords(name: string, vector: Vector, descending: boolean): SortWord[] {
  const integers = bigIntegersOf(vector);
  if (integers) return [integerRanks(integers, descending)];
  const plain = plainVector(name, vector);
  switch (plain.kind) {
    case 'number':
      return doubleWords(plain.values, descending);
    case 'micros':
      return exactWords(plain.values, descending);
    case 'text':
      return [textRanks(plain, descending)];
    default: {
      const ranks = descending ? [2, 1, 0] : [2, 0, 1];
      return [{ values: Uint32Array.from(plain.values, (value) => ranks[value + 1] as number), bits: 2 }];
    }
  }
}

/** Doubles sort as their bits once negative ones are turned round and the others stand above them. */
function doubleWords(doubles: Float64Array, descending: boolean): SortWord[] {
  const halves = new Uint32Array(doubles.buffer, doubles.byteOffset, doubles.length * 2);
  const [high, low] = [new Uint32Array(doubles.length), new Uint32Array(doubles.length)];
  const turn = descending ? -1 : 0;
  for (let row = 0; row < doubles.length; row += 1) {
    const value = doubles[row] as number;
    if (Number.isNaN(value)) {
      high[row] = low[row] = 0xffffffff;
      continue;
    }
    // Of the halves, -0 would stand apart from 0.
    const upper = value === 0 ? 0 : (halves[2 * row + HIGH_HALF] as number);
    const flip = upper >> 31;
    high[row] = upper ^ (flip | 0x80000000) ^ turn;
    low[row] = (halves[2 * row + 1 - HIGH_HALF] as number) ^ flip ^ turn;
  }
  return wordsOf(low, high);
}

/** From the least integer, which stands for what is missing; one less, that becomes the greatest word. */
function exactWords(micros: BigInt64Array, descending: boolean): SortWord[] {
  const halves = new Uint32Array(micros.buffer, micros.byteOffset, micros.length * 2);
  const [high, low] = [new Uint32Array(micros.length), new Uint32Array(micros.length)];
  for (let row = 0; row < micros.length; row += 1) {
    const upper = (halves[2 * row + HIGH_HALF] as number) ^ 0x80000000;
    const lower = halves[2 * row + 1 - HIGH_HALF] as number;
    high[row] = descending ? ~upper : lower === 0 ? upper - 1 : upper;
    low[row] = descending ? ~lower : lower - 1;
  }
  return wordsOf(low, high);
}

function wordsOf(...words: Uint32Array[]): SortWord[] {
  return words.map((values) => ({ values, bits: 32 }));
}

function integerRanks(integers: readonly (bigint | null)[], descending: boolean): SortWord {
  const distinct = [...new Set(integers.filter((value) => value !== null))];
  const sorted = distinct.sort((a, b) => (a < b === descending ? 1 : -1));
  const places = new Map(sorted.map((value, place) => [value, place]));
  const missing = sorted.length;
  const values = Uint32Array.from(integers, (value) => (value === null ? missing : (places.get(value) ?? missing)));
  return { values, bits: 32 - Math.clz32(missing) };
}

function textRanks(vector: TextVector, descending: boolean): SortWord {
  const { codes, words } = usedWords(vector);
  const sorted = words.slice().sort();
  const places = new Map(sorted.map((word, place) => [word, descending ? sorted.length - 1 - place : place]));
  const rankOf = Uint32Array.from(words, (word) => places.get(word) as number);
  const values = new Uint32Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    values[row] = code < 0 ? sorted.length : (rankOf[code] as number);
  }
  return { values, bits: 32 - Math.clz32(sorted.length) };
}
