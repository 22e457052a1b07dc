/** The most bytes that {@link putVarint} writes. */
export const VARINT_BYTES = 8;

/**
 * Writes a whole number of 0 to 2^53 - 1, seven bits a byte, the low ones first; all bytes but the last have their
 * high bit set.
 *
 * @returns Where the next byte goes.
 */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest >= 0x80) {
    // Above 2^32 only division keeps all bits.
    bytes[next++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[next++] = rest;
  return next;
}

/** A signed number as one that {@link putVarint} takes, small where it is near 0: exact from -2^52 to 2^52 - 1. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Reads numbers one after the other out of bytes that {@link putVarint} wrote. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  /** Where the next number starts. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The next number; 0 past the end. */
  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let shift = 7;
    for (; shift < 28; shift += 7) {
      byte = bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    for (let scale = 2 ** 28; ; scale *= 0x80) {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** The next number, of those that {@link zigzag} folded. */
  signed(): number {
    const value = this.next();
    // The remainder of a double is a slow division.
    const half = Math.floor(value / 2);
    return half * 2 === value ? half : -half - 1;
  }
}
