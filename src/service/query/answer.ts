import { crc32 } from 'node:zlib';
import type { DATASETS, Dataset } from '../../contract/dataset.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import { pageOf, type RecordPage, type Slice, type Store, takeBackFrame } from '../store/store.js';
import { lifetimeRecord, marketRecord, pnlRecords } from '../store/wire-records.js';
import { canonicalRequest } from './read-request.js';

/** Answers by the store that gave them. They never change, as each store is one version, and go with their store. */
const caches = new WeakMap<Store, AnswerCache>();

function cacheOf(store: Store): AnswerCache {
  const known = caches.get(store);
  if (known) return known;
  const cache = new AnswerCache();
  caches.set(store, cache);
  return cache;
}

/** What the caller of {@link answer} may add to the query. */
interface AnswerOptions {
  /** The query's canonical text. Default: made from the query. */
  readonly canonical?: string;
  /** Gives a signal that is aborted once nobody waits for the answer. Called only if rows have to be read. */
  readonly signal?: () => AbortSignal;
}

/**
 * Answers a query whose filters were read by {@link readFilters}. From the second time on, the same query gets the very
 * same page while the cache keeps it, so that what is made from the page, such as its compressed form, can be kept,
 * too.
 *
 * @param filters Values by wire name, of the types that the dataset's parameters define.
 */
export async function answer(
  store: Store,
  dataset: Dataset,
  filters: Readonly<Record<string, unknown>>,
  slice: Slice,
  { canonical = canonicalRequest(dataset, filters, slice), signal }: AnswerOptions = {},
): Promise<RecordPage> {
  const ready = answerNow(store, dataset, filters, slice, canonical);
  if (ready) return ready;
  return cacheOf(store).put(canonical, await pageFromRows(store, dataset, filters, slice, signal?.()));
}

/**
 * Answers as {@link answer} does, but only from the cache or from a page that the store has prepared.
 *
 * @param canonical The query's canonical text.
 * @returns Undefined if rows have to be read.
 */
export function answerNow(
  store: Store,
  dataset: Dataset,
  filters: Readonly<Record<string, unknown>>,
  slice: Slice,
  canonical: string,
): RecordPage | undefined {
  const cache = cacheOf(store);
  const known = cache.get(canonical);
  if (known) return known;
  const page = store.page?.(dataset, filters, slice);
  return page && cache.put(canonical, page);
}

/**
 * Answers a query from a store's rows, as every engine gives them. A store's own {@link Store.page} must give the same,
 * to the byte.
 */
export async function pageFromRows(
  store: Store,
  dataset: Dataset,
  filters: Readonly<Record<string, unknown>>,
  slice: Slice,
  signal?: AbortSignal,
): Promise<RecordPage> {
  // One record more than asked for shows whether more follow, without counting them.
  const wider = { ...slice, limit: slice.limit + 1 };
  switch (dataset.id as (typeof DATASETS)[number]['id']) {
    case MARKETS.id:
    case MARKETS_BY_STATE.id:
      return pageOf((await store.markets(filters, wider, signal)).map(marketRecord), slice.limit);
    case LIFETIME.id:
      return pageOf((await store.lifetimes(filters, wider, signal)).map(lifetimeRecord), slice.limit);
    case PNL.id: {
      const records = await pnlRecords(store, filters, signal);
      return pageOf(records.slice(slice.offset, slice.offset + wider.limit), slice.limit);
    }
  }
}

/** The most bytes of answers that one data version keeps. */
const CACHE_BYTES = 32 << 20;

/** What an entry costs besides its records and its key. */
const ENTRY_BYTES = 512;

/**
 * Answers of one data version by their canonical request. An answer is kept from the second request on: most are asked
 * for only once, and keeping those would cost more than making them. The least recently used make room for others.
 */
export class AnswerCache {
  readonly #pages = new Map<string, RecordPage>();
  readonly #seen = new AdmissionFilter();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = CACHE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The page that is kept for a request, or undefined. */
  get(request: string): RecordPage | undefined {
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
  put(request: string, page: RecordPage): RecordPage {
    if (!this.#seen.note(request)) return page;
    const bytes = costOf(request, page);
    if (bytes > this.#maxBytes / 16 || this.#pages.has(request)) return page;
    const kept = unframedPage(page);
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

function unframedPage(page: RecordPage): RecordPage {
  if (!page.frame) return page;
  const copy = { results: Buffer.from(page.results), has_more: page.has_more };
  takeBackFrame(page);
  return copy;
}

function costOf(request: string, page: RecordPage): number {
  return page.results.length + 2 * request.length + ENTRY_BYTES;
}

/** How many marks are kept: a power of two. */
const MARKS = 1 << 13;

/**
 * Recognizes texts that were seen lately, in little memory: of each it keeps only a checksum of 32 bits, until another
 * takes its place. It may err, if very rarely, so it must decide only what is worth keeping.
 */
class AdmissionFilter {
  readonly #marks = new Int32Array(MARKS);

  /** Notes a text. @returns Whether it was noted lately. */
  note(text: string): boolean {
    const mark = crc32(text) | 0;
    const place = mark & (MARKS - 1);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}
