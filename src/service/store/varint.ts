/** The most bytes that {@link putVarint} writes. */
export const VARINT_BYTES = 8;

/**
 * Writes a whole number from 0 to 2^53 - 1, seven bits a byte, the lowest bits first. All bytes but the last have their
 * high bit set.
 *
 * @returns Where the next byte goes.
 */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest >= 0x80) {
    // Bitwise operators would cut the number to 32 bits.
    bytes[next++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[next++] = rest;
  return next;
}

/** Turns a signed number into one for {@link putVarint}, small if it is near 0; exact from -2^52 to 2^52 - 1. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Reads, one after another, the numbers that {@link putVarint} wrote. */
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

  /** The next number, which {@link zigzag} had encoded. */
  signed(): number {
    const value = this.next();
    // Faster than `%`, which is a slow division for doubles.
    const half = Math.floor(value / 2);
    return half * 2 === value ? half : -half - 1;
  }
}
