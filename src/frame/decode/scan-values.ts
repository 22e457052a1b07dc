import { Buffer, isUtf8 } from 'node:buffer';
import { daysOfMonth } from '../../contract/time.js';
import { WHOLE_SECOND } from '../vector/iso-time.js';
import { ASCII, asciiEnd, NULL_WORD, stringEnd } from './json-ends.js';

/** A position in the UTF-8 text of a page. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the next byte. */
  at = 0;
  /** Decimal places of the last number that was read. */
  places = 0;
  /** Whether the last text that was examined is ASCII. */
  plain = true;
  readonly #text: Buffer;
  #valid: boolean | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The text from `start` to before `end`, whose bytes must be ASCII. */
  ascii(start: number, end: number): string {
    return this.#text.toString('latin1', start, end);
  }

  /** The text from `start` to before `end`, neither inside a character; undefined if the page is not UTF-8. */
  text(start: number, end: number): string | undefined {
    return this.isUtf8() ? this.#text.toString('utf8', start, end) : undefined;
  }

  /** Whether the page is UTF-8. Checked once, and only if text that is not ASCII, or an odd value, is read. */
  isUtf8(): boolean {
    this.#valid ??= isUtf8(this.bytes);
    return this.#valid;
  }
}

/**
 * Moves the cursor past `null` or an empty string, both of which stand for a missing value; false if there is neither.
 */
export function scanNull(cursor: Cursor): boolean {
  const { bytes, at } = cursor;
  if (bytes[at] === ASCII.quote && bytes[at + 1] === ASCII.quote) {
    cursor.at = at + 2;
    return true;
  }
  if (at + 4 > bytes.length || cursor.view.getInt32(at, true) !== NULL_WORD) return false;
  cursor.at = at + 4;
  return true;
}

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
    number = number * (POWERS[places] as number) + digits;
  }
  if (quoted ? byte !== ASCII.quote : (byte | 0x20) === ASCII.e) return Number.NaN;
  cursor.at = quoted ? at + 1 : at;
  cursor.places = places;
  return negative ? -number : number;
}

/**
 * The offset of the quotation mark that ends a JSON string without escapes. Sets `cursor.plain` to whether the string
 * is ASCII.
 *
 * @param start Offset after its first quotation mark.
 * @returns -1 if an escape comes first, there is no end, or the page is not UTF-8.
 */
export function textEnd(cursor: Cursor, start: number): number {
  const { bytes, view } = cursor;
  const end = asciiEnd(bytes, view, start);
  cursor.plain = bytes[end] === ASCII.quote;
  if (cursor.plain) return end;
  return (bytes[end] ?? 0) >= 0x80 && cursor.isUtf8() ? stringEnd(bytes, view, end) : -1;
}

const NO_NUMBER = 100;

/**
 * The offset of the quotation mark after an ISO 8601 date, or date and time in UTC. It checks what `isIsoTime` checks,
 * without making a string.
 *
 * @returns -1 if there is no such time.
 */
export function utcTimeEnd(bytes: Uint8Array, start: number): number {
  if (!isDay(bytes, start)) return -1;
  let at = start + 10;
  if (bytes[at] === ASCII.quote) return at;
  if (bytes[at] !== 0x54 || bytes[at + 3] !== ASCII.colon) return -1;
  if (numberAt(bytes, at + 1) > 23 || numberAt(bytes, at + 4) > 59) return -1;
  at += 6;
  if (bytes[at] === ASCII.colon) {
    if (numberAt(bytes, at + 1) > 59) return -1;
    at = bytes[at + 3] === ASCII.point ? digitsEnd(bytes, at + 4) : at + 3;
  }
  return bytes[at] === 0x5a && bytes[at + 1] === ASCII.quote ? at + 1 : -1;
}

function isDay(bytes: Uint8Array, at: number): boolean {
  if (numberAt(bytes, at) === NO_NUMBER || numberAt(bytes, at + 2) === NO_NUMBER) return false;
  if (bytes[at + 4] !== ASCII.minus || bytes[at + 7] !== ASCII.minus) return false;
  const month = numberAt(bytes, at + 5);
  const day = numberAt(bytes, at + 8);
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return day <= 28 || day <= daysOfMonth(100 * numberAt(bytes, at) + numberAt(bytes, at + 2), month);
}

/** The number that two digits make; {@link NO_NUMBER} if they are not digits. */
function numberAt(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - ASCII.zero;
  const ones = (bytes[at + 1] ?? 0) - ASCII.zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : NO_NUMBER;
}

/** The offset after a run of digits; -1 if there is none. */
function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let byte = bytes[at] ?? 0; byte >= ASCII.zero && byte <= ASCII.nine; byte = bytes[at] ?? 0) at += 1;
  return at > start ? at : -1;
}

const DAY = '2025-11-05'.length;

/** Whether a time that `utcTimeEnd` found has the form that frames store, so that `toIsoTime` would not change it. */
export function isShortestTime(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === WHOLE_SECOND || length === DAY) return true;
  // After the point come groups of three digits, the last of them not all zeros.
  if (length < WHOLE_SECOND || (length - WHOLE_SECOND) % 3 !== 1) return false;
  return bytes[end - 2] !== ASCII.zero || bytes[end - 3] !== ASCII.zero || bytes[end - 4] !== ASCII.zero;
}

/** The bit that letters have set, for each byte of a 32-bit word; in capital letters the next lower bit is clear. */
const LETTERS = 0x40404040;

/** Whether the text from `start` to before `end` is `0x` and hexadecimal digits, with some capital letters. */
export function isCapitalHex(cursor: Cursor, start: number, end: number): boolean {
  if (!mayHaveCapitals(cursor.view, start, end)) return false;
  const text = cursor.ascii(start, end);
  return lowerHex(text) !== text;
}

function mayHaveCapitals(view: DataView, start: number, end: number): boolean {
  let at = start;
  for (; at + 4 <= end; at += 4) if (isCapital(view.getInt32(at, true))) return true;
  for (; at < end; at += 1) if (isCapital(view.getUint8(at))) return true;
  return false;
}

function isCapital(bytes: number): boolean {
  return (bytes & ~(bytes << 1) & LETTERS) !== 0;
}

const HEX = /^0x[\da-f]+$/i;

/** Converts `0x` and hexadecimal digits to lower case; returns any other text as it is. */
export function lowerHex(text: string): string {
  return HEX.test(text) ? text.toLowerCase() : text;
}
