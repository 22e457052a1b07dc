import { crc32 } from 'node:zlib';
import { sentCompleteness } from '../../contract/completeness.js';
import type { DATASETS, Dataset } from '../../contract/dataset.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import {
  askedWallets,
  completenessOfAll,
  pageOf,
  type RecordPage,
  type Slice,
  type Store,
  takeBackFrame,
} from '../store/store.js';
import { lifetimeRecord, marketRecord, pnlRecords } from '../store/wire-records.js';
import { canonicalRequest } from './read-request.js';

/** Answers by the store that gave them. They never change, as each store is one version, and go with their store. */
const caches = new WeakMap<Store, AnswerCache>();

function cacheOf(store: Store): AnswerCache {
  const cache = caches.get(store) ?? new AnswerCache();
  caches.set(store, cache);
  return cache;
}

/** What the caller of {@link answer} may add to the query. */
interface AnswerOptions {
  /** The query's canonical text. Default: made from the query. */
  readonly canonical?: string;
  /** Is aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal;
}

/**
 * Answers a query whose filters were read by {@link readFilters}. While the cache keeps it, the same query gets the very
 * same page, so that what is made from the page, such as its compressed form, can be kept, too.
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
  return cacheOf(store).put(canonical, await pageFromRows(store, dataset, filters, slice, signal));
}

/** Answers from the cache or from a page that the store has prepared; undefined if rows have to be read. */
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
  const wallets = askedWallets(dataset, filters);
  const page = recordsFromRows(store, dataset, filters, slice, signal);
  if (!wallets) return page;
  const known = store.walletRecords(wallets, signal);
  // It is awaited only after the records, which take longer; until then a failure must not crash the process.
  known.catch(() => {});
  const records = await page;
  const sent = new Map((await known).map((record) => [record.wallet, sentCompleteness(record)]));
  return { ...records, completeness: completenessOfAll(wallets, (wallet) => sent.get(wallet)) };
}

async function recordsFromRows(
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

/** How many requests are recognized: a power of two. */
const MARKS = 1 << 13;

/**
 * Answers of one data version by their canonical request. An answer is kept from the second request on: most are asked
 * for only once, and keeping those would cost more than making them. The least recently used make room for others.
 */
export class AnswerCache {
  readonly #pages = new Map<string, RecordPage>();
  /** Checksums of requests that came lately, each until another takes its place: they may err, if very rarely. */
  readonly #marks = new Int32Array(MARKS);
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
    const mark = crc32(request) | 0;
    const place = mark & (MARKS - 1);
    const wasSeen = this.#marks[place] === mark;
    this.#marks[place] = mark;
    const bytes = costOf(request, page);
    if (!wasSeen || bytes > this.#maxBytes / 16 || this.#pages.has(request)) return page;
    const { frame, ...plain } = page;
    const kept = frame ? { ...plain, results: Buffer.from(page.results) } : page;
    takeBackFrame(page);
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

function costOf(request: string, page: RecordPage): number {
  return page.results.length + 2 * request.length + (page.completeness?.length ?? 0) + ENTRY_BYTES;
}
