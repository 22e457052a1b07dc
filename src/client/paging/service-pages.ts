import { ServiceError } from '../../base/errors.js';
import { onAbort } from '../../base/stop-and-wait.js';
import { type AnswerNotes, joinedNotes } from '../../contract/answer-notes.js';
import type { Transport } from '../transport/transport.js';
import { SeriesChecks } from './page-checks.js';
import {
  AheadWindow,
  firstRecords,
  type Origin,
  type Page,
  type PageSource,
  recordCount,
  type SeriesRequest,
  Slots,
} from './page-source.js';
import { RequestedPage } from './requested-page.js';

/** How a service's pages are read. */
export interface PagesOptions {
  /** Base address of the service, for the records' provenance. */
  readonly service: string;
  /** Address that queries are posted to, for errors. */
  readonly url: string;
  /** Number of records per request. */
  readonly pageSize: number;
  /** Number of requests in flight at once, over all queries. */
  readonly concurrency: number;
  /** Removes the API key from a text. */
  readonly hide: (text: string) => string;
  /** Called with a description of answers that were odd but did no harm. */
  readonly warn: (text: string) => void;
}

/**
 * Reads the pages of a service in order, with several requests in flight. Each page continues from the records that
 * came, not from those requested, since a server may send fewer. See {@link SeriesReader} for the checks.
 */
export function servicePages(transport: Pick<Transport, 'post'>, options: PagesOptions): PageSource {
  const slots = new Slots(options.concurrency);
  return (request) => {
    const reader = new SeriesReader(transport, slots, request, options);
    return { pages: reader.pages(), origin: () => reader.origin() };
  };
}

/** Reads one series page by page and requests further pages ahead while the query's window has room. */
class SeriesReader {
  readonly #request: SeriesRequest;
  readonly #options: PagesOptions;
  readonly #window: AheadWindow;
  readonly #checks: SeriesChecks;
  readonly #most: number;
  readonly #ask: (offset: number) => RequestedPage;
  /** Pages that were requested and not yet read, by offset. */
  #asked: RequestedPage[] = [];
  /** The last page read, if the service says that more follow. */
  #from: Page | undefined;
  /** Number of pages in a row that came as expected; the more there are, the more are requested ahead. */
  #regular = 0;
  #isHeld = false;
  #queriedAt = '';
  /** What all pages so far say beside their records. */
  #notes: AnswerNotes = {};

  constructor(transport: Pick<Transport, 'post'>, slots: Slots, request: SeriesRequest, options: PagesOptions) {
    this.#request = request;
    this.#options = options;
    this.#window = request.window ?? new AheadWindow(options.concurrency);
    this.#checks = new SeriesChecks(request.dataset, options.warn, this.#window);
    this.#most = request.maxRecords ?? Number.POSITIVE_INFINITY;
    const asker = { transport, slots, window: this.#window, source: options };
    this.#ask = (offset) =>
      new RequestedPage(asker, request, { limit: Math.min(options.pageSize, this.#most - offset), offset });
  }

  /** Where the records came from. */
  origin(): Origin {
    const { dataVersion } = this.#checks;
    return {
      service: this.#options.service,
      queriedAt: this.#queriedAt,
      ...(dataVersion === undefined ? {} : { dataVersion }),
      ...this.#notes,
    };
  }

  /**
   * The pages in order.
   *
   * @throws {ServiceError} If the service refuses or fails. Failures of pages requested ahead but not needed are
   * ignored.
   * @throws {AnswerError} If the pages contradict each other or the stated total, or make no progress.
   */
  async *pages(): AsyncGenerator<Page> {
    const { signal } = this.#request;
    const leave = this.#window.join(() => this.#askAhead());
    const abort = () => {
      for (const asked of this.#asked) asked.cancel(signal?.reason);
    };
    const forget = signal?.aborted === false ? onAbort(signal, abort) : undefined;
    try {
      for (let offset = 0; ; ) {
        const page = await this.#pageAt(offset);
        if (!page) break;
        const left = this.#most - page.offset;
        const isFull = left < Number.POSITIVE_INFINITY && recordCount(page.results) >= left;
        this.#hold(page, isFull);
        yield isFull ? { ...page, results: firstRecords(page.results, left) } : page;
        this.#window.isOpen = true;
        offset = page.offset + recordCount(page.results);
        if (isFull) return;
        this.#checks.refuseExcess(page);
        if (!page.hasMore && !this.#checks.seemsCut(page)) break;
        this.#handOver(offset);
      }
      this.#checks.end();
    } finally {
      leave();
      forget?.();
      this.#drop();
      if (this.#isHeld) this.#window.give();
    }
  }

  /** Keeps a page that is about to be handed on, and requests further pages. */
  #hold(page: Page, isFull: boolean): void {
    this.#from = page.hasMore && !isFull ? page : undefined;
    this.#isHeld = true;
    // Requesting ahead needs the number of records. The reader counts them anyway while decoding, so they are counted here
    // only if no request is under way.
    if (this.#asked.length === 0) this.#askAhead();
  }

  /** The page at an offset; undefined if the request was only a check for a cut answer, and nothing was cut. */
  async #pageAt(offset: number): Promise<Page | undefined> {
    const { signal } = this.#request;
    signal?.throwIfAborted();
    if (this.#asked.length === 0) this.#push(offset);
    const [asked] = this.#asked;
    const outcome = await asked?.outcome;
    if (!asked || !outcome) return undefined;
    if ('error' in outcome) {
      signal?.throwIfAborted();
      if (this.#checks.isProbing && isRefusal(outcome.error)) return undefined;
      if (outcome.error instanceof ServiceError && this.#checks.mayEndAt(offset, outcome.error)) return undefined;
      throw outcome.error;
    }
    this.#queriedAt ||= new Date().toISOString();
    const page = this.#checks.take(outcome, asked);
    if (page) this.#asked.shift();
    if (page) this.#notes = joinedNotes(this.#notes, page);
    return page;
  }

  /** Releases a page that was handed on, and the pages requested after it if their offsets are wrong. */
  #handOver(offset: number): void {
    this.#regular += 1;
    this.#dropMisplaced(offset);
    this.#isHeld = false;
    this.#window.give();
  }

  #askAhead(): void {
    if (!this.#from || !this.#window.isOpen) return;
    const stride = recordCount(this.#from.results);
    this.#dropMisplaced(this.#from.offset + stride);
    const most = Math.min(this.#window.depth, 2 ** this.#regular);
    while (this.#asked.length < most && this.#window.free > 0 && !this.#asked.some(({ isLast }) => isLast)) {
      const offset = (this.#asked.at(-1)?.offset ?? this.#from.offset) + stride;
      const isBeyond = offset >= this.#most || (this.#asked.length > 0 && offset >= (this.#from.total ?? this.#most));
      if (isBeyond) return;
      this.#push(offset);
    }
  }

  #push(offset: number): void {
    this.#window.take();
    this.#asked.push(this.#ask(offset));
  }

  #dropMisplaced(offset: number): void {
    if (this.#asked.length === 0 || this.#asked[0]?.offset === offset) return;
    this.#regular = 0;
    this.#drop();
  }

  #drop(): void {
    const dropped = this.#asked;
    this.#asked = [];
    for (const asked of dropped) asked.cancel();
    for (const _ of dropped) this.#window.give();
  }
}

/** Whether the service refused the request, as opposed to failing. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof ServiceError ? (error.details.status ?? 0) : 0;
  return status >= 400 && status < 500 && status !== 429;
}
