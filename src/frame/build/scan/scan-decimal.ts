import { ASCII } from './ascii.js';
import type { Cursor } from './cursor.js';

/** Powers of ten that a double holds exactly. */
export const POWERS: Float64Array = Float64Array.from({ length: 16 }, (_, power) => 10 ** power);

/**
 * The most digits before or after the point, so that each part fits 32 bits, and of both, so that a double is exact.
 */
const MAX_HALF = 9;
const MAX_DIGITS = 15;

/**
 * Reads a plain decimal, bare or in quotation marks, and moves the cursor past it.
 *
 * @returns The number without its point, where `cursor.places` is the count of decimal places. NaN, with the cursor
 * unmoved, for anything less simple: an exponent, a leading zero, more than 15 digits, or no number.
 */
export function scanDecimal(cursor: Cursor): number {
  const { bytes } = cursor;
  let at = cursor.at;
  let byte = bytes[at] ?? 0;
  const quoted = byte === ASCII.quote;
  if (quoted) byte = bytes[++at] ?? 0;
  const negative = byte === ASCII.minus;
  if (negative) byte = bytes[++at] ?? 0;
  const first = at;
  let digits = 0;
  for (; byte >= ASCII.zero && byte <= ASCII.nine; byte = bytes[++at] ?? 0) {
    digits = (Math.imul(digits, 10) + byte - ASCII.zero) | 0;
  }
  const size = at - first;
  if (size === 0 || size > MAX_HALF || (size > 1 && bytes[first] === ASCII.zero)) return Number.NaN;
  let places = 0;
  let number = digits;
  if (byte === ASCII.point) {
    const point = at;
    digits = 0;
    for (byte = bytes[++at] ?? 0; byte >= ASCII.zero && byte <= ASCII.nine; byte = bytes[++at] ?? 0) {
      digits = (Math.imul(digits, 10) + byte - ASCII.zero) | 0;
    }
    places = at - point - 1;
    if (places === 0 || places > MAX_HALF || places + size > MAX_DIGITS) return Number.NaN;
    number = number * (POWERS[places] ?? 1) + digits;
  }
  if (quoted ? byte !== ASCII.quote : (byte | 0x20) === ASCII.e) return Number.NaN;
  cursor.at = quoted ? at + 1 : at;
  cursor.places = places;
  return negative ? -number : number;
}
