import type { Cursor } from './cursor.js';
import { countFields, countWrittenFields } from './repeated-field.js';
import { valueEnd } from './value-end.js';

/**
 * Decodes the JSON value at the cursor, whatever it is, and moves on behind it.
 *
 * @returns Undefined where no value is there, it is no UTF-8, or it has a field twice.
 * @throws {SyntaxError} If the value is malformed.
 */
export function readValue(cursor: Cursor): unknown {
  const { bytes, at } = cursor;
  const end = valueEnd(bytes, at);
  const text = cursor.text(at, end);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (countFields(value) !== (typeof value === 'object' ? countWrittenFields(bytes, at, end) : 0)) return undefined;
  cursor.at = end;
  return value;
}
