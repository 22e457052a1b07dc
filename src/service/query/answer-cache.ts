import type { Page } from '../store/page.js';
import { takeBackFrame } from '../store/page-frames.js';
import { SeenBefore } from './seen-before.js';

/** The most bytes of answers that one data version keeps. */
const MAX_BYTES = 32 << 20;

/** What an entry costs besides its records and its key. */
const ENTRY_BYTES = 512;

/**
 * Answers of one data version by their canonical request. An answer is kept from the second request on: most are asked
 * for only once, and keeping those would cost more than making them. The least recently used make room for others.
 */
export class AnswerCache {
  readonly #pages = new Map<string, Page>();
  readonly #seen = new SeenBefore();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The page that is kept for a request, or undefined. */
  get(request: string): Page | undefined {
    const page = this.#pages.get(request);
    if (page === undefined) return undefined;
    // A map keeps its keys in order of insertion: the first is the least recently used.
    this.#pages.delete(request);
    this.#pages.set(request, page);
    return page;
  }

  /**
   * Keeps a page whose request was seen before, unless it would take more than a sixteenth of the room.
   *
   * @returns The page to answer with: the kept one, if it is kept. A page with a frame is copied and its frame freed.
   */
  put(request: string, page: Page): Page {
    if (!this.#seen.note(request)) return page;
    const bytes = costOf(request, page);
    if (bytes > this.#maxBytes / 16 || this.#pages.has(request)) return page;
    const kept = unframed(page);
    this.#pages.set(request, kept);
    this.#bytes += bytes;
    for (const [oldest, old] of this.#pages) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#pages.delete(oldest);
      this.#bytes -= costOf(oldest, old);
    }
    return kept;
  }
}

function unframed(page: Page): Page {
  if (!page.frame) return page;
  const copy = { results: Buffer.from(page.results), has_more: page.has_more };
  takeBackFrame(page);
  return copy;
}

function costOf(request: string, page: Page): number {
  return page.results.length + 2 * request.length + ENTRY_BYTES;
}
