import { AnswerError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { ASCII } from '../../frame/decode/json-ends.js';
import { keepRecordCount } from '../paging/page-source.js';

/** Records as they are stored: JSON text without spaces, each ended by a line feed. */
export interface RecordLines {
  readonly text: Buffer;
  readonly records: number;
}

const [LINE_FEED, SPACE] = [0x0a, 0x20];

/** JSON's white space, and what may stand beside it: all but the letters and digits of numbers, true, false and null. */
const SPACES = Buffer.from(' \t\n\r');
const MARKS = Buffer.from('\0\n[]{},:"');

/**
 * Writes the records of a page one per line, each exactly as the service sent it (order of fields, every digit of
 * numbers), except for white space between its parts.
 *
 * @param results JSON text of an array of records, in UTF-8.
 * @param most The largest number of records; further ones are left out.
 * @throws {AnswerError} If the text is not a JSON array.
 */
export function recordLines(results: Uint8Array, most = Number.POSITIVE_INFINITY): RecordLines {
  const bytes = Buffer.allocUnsafe(results.length + 1);
  let [length, begin, records, depth] = [0, 0, 0, 1];
  const put = (byte: number) => {
    bytes[length] = byte;
    length += 1;
  };
  const endRecord = () => {
    if (length === begin) return false;
    put(LINE_FEED);
    begin = length;
    records += 1;
    return true;
  };
  for (let at = openingOf(results) + 1; records < most; at += 1) {
    const byte = results[at] ?? refuse(at);
    if (byte <= SPACE) at = endOfSpace(results, at, bytes[length - 1] ?? 0) - 1;
    else if (byte === ASCII.quote) {
      for (const end = endOfString(results, at); at < end; at += 1) put(itemAt(results, at));
      put(byte);
    } else if (depth === 1 && byte === ASCII.comma) {
      if (!endRecord()) refuse(at);
    } else if (depth === 1 && byte === ASCII.closeList) {
      // A list may be empty, but a comma must be followed by a record.
      if (!endRecord() && records > 0) refuse(at);
      const stray = results.subarray(at + 1).findIndex((rest) => rest > SPACE);
      if (stray >= 0) refuse(at + 1 + stray);
      break;
    } else {
      if (byte === ASCII.openList || byte === ASCII.openRecord) depth += 1;
      else if (byte === ASCII.closeList || byte === ASCII.closeRecord) depth -= 1;
      if (depth === 0) refuse(at);
      put(byte);
    }
  }
  return { text: bytes.subarray(0, length), records };
}

/** The offset at which the list begins. */
function openingOf(results: Uint8Array): number {
  const at = results.findIndex((byte) => byte > SPACE);
  return results[at] === ASCII.openList ? at : refuse(Math.max(at, 0));
}

/** The offset after white space; refuses white space between two words that would become one without it. */
function endOfSpace(results: Uint8Array, from: number, before: number): number {
  let at = from;
  while (SPACES.includes(results[at] ?? 0)) at += 1;
  const after = results[at] ?? 0;
  return after < SPACE || (!MARKS.includes(before) && !MARKS.includes(after)) ? refuse(at) : at;
}

/** The offset of the closing quote of the string that begins at a quote. */
function endOfString(results: Uint8Array, from: number): number {
  for (let at = from + 1; at < results.length; at += 1) {
    const byte = results[at] ?? 0;
    if (byte === ASCII.quote) return at;
    // A line feed in a record would be read as its end.
    if (byte < SPACE) return refuse(at);
    if (byte === ASCII.escape && (results[at + 1] ?? 0) >= SPACE) at += 1;
  }
  return refuse(results.length);
}

function refuse(at: number): never {
  throw new AnswerError(`The records of a page are no JSON array: character ${at + 1} of them is out of place.`);
}

/** The records as the JSON text of an array, as a decoder takes it. */
export function arrayOfLines({ text, records }: RecordLines): Uint8Array {
  const results = Buffer.allocUnsafe(records === 0 ? 2 : text.length + 1);
  results[0] = ASCII.openList;
  text.copy(results, 1);
  for (let at = results.indexOf(LINE_FEED, 1); at >= 0; at = results.indexOf(LINE_FEED, at + 1))
    results[at] = ASCII.comma;
  results[results.length - 1] = ASCII.closeList;
  keepRecordCount(results, records);
  return results;
}
