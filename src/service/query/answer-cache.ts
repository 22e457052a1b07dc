import type { Page } from '../store/page.js';
import { takeBackFrame } from '../store/page-frames.js';
import { SeenBefore } from './seen-before.js';

/** The most bytes of answers that one data version keeps. */
const MAX_BYTES = 32 << 20;

/** What an entry costs besides its records: its key and the places that hold it. */
const ENTRY_BYTES = 512;

/**
 * Answers of one data version by their canonical request, kept from the second time on that they are asked for: most
 * never are again, and keeping them would cost more than making them. Those not asked for longest make room for others.
 */
export class AnswerCache {
  readonly #pages = new Map<string, Page>();
  readonly #seen = new SeenBefore();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The very page that was put, or undefined. */
  get(request: string): Page | undefined {
    const page = this.#pages.get(request);
    if (page === undefined) return undefined;
    // A map keeps the order in which keys came: the first one is the one not asked for longest.
    this.#pages.delete(request);
    this.#pages.set(request, page);
    return page;
  }

  /**
   * Keeps a page that was put before, unless it alone would take more than a sixteenth of the room.
   *
   * @returns The page to answer with: the one that is kept, which is a copy where the page has a frame to give back.
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
