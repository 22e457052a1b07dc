import { decimalOf, MICRO } from '../../contract/decimal.js';
import { MISSING_MICROS } from '../vector/vector.js';

/** No number, as text, is longer than this many bytes. */
export const LONGEST_NUMBER = 26;

/** Up to here a decimal of six places is the shortest text of its double: 15 digits are told apart by any double. */
const MOST_MICROS = 999_999_999_999_999;
const [MINUS, POINT, ZERO] = [45, 46, 48];
/** The two digits of each number below 100. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, at) => ZERO + (at % 2 === 0 ? Math.floor(at / 20) : (at >> 1) % 10));

/**
 * Writes a double as the shortest text that reads back to it, as `String` gives it; nothing for NaN.
 *
 * @returns The place behind it.
 */
export function putDouble(target: Uint8Array, at: number, value: number): number {
  const size = value < 0 ? -value : value;
  const whole = size | 0;
  if (whole === size) return putWhole(target, putSign(target, at, value), whole);
  const micros = Math.floor(size * MICRO + 0.5);
  if (micros <= MOST_MICROS && micros / MICRO === size) {
    const point = putWhole(target, putSign(target, at, value), whole);
    return putFraction(target, point, (micros - whole * MICRO) | 0);
  }
  return Number.isNaN(value) ? at : putAscii(target, at, String(value));
}

/**
 * Writes exact micro-units as decimal text with no trailing zeros; nothing for a missing value.
 *
 * @returns The place behind it.
 */
export function putExact(target: Uint8Array, at: number, value: bigint): number {
  const micros = Number(value);
  if (micros >= -MOST_MICROS && micros <= MOST_MICROS) {
    return putMicros(target, putSign(target, at, micros), micros < 0 ? -micros : micros);
  }
  return value === MISSING_MICROS ? at : putAscii(target, at, decimalOf(value));
}

/** Writes text of single bytes. */
export function putAscii(target: Uint8Array, at: number, text: string): number {
  for (let place = 0; place < text.length; place += 1) target[at + place] = text.charCodeAt(place);
  return at + text.length;
}

function putSign(target: Uint8Array, at: number, value: number): number {
  if (value >= 0) return at;
  target[at] = MINUS;
  return at + 1;
}

function putMicros(target: Uint8Array, at: number, micros: number): number {
  const whole = (micros / MICRO) | 0;
  const fraction = (micros - whole * MICRO) | 0;
  const point = putWhole(target, at, whole);
  return fraction === 0 ? point : putFraction(target, point, fraction);
}

function putWhole(target: Uint8Array, at: number, whole: number): number {
  if (whole < 10) {
    target[at] = ZERO + whole;
    return at + 1;
  }
  const end = at + digitsIn(whole);
  let [place, rest] = [end, whole];
  while (rest >= 10) {
    const less = (rest / 100) | 0;
    place -= 2;
    putPair(target, place, rest - less * 100);
    rest = less;
  }
  if (rest > 0) target[place - 1] = ZERO + rest;
  return end;
}

function digitsIn(whole: number): number {
  if (whole < 10_000) return whole < 100 ? 2 : whole < 1_000 ? 3 : 4;
  if (whole < 1_000_000) return whole < 100_000 ? 5 : 6;
  if (whole < 100_000_000) return whole < 10_000_000 ? 7 : 8;
  return whole < 1_000_000_000 ? 9 : 10;
}

/** The point and up to six places, without zeros at the end. */
function putFraction(target: Uint8Array, at: number, fraction: number): number {
  target[at] = POINT;
  const first = (fraction / 10_000) | 0;
  const others = fraction - first * 10_000;
  putPair(target, at + 1, first);
  if (others > 0) {
    const second = (others / 100) | 0;
    putPair(target, at + 3, second);
    putPair(target, at + 5, others - second * 100);
  }
  let end = others > 0 ? at + 7 : at + 3;
  while (target[end - 1] === ZERO) end -= 1;
  return end;
}

function putPair(target: Uint8Array, at: number, pair: number): void {
  target[at] = PAIRS[2 * pair] ?? ZERO;
  target[at + 1] = PAIRS[2 * pair + 1] ?? ZERO;
}
