import type { Page } from './page.js';

/** Bytes before a page's records in its frame, which the rest of an answer mostly fits into. */
export const ROOM_BEFORE = 512;
const ROOM_BEHIND = 16;

/** What most pages of a few hundred records fit into; those of a few are not worth one of these. */
const FRAME_BYTES = 1 << 18;
const LEAST_BYTES = 1 << 13;

/** How many frames wait to be used again: as many answers as are on their way at a busy moment. */
const MOST_FREE = 32;

/**
 * Frames of pages that were sent, the last one first. Memory that is used again is still in the processor's caches, and
 * is not for the system to clear and the collector to find.
 */
const free: Buffer[] = [];

/**
 * A page whose records are written straight into a frame, so that an answer is made around them without a copy.
 *
 * @param length Of the records, in bytes.
 * @param write Writes them; gets the frame and where they start in it.
 */
export function framedPage(length: number, has_more: boolean, write: (frame: Buffer, at: number) => void): Page {
  const bytes = ROOM_BEFORE + length + ROOM_BEHIND;
  const isUsual = bytes >= LEAST_BYTES && bytes <= FRAME_BYTES;
  const frame = isUsual ? (free.pop() ?? Buffer.allocUnsafeSlow(FRAME_BYTES)) : Buffer.allocUnsafe(bytes);
  write(frame, ROOM_BEFORE);
  return { results: frame.subarray(ROOM_BEFORE, ROOM_BEFORE + length), has_more, frame };
}

/** Takes back the frame of a page that nobody reads any more: neither its bytes nor what was written around them. */
export function takeBackFrame(page: Page): void {
  const { frame } = page;
  delete page.frame;
  if (frame?.length === FRAME_BYTES && free.length < MOST_FREE) free.push(frame);
}
