import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { contentOf } from './compression.js';
import type { Head } from './head.js';
import type { Input } from './stage.js';

/**
 * Writes an uncompressed copy that the engine can read: of a CSV with all lines ended by LF, of JSON without half
 * characters and, for JSON lines, with one record a line.
 *
 * @param scratch The folder for the copy.
 */
export async function evenOut(
  { path, file, head, format }: Input,
  scratch: string,
  signal?: AbortSignal,
): Promise<Input> {
  const even = join(scratch, 'even');
  const content = contentOf(path, file, head.compression);
  await pipeline(evened(content, head), createWriteStream(even), { signal });
  return { path, file: even, head: { ...head, compression: 'none' }, format };
}

function evened(content: AsyncIterable<Buffer>, { kind, layout }: Head): AsyncIterable<Buffer> {
  if (kind === 'csv') return withLineFeeds(content);
  const whole = withWholeCharacters(content);
  return layout === 'newline_delimited' ? withLineEach(whole) : whole;
}

/** The bytes of ASCII that matter in CSV and JSON. */
export const [NEWLINE, RETURN, QUOTE, COMMA, BACKSLASH] = [10, 13, 34, 44, 92];
export const [OPENING, CLOSING] = [new Set([91, 123]), new Set([93, 125])];

/** Tracks, from quote to quote, whether a place in a CSV is within a quoted value. */
class Quoting {
  isOpen = false;
  /** Whether the last quote ended a value, unless another one follows it. */
  hasClosed = false;

  /** Takes the next quote. @param before The byte before it. */
  meet(before: number): void {
    const opens = !this.isOpen && (isBetween(before) || (before === QUOTE && this.hasClosed));
    this.hasClosed = this.isOpen;
    this.isOpen = opens;
  }
}

function isBetween(byte: number): boolean {
  return byte === COMMA || byte === NEWLINE || byte === RETURN;
}

/** What is known of a CSV's lines only after all of them were seen. */
export class CsvLines {
  readonly #quoting = new Quoting();
  #line = 1;
  #openedOn = 1;
  #unclosedOn: number | undefined;
  #last = NEWLINE;
  #hasPlain = false;
  #hasReturned = false;

  add(block: Buffer): void {
    let before = this.#last;
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number;
      // Other bytes do not matter.
      if (byte === QUOTE || byte === NEWLINE || before === QUOTE) this.#look(byte, before);
      before = byte;
    }
    this.#last = before;
  }

  /** Whether some lines end in LF and others in CRLF, not counting those within quoted values. */
  get haveMixedEnds(): boolean {
    return this.#hasPlain && this.#hasReturned;
  }

  /** The first line with a quoted value that runs on over other lines and is never closed properly. */
  get unclosedOn(): number | undefined {
    const isOpen = this.#quoting.isOpen && this.#line - this.#openedOn > (this.#last === NEWLINE ? 1 : 0);
    return this.#unclosedOn ?? (isOpen ? this.#openedOn : undefined);
  }

  #look(byte: number, before: number): void {
    const quoting = this.#quoting;
    if (byte === QUOTE) {
      quoting.meet(before);
      if (quoting.isOpen && before !== QUOTE) this.#openedOn = this.#line;
    } else if (byte === NEWLINE) {
      this.#line++;
      if (quoting.isOpen) return;
      if (before === RETURN) this.#hasReturned = true;
      else this.#hasPlain = true;
    } else if (before === QUOTE && quoting.hasClosed && !isBetween(byte) && this.#line > this.#openedOn) {
      this.#unclosedOn ??= this.#openedOn;
    }
  }
}

/** The content of a CSV with all lines ended by LF; quoted values stay as they are. */
async function* withLineFeeds(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const quoting = new Quoting();
  let last = NEWLINE;
  let isHeld = false;
  for await (const block of content) {
    const lines = Buffer.allocUnsafe(block.length + 1);
    let length = 0;
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number;
      if (isHeld && byte !== NEWLINE) lines[length++] = RETURN;
      isHeld = byte === RETURN && !quoting.isOpen;
      if (byte === QUOTE) quoting.meet(last);
      if (!isHeld) lines[length++] = byte;
      last = byte;
    }
    yield lines.subarray(0, length);
  }
  if (isHeld) yield Buffer.of(RETURN);
}

/** The bytes that matter outside of strings, within a string, and after a backslash in a string. */
const OUTSIDE = telling([NEWLINE, QUOTE, COMMA, ...OPENING, ...CLOSING]);
const IN_TEXT = telling([NEWLINE, QUOTE, BACKSLASH]);
const ESCAPED = new Uint8Array(256).fill(1);

function telling(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (bytes.includes(byte) ? 1 : 0));
}

