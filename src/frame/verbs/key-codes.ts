import { distinctWords } from '../vector/distinct-words.js';
import { HIGH_HALF } from '../vector/high-half.js';
import { plainVector } from '../vector/plain-vector.js';
import type { Vector } from '../vector/vector.js';
import { pairCodes } from './pair-codes.js';

/** The values of a column as small integers: equal values have equal codes. */
export interface KeyCodes {
  /** From 0, below `count`; -1 where a value is missing. */
  readonly codes: Int32Array;
  /** May be greater than the number of distinct values. */
  readonly count: number;
}

/** A span of integers up to which, or to four times the rows, a table indexed by them is worth its room. */
const NARROW = 1 << 16;

/**
 * Codes a column, so that groups, joins and counts of distinct values compare integers. Every value equals itself
 * alone, except that -0 equals 0. Times are to come as `comparedVector` gives them.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it mixes kinds of values.
 */
export function keyCodes(name: string, vector: Vector): KeyCodes {
  const plain = plainVector(name, vector);
  switch (plain.kind) {
    case 'text': {
      const { codes, words } = distinctWords(plain);
      return { codes, count: words.length };
    }
    case 'boolean':
      return { codes: Int32Array.from(plain.values), count: 2 };
    case 'number':
      return integerCodes(plain.values) ?? bitCodes(plain.values);
    default:
      return bitCodes(plain.values);
  }
}

/** Integers within a narrow span are their own codes. */
function integerCodes(values: Float64Array): KeyCodes | undefined {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return undefined;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  if (greatest < least) return { codes: new Int32Array(values.length).fill(-1), count: 0 };
  if (greatest - least >= Math.max(NARROW, 4 * values.length)) return undefined;
  const codes = new Int32Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    codes[row] = Number.isNaN(value) ? -1 : value - least;
  }
  return { codes, count: greatest - least + 1 };
}

function bitCodes(values: Float64Array | BigInt64Array): KeyCodes {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const exact = values instanceof BigInt64Array;
  const [high, low] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  const missing = new Uint8Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const upper = bits[2 * row + HIGH_HALF] as number;
    const lower = bits[2 * row + 1 - HIGH_HALF] as number;
    // Alone, the sign bit is -0 as a double, and stands for a missing value as an integer.
    const signAlone = upper === 0x80000000 && lower === 0;
    high[row] = signAlone ? 0 : upper;
    low[row] = lower;
    if (exact ? signAlone : isNaNBits(upper, lower)) missing[row] = 1;
  }
  const { codes, firstRows } = pairCodes(high, low, missing);
  return { codes, count: firstRows.length };
}

function isNaNBits(upper: number, lower: number): boolean {
  const magnitude = upper & 0x7fffffff;
  return magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && lower !== 0);
}
