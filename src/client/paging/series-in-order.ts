import type { Dataset } from '../../contract/dataset.js';
import type { StopSignal } from '../transport/stop.js';
import type { AheadWindow } from './ahead-window.js';
import type { Origin, Page, PageSource, Series } from './page-source.js';
import { firstRecords, recordCount } from './record-count.js';

/** What to read: one series for each of `params`. */
export interface SeriesPlan {
  readonly dataset: Dataset;
  readonly params: readonly Readonly<Record<string, string>>[];
  /** Records wanted at most, over all series together. */
  readonly maxRecords: number | undefined;
  /** Breaks everything off, whatever is under way. */
  readonly signal: StopSignal;
  /** Records that a page is likely to have at most. */
  readonly pageSize: number;
  /** Whether a series of which a page was read is read to its end, so that a snapshot holds it. */
  readonly readsWhole: boolean;
  readonly window: AheadWindow;
}

/** A page, and which of the series it is of. */
export interface PageOfSeries {
  readonly page: Page;
  /** Counted from 0. */
  readonly at: number;
}

/** A series that was started; its first page is asked for at once. */
interface Started {
  readonly series: Series;
  readonly iterator: AsyncIterator<Page>;
  next: Promise<IteratorResult<Page>>;
  /** Pages handed on. */
  pages: number;
  hasMore: boolean;
}

/**
 * The pages of several series, one series after the other. The first pages of the next ones are asked ahead where the
 * window has room: as many as the pages of the series before make likely that it has.
 */
export class SeriesInOrder {
  readonly #source: PageSource;
  readonly #plan: SeriesPlan;
  readonly #live: Started[] = [];
  readonly #read: Series[] = [];
  #started = 0;
  /** Pages that the last series had. */
  #likelyPages = 1;
  #records = 0;

  constructor(source: PageSource, plan: SeriesPlan) {
    this.#source = source;
    this.#plan = plan;
  }

  /** How many series were read to their end. */
  done = 0;

  /** Where the records of each series came from of which a page was read, in order. */
  origins(): Origin[] {
    return this.#read.map((series) => series.origin());
  }

  /** All pages in order; ends early where `maxRecords` are there. */
  async *pages(): AsyncGenerator<PageOfSeries> {
    try {
      for (;;) {
        if (this.#live.length === 0 && !this.#start()) return;
        const [head] = this.#live;
        const result = await head?.next;
        if (!head || !result || result.done) {
          this.#live.shift();
          this.#likelyPages = head?.pages ?? 1;
          this.done += 1;
          this.#startAhead();
          continue;
        }
        const page = this.#take(head, result.value);
        yield { page, at: this.done };
        this.#plan.window.isOpen = true;
        if (this.#records === this.#plan.maxRecords) return await this.#finish(head);
        head.next = head.iterator.next();
        this.#startAhead();
      }
    } finally {
      for (const { iterator, next } of this.#live) {
        next.catch(() => {});
        iterator.return?.().catch(() => {});
      }
    }
  }

  async #finish({ iterator }: Started): Promise<void> {
    while (this.#plan.readsWhole && !(await iterator.next()).done);
    this.done += 1;
  }

  #take(head: Started, page: Page): Page {
    if (head.pages === 0) this.#read.push(head.series);
    head.pages += 1;
    head.hasMore = page.hasMore;
    const { maxRecords } = this.#plan;
    if (maxRecords === undefined) return page;
    const results = firstRecords(page.results, maxRecords - this.#records);
    this.#records += recordCount(results);
    return results === page.results ? page : { ...page, results };
  }

  #start(): boolean {
    const { dataset, params, maxRecords, signal, window } = this.#plan;
    const next = params[this.#started];
    if (next === undefined) return false;
    this.#started += 1;
    const series = this.#source({ dataset, params: next, maxRecords, signal, window });
    const iterator = series.pages[Symbol.asyncIterator]();
    const started = { series, iterator, next: iterator.next(), pages: 0, hasMore: true };
    // A series that is asked ahead may fail before anybody waits for it.
    started.next.catch(() => {});
    this.#live.push(started);
    return true;
  }

  #startAhead(): void {
    const { window, maxRecords = Number.POSITIVE_INFINITY, pageSize } = this.#plan;
    for (;;) {
      const claimed = this.#live.reduce((sum, started) => sum + this.#likelyLeft(started), 0);
      const isWanted = this.#records + this.#live.length * pageSize < maxRecords;
      if (window.free === 0 || claimed >= window.size || !isWanted || !this.#start()) return;
    }
  }

  /** Pages that a series will likely have still; without end where it has more than the one before. */
  #likelyLeft({ pages, hasMore }: Started): number {
    if (!hasMore) return 0;
    return pages < this.#likelyPages ? this.#likelyPages - pages : pages === 0 ? 1 : Number.POSITIVE_INFINITY;
  }
}
