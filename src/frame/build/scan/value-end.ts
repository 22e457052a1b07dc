import { ASCII } from './ascii.js';

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
