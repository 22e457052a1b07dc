/** Codes of the bytes that have a meaning in JSON. */
export const ASCII = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openList: 0x5b,
  escape: 0x5c,
  closeList: 0x5d,
  e: 0x65,
  n: 0x6e,
  openRecord: 0x7b,
  closeRecord: 0x7d,
} as const;

/** `null`, `true` and the last four letters of `false`, as little-endian words. */
export const NULL_WORD = 0x6c6c756e;
export const TRUE_WORD = 0x65757274;
export const ALSE_WORD = 0x65736c61;

/**
 * The offset after the JSON value that begins at `start`, found only by brackets and quotation marks. Whether the value
 * is well formed is left to JSON.parse.
 *
 * @returns At most the length of the text; `start` itself if no value begins there.
 */
export function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === ASCII.quote) {
      at = quotedEnd(bytes, at);
      if (depth === 0) return at;
    } else if (byte === ASCII.openList || byte === ASCII.openRecord) {
      depth += 1;
      at += 1;
    } else if (byte === ASCII.closeList || byte === ASCII.closeRecord) {
      if (depth <= 1) return depth === 0 ? at : at + 1;
      depth -= 1;
      at += 1;
    } else if (depth === 0 && (byte === ASCII.comma || isBlank(byte))) return at;
    else at += 1;
  }
  return bytes.length;
}

/** The offset after the string whose first quotation mark is at `start`. */
export function quotedEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== ASCII.quote) at += bytes[at] === ASCII.escape ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

/** The offset of the first byte from `start` on that is not white space. */
export function blankEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

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

/** Counts the fields of a decoded JSON value, at all levels. */
export function countFields(value: unknown): number {
  let count = 0;
  // A work list instead of recursion: JSON.parse takes any depth, the stack does not.
  for (const rest = [value]; rest.length > 0; ) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const value of inner) if (typeof value === 'object' && value !== null) rest.push(value);
  }
  return count;
}

/** Counts the fields in valid JSON text, at all levels: each has one colon outside of strings. */
export function countWrittenFields(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === ASCII.colon) count += 1;
    else if (byte === ASCII.quote) {
      for (at += 1; at < end && bytes[at] !== ASCII.quote; at += 1) if (bytes[at] === ASCII.escape) at += 1;
    }
  }
  return count;
}

/** A field that a record has twice, which JSON.parse silently accepts. */
interface RepeatedField {
  /** Index of the record in its page. */
  readonly at: number;
  readonly name: string;
}

/** Finds the first record of a valid JSON array that has a field twice, at any level, and the field. */
export function repeatedField(bytes: Uint8Array): RepeatedField | undefined {
  let at = blankEnd(bytes, blankEnd(bytes, 0) + 1);
  for (let record = 0; at < bytes.length && bytes[at] !== ASCII.closeList; record += 1) {
    const end = valueEnd(bytes, at);
    const name = repeatedIn(bytes, at, end);
    if (name !== undefined) return { at: record, name };
    at = blankEnd(bytes, end);
    if (bytes[at] === ASCII.comma) at = blankEnd(bytes, at + 1);
  }
  return undefined;
}

function repeatedIn(bytes: Uint8Array, start: number, end: number): string | undefined {
  const levels: Set<string>[] = [];
  for (let at = start; at < end; ) {
    const byte = bytes[at];
    if (byte === ASCII.openRecord) levels.push(new Set());
    else if (byte === ASCII.closeRecord) levels.pop();
    if (byte !== ASCII.quote) {
      at += 1;
      continue;
    }
    const close = quotedEnd(bytes, at);
    const next = blankEnd(bytes, close);
    if (bytes[next] === ASCII.colon) {
      const name: string = JSON.parse(new TextDecoder().decode(bytes.subarray(at, close)));
      const level = levels.at(-1);
      if (level?.has(name)) return name;
      level?.add(name);
    }
    at = next;
  }
  return undefined;
}
