import { parseJson } from '../parse-json.js';
import type { Cursor } from './cursor.js';
import { countFields, countWrittenFields } from './repeated-field.js';
import { valueEnd } from './value-end.js';

/**
 * Decodes the JSON value at the cursor, whatever it is, and moves on behind it. Numbers that a double does not hold are
 * text of their digits, see {@link parseJson}.
 *
 * @param exact Whether every number of more than 15 digits is.
 * @returns Undefined where no value is there, it is no UTF-8, or it has a field twice.
 * @throws {SyntaxError} If the value is malformed.
 */
export function readValue(cursor: Cursor, exact: boolean): unknown {
  const { bytes, at } = cursor;
  const end = valueEnd(bytes, at);
  const text = cursor.text(at, end);
  if (text === undefined) return undefined;
  const value: unknown = parseJson(text, exact);
  if (countFields(value) !== (typeof value === 'object' ? countWrittenFields(bytes, at, end) : 0)) return undefined;
  cursor.at = end;
  return value;
}
