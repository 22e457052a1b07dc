import type { Page } from './store/page.js';

/** The most bytes of answers that one data version keeps. */
const MAX_BYTES = 32 << 20;

/** What an entry costs besides its records: its key and the places that hold it. */
const ENTRY_BYTES = 512;

/** How many requests that were asked once are remembered. */
const MAX_ONCE = 8192;

/**
 * Answers of one data version by their canonical request, kept from the second time on that they are asked for: most
 * never are again, and keeping them would cost more than making them. Those not asked for longest make room for others.
 */
export class AnswerCache {
  readonly #pages = new Map<string, Page>();
  readonly #once = new Set<string>();
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

  /** Keeps a page that was put before, unless it alone would take more than a sixteenth of the room. */
  put(request: string, page: Page): void {
    if (!this.#once.delete(request)) {
      if (this.#once.size === MAX_ONCE) this.#once.clear();
      this.#once.add(request);
      return;
    }
    const bytes = costOf(request, page);
    if (bytes > this.#maxBytes / 16 || this.#pages.has(request)) return;
    this.#pages.set(request, page);
    this.#bytes += bytes;
    for (const [oldest, old] of this.#pages) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#pages.delete(oldest);
      this.#bytes -= costOf(oldest, old);
    }
  }
}

function costOf(request: string, page: Page): number {
  return page.results.length + 2 * request.length + ENTRY_BYTES;
}
