import { decimalOf, MICRO } from '../../contract/decimal.js';
import { dateOfDay } from '../../contract/time.js';

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const NINE_DIGITS = 1e9;

/**
 * Writes a whole number of 0 to 2^53 - 1 in decimal digits.
 *
 * @returns Where the next byte goes.
 */
export function putWhole(bytes: Uint8Array, at: number, value: number): number {
  if (value < 10) {
    bytes[at] = ZERO + value;
    return at + 1;
  }
  if (value >= NINE_DIGITS) {
    const high = Math.floor(value / NINE_DIGITS);
    return putDigits(bytes, putWhole(bytes, at, high), value - high * NINE_DIGITS, 9);
  }
  let digits = 2;
  for (let power = 100; power <= value; power *= 10) digits++;
  return putDigits(bytes, at, value, digits);
}

/** Writes a number below 10^9 in so many digits. */
function putDigits(bytes: Uint8Array, at: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let i = at + digits - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    bytes[i] = ZERO + rest - next * 10;
    rest = next;
  }
  return at + digits;
}

/** Writes whole micro-units as {@link decimalOf} does; exact below 2^53. */
export function putMicros(bytes: Uint8Array, at: number, micros: number): number {
  if (!Number.isSafeInteger(micros)) return putAscii(bytes, at, decimalOf(BigInt(micros)));
  let next = at;
  if (micros < 0) bytes[next++] = MINUS;
  const size = Math.abs(micros);
  // The quotient may round up to the next whole; the product then tells.
  let whole = Math.floor(size / MICRO);
  if (whole * MICRO > size) whole--;
  const fraction = size - whole * MICRO;
  next = putWhole(bytes, next, whole);
  if (fraction === 0) return next;
  bytes[next++] = POINT;
  next = putDigits(bytes, next, fraction, 6);
  while (bytes[next - 1] === ZERO) next--;
  return next;
}

/** Writes text of ASCII letters alone. */
export function putAscii(bytes: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/** Days from 1970 on whose dates are kept once they were written: to the year 2059. */
const KEPT_DAYS = 1 << 15;
const DATE_LETTERS = 10;
const dates = new Uint8Array(KEPT_DAYS * DATE_LETTERS);

/** Writes a UTC day number as `YYYY-MM-DD`. */
export function putDate(bytes: Uint8Array, at: number, day: number): void {
  if (day < 0 || day >= KEPT_DAYS) {
    putAscii(bytes, at, dateOfDay(day));
    return;
  }
  const from = day * DATE_LETTERS;
  if (dates[from] === 0) putAscii(dates, from, dateOfDay(day));
  for (let i = 0; i < DATE_LETTERS; i++) bytes[at + i] = dates[from + i] ?? 0;
}
