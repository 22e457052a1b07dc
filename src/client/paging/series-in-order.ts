import type { Dataset } from '../../contract/dataset.js';
import type { StopSignal } from '../transport/stop.js';
import type { AheadWindow } from './ahead-window.js';
import { checkProgress } from './check-progress.js';
import type { Origin, Page, PageSource, Series } from './page-source.js';
import { firstRecords, recordCount, recordsAfter } from './record-count.js';

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
  /** Records asked for at most. */
  readonly most: number | undefined;
  /** Records at its beginning that were handed on already, when fewer of it were asked for. */
  readonly known: number;
  /** Records that came, repeats and those handed on already among them. */
  came: number;
  /** Records handed on that were dropped as repeats. */
  repeats: number;
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
  readonly #origins: Origin[] = [];
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

  /** Where the records of each series came from that was read, in order. */
  origins(): readonly Origin[] {
    return this.#origins;
  }

  /** Call it when records of the page handed on last were dropped as repeats: others are wanted in their place. */
  dropped(count: number): void {
    this.#records -= count;
    const [head] = this.#live;
    if (head) head.repeats += count;
  }

  /** All pages in order; ends early where `maxRecords` are there. */
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

  /** Of a series that was read only its origin is kept: there may be very many. */
  #end({ series, pages }: Started): void {
    if (pages > 0) this.#origins[this.done] = series.origin();
    this.done += 1;
  }

  /** A page, or as much of it as is wanted: further parts where records of the first are dropped. */
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

  /** What of a page was not handed on before; undefined where it all was. */
  #unknown(head: Started, page: Page): Page | undefined {
    const count = recordCount(page.results);
    const skip = Math.min(count, Math.max(0, head.known - head.came));
    head.came += count;
    // The end of what was asked for: nothing is followed behind it, however few and repeated its records are.
    const hasMore = page.hasMore && head.came < (head.most ?? Number.POSITIVE_INFINITY);
    if (skip === 0) return { ...page, hasMore };
    if (skip === count) return undefined;
    // A part of a page may well be repeats alone.
    return { ...page, hasMore: false, offset: page.offset + skip, results: recordsAfter(page.results, skip) };
  }

  /** Asks a series for more where it sent as many as it was asked for, but some of them were repeats. */
  #askFurther(head: Started): boolean {
    const { dataset, maxRecords, pageSize } = this.#plan;
    const { most, known, came, repeats, hasMore } = head;
    if (most === undefined || maxRecords === undefined || came < most) return false;
    checkProgress(dataset, { hasMore, offset: known }, { records: came - known, repeats });
    // Whether there is more cannot be told by `hasMore`: a replayed answer ends where its recording did.
    if (repeats === came - known) return false;
    // Half as many more at least, so that few times are enough however many repeats there are.
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
    const series = this.#source({ dataset, params: params[at] ?? {}, maxRecords: most, signal, window });
    const iterator = series.pages[Symbol.asyncIterator]();
    const counts = { known, came: 0, repeats: 0, pages: 0 };
    const started = { series, iterator, next: iterator.next(), most, ...counts, hasMore: true };
    // A series that is asked ahead may fail before anybody waits for it.
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

  /** Pages that a series will likely have still; without end where it has more than the one before. */
  #likelyLeft({ pages, hasMore }: Started): number {
    if (!hasMore) return 0;
    return pages < this.#likelyPages ? this.#likelyPages - pages : pages === 0 ? 1 : Number.POSITIVE_INFINITY;
  }
}
