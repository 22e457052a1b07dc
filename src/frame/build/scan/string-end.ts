import { ASCII } from './ascii.js';

/** The highest bit of each byte of a 32-bit word. */
const HIGH = 0x80808080 | 0;
const ONES = 0x01010101;
const QUOTES = 0x22222222;
const ESCAPES = 0x5c5c5c5c;
const BLANKS = 0x20202020;

/**
 * The offset at which plain ASCII in a JSON string ends: at a quotation mark, an escape, a control character or a byte
 * beyond ASCII.
 */
export function asciiEnd(bytes: Uint8Array, view: DataView, start: number): number {
  let at = start;
  // Four bytes at a time: a plain byte leaves its highest bit clear in all four terms, so the lowest bit that is set
  // belongs to the first byte that is not plain.
  for (const last = view.byteLength - 4; at <= last; at += 4) {
    const word = view.getInt32(at, true);
    const marks = ((word - BLANKS) | ((word ^ QUOTES) - ONES) | ((word ^ ESCAPES) - ONES) | word) & HIGH;
    if (marks !== 0) return at + ((31 - Math.clz32(marks & -marks)) >> 3);
  }
  for (let byte = bytes[at] ?? 0; isPlain(byte); byte = bytes[at] ?? 0) at += 1;
  return at;
}

/**
 * The offset of the quotation mark that ends a JSON string without escapes.
 *
 * @param start Offset after its first quotation mark, or of any character in it.
 * @returns -1 if an escape comes first, or there is no end.
 */
export function stringEnd(bytes: Uint8Array, view: DataView, start: number): number {
  let at = asciiEnd(bytes, view, start);
  for (let byte = bytes[at] ?? 0; byte >= 0x80; byte = bytes[at] ?? 0) {
    // Such characters mostly come together.
    for (; byte >= 0x80; byte = bytes[at] ?? 0) at += 1;
    at = asciiEnd(bytes, view, at);
  }
  return bytes[at] === ASCII.quote ? at : -1;
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x80 && byte !== ASCII.quote && byte !== ASCII.escape;
}
