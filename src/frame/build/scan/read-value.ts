import { parseJson } from '../parse-json.js';
import type { Cursor } from './cursor.js';
import { countFields, countWrittenFields } from './repeated-field.js';
import { valueEnd } from './value-end.js';

/**
 * Decodes the JSON value at the cursor, of any kind, and moves the cursor past it. Numbers that a double cannot hold
 * become text: see {@link parseJson}.
 *
 * @param exact Whether every number of more than 15 digits becomes text.
 * @returns Undefined if the page is not UTF-8 or the value repeats a field.
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
