import { ASCII } from './ascii.js';
import type { Cursor } from './cursor.js';
import { asciiEnd, stringEnd } from './string-end.js';

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
