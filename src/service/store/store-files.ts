import { DataError } from '../../base/errors.js';
import {
  type Dataset,
  type FilterMeanings,
  type Filters,
  type MarketDatasets,
  narrowed,
} from '../../contract/dataset.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import { MarketFiles } from './market-file.js';
import { marketPage } from './market-page.js';
import { type DaysOf, pnlPage } from './pnl-page.js';
import { askedWallets, completenessOfAll, type Lifetime, pageOf, type RecordPage, type Slice } from './store.js';
import { WalletFiles } from './wallet-files.js';
import { lifetimeRecord } from './wire-records.js';

/**
 * All files of a version beside its database. They answer with undefined where they do not hold what is asked for, or
 * hold it in a damaged part: the database has it, too. The first damage is reported as a warning of the process.
 */
export class StoreFiles {
  readonly #wallets: WalletFiles;
  readonly #markets: MarketFiles;
  #warned = false;

  /**
   * Opens the files in a version's folder.
   *
   * @throws {DataError} If the footer or the index of one is damaged.
   */
  constructor(folder: string) {
    this.#wallets = new WalletFiles(folder);
    try {
      this.#markets = new MarketFiles(folder);
    } catch (error) {
      this.#wallets.close();
      throw error;
    }
  }

  /** Whether no file is missing, for whose queries the database would be needed. */
  get areAllThere(): boolean {
    return this.#wallets.areAllThere && this.#markets.areAllThere;
  }

  /** A page as bytes; see {@link Store.page}. */
  page(dataset: Dataset, filters: Readonly<Record<string, unknown>>, slice: Slice): RecordPage | undefined {
    return this.#unlessDamaged(() => {
      const wallets = askedWallets(dataset, filters);
      const completeness = wallets && this.#completeness(wallets);
      if (completeness === null) return undefined;
      const page = this.#records(dataset, filters, slice);
      if (page && completeness !== undefined) page.completeness = completeness;
      return page;
    });
  }

  /** How complete the records of wallets are, as it is sent; null if only the database knows one of them. */
  #completeness(wallets: readonly string[]): string | null {
    const sent = new Map<string, string | undefined>();
    for (const wallet of wallets) {
      const one = this.#wallets.completeness(wallet);
      if (one === null) return null;
      sent.set(wallet, one);
    }
    return completenessOfAll(wallets, (wallet) => sent.get(wallet));
  }

  #records(dataset: Dataset, filters: Readonly<Record<string, unknown>>, slice: Slice): RecordPage | undefined {
    switch (dataset.id) {
      case MARKETS.id:
      case MARKETS_BY_STATE.id:
        return this.#marketsOf(filters, slice);
      case PNL.id:
        return this.#pnl(filters, slice);
      case LIFETIME.id:
        return lifetimePage((wallet) => this.#wallets.lifetime(wallet), filters, slice);
      default:
        return undefined;
    }
  }

  /** A page of markets. Where nothing is found by a name, only the database can say whether the name is known. */
  #marketsOf(filters: Filters<MarketDatasets>, slice: Slice): RecordPage | undefined {
    const page = marketPage(this.#markets, filters, slice);
    const isNamed = filters.condition_id !== undefined || filters.event_slug !== undefined;
    return isNamed && slice.offset === 0 && page?.results.length === 2 ? undefined : page;
  }

  #pnl(filters: Filters<typeof PNL>, slice: Slice): RecordPage | undefined {
    const { condition_id: ids = [], event_slug, category, by } = filters;
    if (ids.length > 1 || [event_slug, category, by].some((filter) => filter !== undefined)) return undefined;
    return pnlPage(this.#daysIn(ids[0]), filters, slice);
  }

  /** Gives the days of wallets, all of them or those in one market. */
  #daysIn(conditionId: string | undefined): DaysOf {
    if (conditionId === undefined) return (wallet) => this.#wallets.days(wallet);
    const place = this.#markets.placeOf(conditionId);
    return (wallet) => (typeof place === 'number' ? this.#wallets.marketDays(wallet, place) : null);
  }

  close(): void {
    this.#wallets.close();
    this.#markets.close();
  }

  #unlessDamaged<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      if (!this.#warned) process.emitWarning(`${error.message} Until then the database answers, slower.`);
      this.#warned = true;
      return undefined;
    }
  }
}

/**
 * Makes a page of lifetime records.
 *
 * @param lifetimeOf Gives a wallet's history; undefined if the wallet has none, null if only the database knows.
 * @returns Undefined if only the database knows the history of one of the wallets.
 */
function lifetimePage(
  lifetimeOf: (wallet: string) => Lifetime | undefined | null,
  filters: Filters<typeof LIFETIME>,
  { limit, offset }: Slice,
): RecordPage | undefined {
  const { wallets } = narrowed(ASKED_WALLETS, filters, { wallets: [] });
  const found: Lifetime[] = [];
  for (const wallet of [...wallets].sort()) {
    const lifetime = lifetimeOf(wallet);
    if (lifetime === null) return undefined;
    if (lifetime) found.push(lifetime);
  }
  return pageOf(found.slice(offset, offset + limit + 1).map(lifetimeRecord), limit);
}

const ASKED_WALLETS: FilterMeanings<typeof LIFETIME, { wallets: readonly string[] }> = {
  wallet_address(wallets, asked) {
    asked.wallets = wallets;
  },
};
