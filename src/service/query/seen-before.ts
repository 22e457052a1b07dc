import { crc32 } from 'node:zlib';

/** How many marks are kept; a power of two. */
const PLACES = 1 << 13;

/**
 * Tells what was seen before of what is mostly seen once, and keeps next to nothing of it: a mark of 32 bits each, until
 * another one takes its place. It is wrong once in billions of times, so it may decide what is worth keeping alone.
 */
export class SeenBefore {
  readonly #marks = new Int32Array(PLACES);

  /** Whether this was noted lately; notes it. */
  note(text: string | Uint8Array): boolean {
    const mark = crc32(text) | 0;
    const place = mark & (PLACES - 1);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}
