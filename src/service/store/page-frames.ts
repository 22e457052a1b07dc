import type { Page } from './page.js';

/** Bytes before a page's records in its frame; the beginning of the answer mostly fits into them. */
export const ROOM_BEFORE = 512;
const ROOM_BEHIND = 16;

/** Most pages of a few hundred records fit into this size; pages below `LEAST_BYTES` use no frame that is kept. */
const FRAME_BYTES = 1 << 18;
const LEAST_BYTES = 1 << 13;

/** How many free frames are kept: about as many as there are answers on their way at a busy moment. */
const MOST_FREE = 32;

/**
 * Frames of pages that were sent; the last one is used again first. Used memory is still in the processor's caches, and
 * neither the system has to clear it nor the garbage collector to find it.
 */
const free: Buffer[] = [];

/**
 * Makes a page whose records are written into a frame, so that the answer can be built around them without a copy.
 *
 * @param length The length of the records in bytes.
 * @param write Writes the records into the frame, from an offset on.
 */
export function framedPage(length: number, has_more: boolean, write: (frame: Buffer, at: number) => void): Page {
  const bytes = ROOM_BEFORE + length + ROOM_BEHIND;
  const isUsual = bytes >= LEAST_BYTES && bytes <= FRAME_BYTES;
  const frame = isUsual ? (free.pop() ?? Buffer.allocUnsafeSlow(FRAME_BYTES)) : Buffer.allocUnsafe(bytes);
  write(frame, ROOM_BEFORE);
  return { results: frame.subarray(ROOM_BEFORE, ROOM_BEFORE + length), has_more, frame };
}

/** Takes back a page's frame, once nobody reads its records any more, nor the answer that was written around them. */
export function takeBackFrame(page: Page): void {
  const { frame } = page;
  delete page.frame;
  if (frame?.length === FRAME_BYTES && free.length < MOST_FREE) free.push(frame);
}
