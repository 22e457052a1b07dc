import type { DATASETS, Dataset } from '../../contract/dataset.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import { lifetimeRecord } from '../records/lifetime.js';
import { marketRecord } from '../records/market.js';
import { pnlRecords } from '../records/pnl.js';
import { type Page, pageOf } from '../store/page.js';
import type { Slice, Store } from '../store/store.js';
import { AnswerCache } from './answer-cache.js';
import { canonicalRequest } from './canonical-request.js';

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
export interface AnswerOptions {
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
): Promise<Page> {
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
): Page | undefined {
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
): Promise<Page> {
  // One record more than asked for shows whether more follow, without counting them.
  const wider = { ...slice, limit: slice.limit + 1 };
  switch (dataset.id as (typeof DATASETS)[number]['id']) {
    case MARKETS.id:
    case MARKETS_BY_STATE.id:
      return pageOf((await store.markets(filters, wider, signal)).map(marketRecord), slice.limit);
    case LIFETIME.id: {
      const wallets = filters.wallet_address as string[];
      return pageOf((await store.lifetimes(wallets, wider, signal)).map(lifetimeRecord), slice.limit);
    }
    case PNL.id: {
      const records = await pnlRecords(store, filters, signal);
      return pageOf(records.slice(slice.offset, slice.offset + wider.limit), slice.limit);
    }
  }
}
