import { ASCII } from './ascii.js';
import type { Cursor } from './cursor.js';
import { asciiEnd, stringEnd } from './string-end.js';

/**
 * The offset of the quotation mark that ends a JSON string, if its bytes are its text; `cursor.plain` then says whether
 * they are ASCII.
 *
 * @param start Behind its first quotation mark.
 * @returns -1 where an escape comes first, no end comes, or the page is no UTF-8.
 */
export function textEnd(cursor: Cursor, start: number): number {
  const { bytes, view } = cursor;
  const end = asciiEnd(bytes, view, start);
  cursor.plain = bytes[end] === ASCII.quote;
  if (cursor.plain) return end;
  return (bytes[end] ?? 0) >= 0x80 && cursor.isUtf8() ? stringEnd(bytes, view, end) : -1;
}
