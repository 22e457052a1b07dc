import { ASCII, NULL_WORD } from './ascii.js';
import type { Cursor } from './cursor.js';

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
