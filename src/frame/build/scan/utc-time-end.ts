import { daysOfMonth } from '../../../contract/time.js';
import { ASCII } from './ascii.js';

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
