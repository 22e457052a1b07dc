import { crc32 } from 'node:zlib';
import { CANDLES } from '../../contract/candles.js';
import { sentCompleteness } from '../../contract/completeness.js';
import type { DATASETS, Dataset, SentRecord } from '../../contract/dataset.js';
import { LEADERBOARD } from '../../contract/leaderboard.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import { POSITIONS } from '../../contract/positions.js';
import { isoOfSeconds } from '../../contract/time.js';
import { TRADES } from '../../contract/trades.js';
import { ProblemError } from '../http/problems.js';
import { withUnknown } from '../store/known-names.js';
import { pnlByRecords, positionRecords, standingRecord } from '../store/standing-records.js';
import {
  askedWallets,
  type BoardWindow,
  completenessOfAll,
  NotBuilt,
  pageOf,
  type RecordPage,
  type Slice,
  type Store,
  takeBackFrame,
} from '../store/store.js';
import { candleRecords, lifetimeRecord, marketRecord, pnlRecords, tradeRecord } from '../store/wire-records.js';
import { canonicalRequest } from './read-request.js';

/** Answers by the store that gave them. They never change, as each store is one version, and go with their store. */
const caches = new WeakMap<Store, AnswerCache>();

function cacheOf(store: Store): AnswerCache {
  const cache = caches.get(store) ?? new AnswerCache();
  caches.set(store, cache);
  return cache;
}

/** The cache that keeps a page, and the request by which it does. */
const keepers = new WeakMap<RecordPage, { cache: AnswerCache; request: string }>();

/** Tells the cache that keeps a page, if one does, how many bytes are kept of what was made from the page. */
export function countMade(page: RecordPage, bytes: number): void {
  const { cache, request = '' } = keepers.get(page) ?? {};
  cache?.countMade(request, page, bytes);
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
  try {
    const page = await pageFromRows(store, dataset, filters, slice, signal);
    return cacheOf(store).put(canonical, await withUnknown(store, dataset, filters, slice, page, signal));
  } catch (error) {
    if (!(error instanceof NotBuilt)) throw error;
    throw new ProblemError(404, `Dataset ${dataset.id} (${dataset.name}) cannot be asked yet. ${error.message}`);
  }
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
  if (!wallets) return dataset.id === LEADERBOARD.id ? withListed(store, await page, signal) : page;
  const known = store.walletRecords(wallets, signal);
  // It is awaited only after the records, which take longer; until then a failure must not crash the process.
  known.catch(() => {});
  const records = await page;
  const sent = new Map((await known).map((record) => [record.wallet, sentCompleteness(record)]));
  return { ...records, completeness: completenessOfAll(wallets, (wallet) => sent.get(wallet)) };
}

/** The days of a leaderboard, as an answer sends them. */
function sentWindow({ first_day, last_day, wallets, others }: BoardWindow): string {
  const [first, last] = [first_day, last_day].map((day) => isoOfSeconds(day * 86_400).slice(0, 10));
  return JSON.stringify({ first, last, wallets, others });
}

/** A page of a leaderboard that names no wallet, with how complete the records of those on it are. */
async function withListed(store: Store, page: RecordPage, signal?: AbortSignal): Promise<RecordPage> {
  const places = JSON.parse(page.results.toString()) as readonly SentRecord<typeof LEADERBOARD>[];
  const wallets = places.map(({ address }) => address);
  const known = wallets.length === 0 ? [] : await store.walletRecords(wallets, signal);
  const sent = new Map(known.map((record) => [record.wallet, sentCompleteness(record)]));
  return { ...page, completeness: completenessOfAll(wallets, (wallet) => sent.get(wallet)) };
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
    case LEADERBOARD.id: {
      const window = await store.leaderboardWindow(filters, signal);
      const page = pageOf((await store.leaderboard(filters, wider, signal)).map(standingRecord), slice.limit);
      return window ? { ...page, window: sentWindow(window) } : page;
    }
    case POSITIONS.id:
      return pageOf(await positionRecords(store, filters, wider, signal), slice.limit);
    case TRADES.id:
      return pageOf((await store.fills(filters, wider, signal)).map(tradeRecord), slice.limit);
    case CANDLES.id:
      return pageOf(candleRecords(await store.candles(filters, wider, signal)), slice.limit);
    case PNL.id: {
      const recordsOf = filters.by === undefined ? pnlRecords : pnlByRecords;
      return pageOf(await recordsOf(store, filters, wider, signal), slice.limit);
    }
  }
}

/** A page that is kept, and what it takes, with all that was made from it. */
interface Kept {
  readonly page: RecordPage;
  bytes: number;
}

/** The most bytes of answers that one data version keeps, in all their forms. */
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
  readonly #kept = new Map<string, Kept>();
  /** Checksums of requests that came lately, each until another takes its place: they may err, if very rarely. */
  readonly #marks = new Int32Array(MARKS);
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = CACHE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The page that is kept for a request, or undefined. */
  get(request: string): RecordPage | undefined {
    const kept = this.#kept.get(request);
    if (kept === undefined) return undefined;
    // A map keeps its keys in order of insertion: the first is the least recently used.
    this.#kept.delete(request);
    this.#kept.set(request, kept);
    return kept.page;
  }

  /** The bytes that are kept. */
  get bytes(): number {
    return this.#bytes;
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
    if (!wasSeen || bytes > this.#maxBytes / 16 || this.#kept.has(request)) return page;
    const { frame, ...plain } = page;
    const kept = frame ? { ...plain, results: Buffer.from(page.results) } : page;
    takeBackFrame(page);
    this.#kept.set(request, { page: kept, bytes });
    keepers.set(kept, { cache: this, request });
    this.#bytes += bytes;
    this.#makeRoom();
    return kept;
  }

  /** Counts what was made from a page anew, instead of what was counted of it before. */
  countMade(request: string, page: RecordPage, bytes: number): void {
    const kept = this.#kept.get(request);
    if (kept?.page !== page) return;
    const now = costOf(request, page) + bytes;
    this.#bytes += now - kept.bytes;
    kept.bytes = now;
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const [request, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#kept.delete(request);
      this.#bytes -= bytes;
    }
  }
}

/** What a page takes, and the canonical text of its request, which holds its filters. */
function costOf(request: string, page: RecordPage): number {
  const { results, completeness = '', unknown = '', window = '' } = page;
  const texts = [request, completeness, unknown, window];
  return results.length + 2 * texts.reduce((sum, text) => sum + text.length, 0) + ENTRY_BYTES;
}
