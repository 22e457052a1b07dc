import type { DATASETS, Dataset } from '../contract/dataset.js';
import { LIFETIME } from '../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../contract/markets.js';
import { PNL } from '../contract/pnl.js';
import { lifetimeRecord } from './records/lifetime.js';
import { marketRecord } from './records/market.js';
import { pnlRecords } from './records/pnl.js';
import type { Slice, Store } from './store/store.js';

/** One page of records as they go on the wire, and whether more follow. */
export interface Page {
  results: readonly object[];
  has_more: boolean;
}

/**
 * Answers a query whose filters were read by {@link readFilters}.
 *
 * @param filters Values by wire name, of the kinds that the dataset's parameters give.
 */
export async function answer(
  store: Store,
  dataset: Dataset,
  filters: Readonly<Record<string, unknown>>,
  slice: Slice,
): Promise<Page> {
  // One more than asked tells whether there is more, without counting the rest.
  const wider = { ...slice, limit: slice.limit + 1 };
  switch (dataset.id as (typeof DATASETS)[number]['id']) {
    case MARKETS.id:
    case MARKETS_BY_STATE.id:
      return page((await store.markets(filters, wider)).map(marketRecord), slice.limit);
    case LIFETIME.id: {
      const wallets = filters.wallet_address as string[];
      return page((await store.lifetimes(wallets, wider)).map(lifetimeRecord), slice.limit);
    }
    case PNL.id: {
      const records = await pnlRecords(store, filters);
      return page(records.slice(slice.offset, slice.offset + wider.limit), slice.limit);
    }
  }
}

function page(records: readonly object[], limit: number): Page {
  return { results: records.slice(0, limit), has_more: records.length > limit };
}
