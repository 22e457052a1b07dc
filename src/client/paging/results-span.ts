import { blankEnd, quotedEnd, valueEnd } from '../../frame/decode/json-ends.js';

const TAIL_BYTES = 64;
const END = /\]\s*\}\s*\}\s*$/;
const MARK = Buffer.from('\ufeff');
const [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_RECORD] = [0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b];

/** A range of bytes, from an offset to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the array of records in the text of an answer: `results` within `data`, whatever other members there are. Other
 * members are skipped only by their brackets and quotation marks. Whether the rest is valid JSON without repeated
 * members must be checked separately.
 *
 * @returns Undefined if there is no such array; one that is not closed extends to the end of the text.
 */
export function resultsSpan(bytes: Buffer): Span | undefined {
  const start = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  const data = memberValue(bytes, blankEnd(bytes, start), 'data');
  const from = data === undefined ? undefined : memberValue(bytes, data, 'results');
  if (from === undefined || bytes[from] !== OPEN_LIST) return undefined;
  return { from, to: resultsEnd(bytes, from) };
}

/** The offset of the value of the first member with a name, in the record that begins at `open`. */
function memberValue(bytes: Buffer, open: number, name: string): number | undefined {
  if (bytes[open] !== OPEN_RECORD) return undefined;
  for (let at = blankEnd(bytes, open + 1); bytes[at] === QUOTE; ) {
    const close = quotedEnd(bytes, at);
    const colon = blankEnd(bytes, close);
    if (bytes[colon] !== COLON) return undefined;
    const value = blankEnd(bytes, colon + 1);
    if (isName(bytes.toString('latin1', at, close), name)) return value;
    const next = blankEnd(bytes, valueEnd(bytes, value));
    if (bytes[next] !== COMMA) return undefined;
    at = blankEnd(bytes, next + 1);
  }
  return undefined;
}

function isName(quoted: string, name: string): boolean {
  if (!quoted.includes('\\')) return quoted === `"${name}"`;
  try {
    return JSON.parse(quoted) === name;
  } catch {
    return false;
  }
}

/** The offset after the array of records that begins at `from`. It is mostly the last member and need not be read. */
function resultsEnd(bytes: Buffer, from: number): number {
  const end = END.exec(bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES)));
  const to = end ? bytes.length - end[0].length + 1 : 0;
  return to <= from + 1 || mayEndBefore(bytes, from + 1, to - 1) ? valueEnd(bytes, from) : to;
}

/** Whether a bracket within the records may close them, because the text after it could belong to the envelope. */
function mayEndBefore(bytes: Buffer, from: number, to: number): boolean {
  for (let at = bytes.indexOf(CLOSE_LIST, from); at >= 0 && at < to; at = bytes.indexOf(CLOSE_LIST, at + 1)) {
    if (/^\s*([}]|,\s*("|$)|$)/.test(bytes.toString('latin1', at + 1, Math.min(to, at + 64)))) return true;
  }
  return false;
}
