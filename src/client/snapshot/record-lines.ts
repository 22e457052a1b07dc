import { AnswerError } from '../../base/errors.js';
import { keepRecordCount } from '../paging/page-source.js';

/** Records as they are stored: JSON text without spaces, each ended by a line feed. */
export interface RecordLines {
  readonly text: Buffer;
  readonly records: number;
}

const [LINE_FEED, QUOTE, COMMA, BACKSLASH, SPACE] = [0x0a, 0x22, 0x2c, 0x5c, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];

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
  const lines = new LineBuffer(results.length + 1);
  let at = openingOf(results) + 1;
  for (let depth = 1; lines.records < most; at += 1) {
    const byte = results[at] ?? refuse(at);
    if (byte <= SPACE) at = endOfSpace(results, at, lines.last) - 1;
    else if (byte === QUOTE) {
      const end = endOfString(results, at);
      lines.put(results, at, end + 1);
      at = end;
    } else if (depth === 1 && byte === COMMA) {
      if (!lines.endRecord()) refuse(at);
    } else {
      if (byte === OPEN_LIST || byte === OPEN_RECORD) depth += 1;
      else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) depth -= 1;
      if (depth === 0) {
        // A list may be empty, but a comma must be followed by a record.
        if (byte === CLOSE_RECORD || (!lines.endRecord() && lines.records > 0)) refuse(at);
        refuseRest(results, at + 1);
        break;
      }
      lines.put(results, at, at + 1);
    }
  }
  return lines;
}

class LineBuffer implements RecordLines {
  readonly #bytes: Buffer;
  #length = 0;
  #begin = 0;
  records = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  get text(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The last byte written, of this record or the one before; 0 at the very beginning. */
  get last(): number {
    return this.#bytes[this.#length - 1] ?? 0;
  }

  put(from: Uint8Array, start: number, end: number): void {
    const bytes = this.#bytes;
    let length = this.#length;
    // Names and values are mostly short: for them a loop is faster than a call of copy.
    for (let at = start; at < end; at += 1) bytes[length++] = from[at] as number;
    this.#length = length;
  }

  /** Ends the current record; returns false if none was begun. */
  endRecord(): boolean {
    if (this.#length === this.#begin) return false;
    this.#bytes[this.#length] = LINE_FEED;
    this.#length += 1;
    this.#begin = this.#length;
    this.records += 1;
    return true;
  }
}

/** The offset at which the list begins. */
function openingOf(results: Uint8Array): number {
  const at = results.findIndex((byte) => byte > SPACE);
  return results[at] === OPEN_LIST ? at : refuse(Math.max(at, 0));
}

function refuseRest(results: Uint8Array, from: number): void {
  for (let at = from; at < results.length; at += 1) if ((results[at] as number) > SPACE) refuse(at);
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
    if (byte === QUOTE) return at;
    // A line feed in a record would be read as its end.
    if (byte < SPACE) return refuse(at);
    if (byte === BACKSLASH && (results[at + 1] ?? 0) >= SPACE) at += 1;
  }
  return refuse(results.length);
}

function refuse(at: number): never {
  throw new AnswerError(`The records of a page are no JSON array: character ${at + 1} of them is out of place.`);
}

/** The records as the JSON text of an array, as a decoder takes it. */
export function arrayOfLines({ text, records }: RecordLines): Uint8Array {
  const results = Buffer.allocUnsafe(records === 0 ? 2 : text.length + 1);
  results[0] = OPEN_LIST;
  text.copy(results, 1);
  for (let at = results.indexOf(LINE_FEED, 1); at >= 0; at = results.indexOf(LINE_FEED, at + 1)) results[at] = COMMA;
  results[results.length - 1] = CLOSE_LIST;
  keepRecordCount(results, records);
  return results;
}
