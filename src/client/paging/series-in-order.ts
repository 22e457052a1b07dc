import { itemAt } from '../../base/item-at.js';
import type { StopSignal } from '../../base/stop-and-wait.js';
import type { Dataset } from '../../contract/dataset.js';
import { checkProgress } from './page-checks.js';
import {
  type AheadWindow,
  firstRecords,
  type Origin,
  type Page,
  type PageSource,
  recordCount,
  recordsAfter,
  type Series,
} from './page-source.js';

/** What to read: one series for each entry of `params`. */
export interface SeriesPlan {
  readonly dataset: Dataset;
  readonly params: readonly Readonly<Record<string, string>>[];
  /** The largest number of records, over all series together; undefined for all. */
  readonly maxRecords: number | undefined;
  /** Cancels everything that is under way. */
  readonly signal: StopSignal;
  /** Likely maximum of records per page. */
  readonly pageSize: number;
  /** Whether a series that was begun is read to its end, so that a snapshot can record it. */
  readonly readsWhole: boolean;
  readonly window: AheadWindow;
}

/** A page, and the series that it belongs to. */
export interface PageOfSeries {
  readonly page: Page;
  /** Index of the series. */
  readonly at: number;
}

/** A series that was started, so that its first page has been requested. */
interface Started {
  readonly series: Series;
  readonly iterator: AsyncIterator<Page>;
  next: Promise<IteratorResult<Page>>;
  /** The largest number of records requested. */
  readonly most: number | undefined;
  /** Number of records at its beginning that were already handed on when fewer were requested. */
  readonly known: number;
  /** Number of records that came, including repeats and those already handed on. */
  came: number;
  /** Number of records that were handed on and then dropped as repeats. */
  repeats: number;
  /** Number of pages handed on. */
  pages: number;
  hasMore: boolean;
}

/**
 * Reads the pages of several series, one series after another. If the window has room, the first pages of the next
 * series are requested ahead; how many series fit is estimated from the number of pages of the last one.
 */
export class SeriesInOrder {
  readonly #source: PageSource;
  readonly #plan: SeriesPlan;
  readonly #live: Started[] = [];
  readonly #origins: Origin[] = [];
  #started = 0;
  /** Number of pages of the last series. */
  #likelyPages = 1;
  #records = 0;

  constructor(source: PageSource, plan: SeriesPlan) {
    this.#source = source;
    this.#plan = plan;
  }

  /** Number of series that were read to their end. */
  done = 0;

  /** The origins of all series that were read, in order. */
  origins(): readonly Origin[] {
    return this.#origins;
  }

  /** Call it when records of the last page were dropped as repeats, so that others are read in their place. */
  dropped(count: number): void {
    this.#records -= count;
    const [head] = this.#live;
    if (head) head.repeats += count;
  }

  /** All pages in order; ends early once `maxRecords` have come. */
  async *pages(): AsyncGenerator<PageOfSeries> {
    try {
      for (;;) {
        if (this.#live.length === 0 && !this.#start()) return;
        const [head] = this.#live;
        const result = await head?.next;
        if (!head || !result || result.done) {
          if (head && this.#askFurther(head)) continue;
          this.#live.shift();
          this.#likelyPages = head?.pages ?? 1;
          if (head) this.#end(head);
          this.#startAhead();
          continue;
        }
        for (const part of this.#taken(head, result.value)) yield part;
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

  async #finish(head: Started): Promise<void> {
    while (this.#plan.readsWhole && !(await head.iterator.next()).done);
    this.#end(head);
  }

  /** Keeps only the origin of a series that was read, since there may be very many. */
  #end({ series, pages }: Started): void {
    if (pages > 0) this.#origins[this.done] = series.origin();
    this.done += 1;
  }

  /** A page, or the part of it that is still wanted; further parts follow if records of that are dropped. */
  *#taken(head: Started, page: Page): Generator<PageOfSeries> {
    head.pages += 1;
    head.hasMore = page.hasMore;
    const { maxRecords, window } = this.#plan;
    if (maxRecords === undefined) {
      yield { page, at: this.done };
      window.isOpen = true;
      return;
    }
    let rest = this.#unknown(head, page);
    while (rest && this.#records < maxRecords) {
      const results = firstRecords(rest.results, maxRecords - this.#records);
      const count = recordCount(results);
      this.#records += count;
      const isWhole = results === rest.results;
      yield { page: isWhole ? rest : { ...rest, hasMore: false, results }, at: this.done };
      window.isOpen = true;
      if (isWhole) return;
      rest = { ...rest, hasMore: false, offset: rest.offset + count, results: recordsAfter(rest.results, count) };
    }
  }

  /** The part of a page that was not handed on before; undefined if all of it was. */
  #unknown(head: Started, page: Page): Page | undefined {
    const count = recordCount(page.results);
    const skip = Math.min(count, Math.max(0, head.known - head.came));
    head.came += count;
    // At the end of what was requested, nothing more is read, even if the page holds only repeats.
    const hasMore = page.hasMore && head.came < (head.most ?? Number.POSITIVE_INFINITY);
    if (skip === 0) return { ...page, hasMore };
    if (skip === count) return undefined;
    // No `hasMore`: a part of a page may legitimately hold only repeats.
    return { ...page, hasMore: false, offset: page.offset + skip, results: recordsAfter(page.results, skip) };
  }

  /** Requests more of a series that sent as many records as requested, but with repeats among them. */
  #askFurther(head: Started): boolean {
    const { dataset, maxRecords, pageSize, window } = this.#plan;
    const { most, known, came, repeats, hasMore } = head;
    if (most === undefined || maxRecords === undefined || came < most) return false;
    checkProgress(dataset, { hasMore, offset: known }, { records: came - known, repeats }, window.mayDiffer);
    // `hasMore` does not tell whether there is more: a replayed answer ends where its recording did.
    if (repeats === came - known) return false;
    // At least half as many again, so that a few rounds are enough however many repeats there are.
    const more = Math.max(maxRecords - this.#records, Math.ceil(most / 2), pageSize);
    this.#live[0] = this.#begin(this.done, most + more, came);
    return true;
  }

  #start(): boolean {
    if (this.#started >= this.#plan.params.length) return false;
    this.#live.push(this.#begin(this.#started, this.#plan.maxRecords, 0));
    this.#started += 1;
    return true;
  }

  #begin(at: number, most: number | undefined, known: number): Started {
    const { dataset, params, signal, window } = this.#plan;
    const series = this.#source({ dataset, params: itemAt(params, at), maxRecords: most, signal, window });
    const iterator = series.pages[Symbol.asyncIterator]();
    const counts = { known, came: 0, repeats: 0, pages: 0 };
    const started = { series, iterator, next: iterator.next(), most, ...counts, hasMore: true };
    // A series that is requested ahead may fail before anybody waits for it.
    started.next.catch(() => {});
    return started;
  }

  #startAhead(): void {
    const { window, maxRecords = Number.POSITIVE_INFINITY, pageSize } = this.#plan;
    for (;;) {
      const claimed = this.#live.reduce((sum, started) => sum + this.#likelyLeft(started), 0);
      const isWanted = this.#records + this.#live.length * pageSize < maxRecords;
      if (window.free === 0 || claimed >= window.size || !isWanted || !this.#start()) return;
    }
  }

  /** Likely number of pages still to come of a series; infinite if it has more than the last series had. */
  #likelyLeft({ pages, hasMore }: Started): number {
    if (!hasMore) return 0;
    return pages < this.#likelyPages ? this.#likelyPages - pages : pages === 0 ? 1 : Number.POSITIVE_INFINITY;
  }
}
