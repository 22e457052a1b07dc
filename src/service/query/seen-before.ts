import { crc32 } from 'node:zlib';

/** How many marks are kept: a power of two. */
const PLACES = 1 << 13;

/**
 * Recognizes texts that were seen lately, in little memory: of each it keeps only a checksum of 32 bits, until another
 * takes its place. It may err, if very rarely, so it must decide only what is worth keeping.
 */
export class SeenBefore {
  readonly #marks = new Int32Array(PLACES);

  /** Notes a text. @returns Whether it was noted lately. */
  note(text: string | Uint8Array): boolean {
    const mark = crc32(text) | 0;
    const place = mark & (PLACES - 1);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}
