import { decimalOf, MICRO } from '../../base/decimal.js';
import { MISSING_MICROS } from '../vector/vector.js';

/** The length in bytes of the longest number as text. */
export const LONGEST_NUMBER = 26;

/** Up to here a decimal with six places is the shortest text of its double, since doubles tell 15 digits apart. */
const MOST_MICROS = 999_999_999_999_999;
const [MINUS, POINT, ZERO] = [45, 46, 48];

/**
 * The text of each number below 1000 in the three low bytes of an integer, and its length in the highest byte. All four
 * bytes are written; the next text overwrites those beyond the length.
 */
const LEADING = groups((a, b, c) => (a > 0 ? group(a, b, c, 3) : b > 0 ? group(b, c, 0, 2) : group(c, 0, 0, 1)));
const FOLLOWING = groups((a, b, c) => group(a, b, c, 3));
const MINUS_ZERO = MINUS | (ZERO << 8) | (2 << 24);
const LAST = groups((a, b, c) => group(a, b, c, c > 0 ? 3 : b > 0 ? 2 : a > 0 ? 1 : 0));

/** Uses no strings, to be fast: it runs when the package is imported. */
function groups(packed: (a: number, b: number, c: number) => number): Int32Array {
  return Int32Array.from({ length: 1000 }, (_, at) => packed((at / 100) | 0, ((at / 10) | 0) % 10, at % 10));
}

function group(a: number, b: number, c: number, length: number): number {
  return (ZERO + a) | ((ZERO + b) << 8) | ((ZERO + c) << 16) | (length << 24);
}

/**
 * Writes a double as the shortest text that reads back to it, like `String`, except that -0 keeps its sign and NaN
 * writes nothing. Bytes after the text may be overwritten, up to {@link LONGEST_NUMBER} in all.
 *
 * @returns The offset after the text.
 */
export function putDouble(target: DataView, at: number, value: number): number {
  const size = value < 0 ? -value : value;
  const whole = size | 0;
  if (whole === size) {
    // Most numbers are counts.
    if (value > 0 && whole < 1_000) return putGroup(target, at, LEADING[whole]);
    if (whole === 0) return putGroup(target, at, 1 / value < 0 ? MINUS_ZERO : LEADING[0]);
    return putWhole(target, putSign(target, at, value), whole);
  }
  const micros = Math.floor(size * MICRO + 0.5);
  if (micros <= MOST_MICROS && micros / MICRO === size) {
    const point = putWhole(target, putSign(target, at, value), whole);
    return putFraction(target, point, (micros - whole * MICRO) | 0);
  }
  return Number.isNaN(value) ? at : putAscii(target, at, String(value));
}

/**
 * Writes exact micro-units as decimal text without trailing zeros; nothing for a missing value. Bytes after the text
 * may be overwritten, up to {@link LONGEST_NUMBER} in all.
 *
 * @returns The offset after the text.
 */
export function putExact(target: DataView, at: number, value: bigint): number {
  const micros = Number(value);
  if (micros >= -MOST_MICROS && micros <= MOST_MICROS) {
    return putMicros(target, putSign(target, at, micros), micros < 0 ? -micros : micros);
  }
  return value === MISSING_MICROS ? at : putAscii(target, at, decimalOf(value));
}

/** Writes text of single bytes. */
export function putAscii(target: DataView, at: number, text: string): number {
  for (let place = 0; place < text.length; place += 1) target.setUint8(at + place, text.charCodeAt(place));
  return at + text.length;
}

function putSign(target: DataView, at: number, value: number): number {
  // Without a branch, which would often be mispredicted; the number overwrites a sign that is not needed.
  target.setUint8(at, MINUS);
  return at + Number(value < 0);
}

function putMicros(target: DataView, at: number, micros: number): number {
  const whole = (micros / MICRO) | 0;
  const fraction = (micros - whole * MICRO) | 0;
  const point = putWhole(target, at, whole);
  return fraction === 0 ? point : putFraction(target, point, fraction);
}

function putWhole(target: DataView, at: number, whole: number): number {
  if (whole < 1_000) return putGroup(target, at, LEADING[whole]);
  const thousands = (whole / 1_000) | 0;
  const last = FOLLOWING[whole - thousands * 1_000];
  return putGroup(target, putThousands(target, at, thousands), last);
}

function putThousands(target: DataView, at: number, thousands: number): number {
  return thousands < 1_000 ? putGroup(target, at, LEADING[thousands]) : putWhole(target, at, thousands);
}

/** Writes the point and up to six places, without trailing zeros. */
function putFraction(target: DataView, at: number, fraction: number): number {
  target.setUint8(at, POINT);
  const first = (fraction / 1_000) | 0;
  const second = fraction - first * 1_000;
  if (second === 0) return putGroup(target, at + 1, LAST[first]);
  return putGroup(target, putGroup(target, at + 1, FOLLOWING[first]), LAST[second]);
}

function putGroup(target: DataView, at: number, group = 0): number {
  target.setInt32(at, group, true);
  return at + (group >>> 24);
}