/** Finds where a JSON list or record follows another one in a file, or on a line. */
export class TopValues {
  /** Whether a list or record follows another one. */
  areSeveral = false;
  /** Whether a comma follows one, outside of any list. */
  areParted = false;
  readonly #byLine: boolean;
  #depth = 0;
  #ended = false;
  #tells = OUTSIDE;

  /** @param byLine Whether each line stands for itself. */
  constructor(byLine: boolean) {
    this.#byLine = byLine;
  }

  /** Takes the next block. @returns The places in it where a list, record or comma follows a list or record. */
  add(block: Buffer): number[] {
    // Local variables, since this loop looks at each byte.
    let [depth, ended, tells] = [this.#depth, this.#ended, this.#tells];
    const byLine = this.#byLine;
    const places: number[] = [];
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number;
      if (tells[byte] === 0) continue;
      if (byte === NEWLINE && byLine) [depth, ended, tells] = [0, false, OUTSIDE];
      else if (tells === ESCAPED) tells = IN_TEXT;
      else if (byte === QUOTE) tells = tells === OUTSIDE ? IN_TEXT : OUTSIDE;
      else if (byte === BACKSLASH) tells = ESCAPED;
      else if (CLOSING.has(byte)) ended = --depth === 0;
      else if (byte !== NEWLINE) {
        if (ended) {
          places.push(at);
          this.areParted ||= byte === COMMA;
          this.areSeveral ||= byte !== COMMA;
        }
        ended = false;
        if (byte !== COMMA) depth++;
      }
    }
    [this.#depth, this.#ended, this.#tells] = [depth, ended, tells];
    return places;
  }
}

/** JSON lines with each record on a line of its own, without commas between records. */
export async function* withLineEach(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const values = new TopValues(true);
  for await (const block of content) {
    const pieces: Buffer[] = [];
    let from = 0;
    for (const place of values.add(block)) {
      pieces.push(block.subarray(from, place), LINE_END);
      from = block[place] === COMMA ? place + 1 : place;
    }
    yield Buffer.concat([...pieces, block.subarray(from)]);
  }
}

const LINE_END = Buffer.of(NEWLINE);

/** A pair of escaped surrogates, or a lone one (captured), whose backslash is not itself escaped. */
const SURROGATES =
  /\\u(?<=(?<!\\)(?:\\\\)*\\u)(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|([dD][89a-fA-F][0-9a-fA-F]{2}))/g;
const FIRST_HALF = /^\\u[dD][89abAB][0-9a-fA-F]{2}$/;
const LONGEST_ESCAPE = '\\uffff'.length;

/**
 * Finds escaped surrogates in JSON that lack their other half, such as `"\ud83d"`, and replaces them by U+FFFD. They
 * come from characters that were cut in two, and the engine refuses the whole text around them.
 */
export class LoneSurrogates {
  /** Whether there was one. */
  areThere = false;
  #rest: Buffer = Buffer.alloc(0);

  /** Takes the next block. @returns The mended text so far, without an end that the next block may continue. */
  add(block: Buffer): Buffer {
    const text = Buffer.concat([this.#rest, block]);
    const end = endOfWhole(text);
    this.#rest = text.subarray(end);
    return this.#mended(text.subarray(0, end));
  }

  /** What is left of the last block, mended. */
  end(): Buffer {
    return this.#mended(this.#rest);
  }

  #mended(text: Buffer): Buffer {
    if (!text.includes('\\ud') && !text.includes('\\uD')) return text;
    const mended = text.toString('latin1').replace(SURROGATES, (whole, lone) => {
      if (lone === undefined) return whole;
      this.areThere = true;
      return '\\ufffd';
    });
    return Buffer.from(mended, 'latin1');
  }
}

/** The start of a last escape that may be cut off, or of a first half whose other half may be; else the text's end. */
function endOfWhole(text: Buffer): number {
  const last = text.lastIndexOf(BACKSLASH);
  if (last < text.length - LONGEST_ESCAPE || !startsEscape(text, last)) return text.length;
  const before = last - LONGEST_ESCAPE;
  return FIRST_HALF.test(text.toString('latin1', before, last)) && startsEscape(text, before) ? before : last;
}

/** Whether a backslash stands here, after an even number of others. */
function startsEscape(text: Buffer, at: number): boolean {
  let first = at;
  while (text[first - 1] === BACKSLASH) first--;
  return text[at] === BACKSLASH && (at - first) % 2 === 0;
}

/** JSON with U+FFFD for each surrogate that lacks its other half. */
async function* withWholeCharacters(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const surrogates = new LoneSurrogates();
  for await (const block of content) yield surrogates.add(block);
  yield surrogates.end();
}
