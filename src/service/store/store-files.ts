import { DataError } from '../../base/errors.js';
import type { Dataset, Filters } from '../../contract/dataset.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import { lifetimePage } from '../records/lifetime-page.js';
import { marketPage } from '../records/market-page.js';
import { pnlPage } from '../records/pnl-page.js';
import { MarketFiles } from './market-files.js';
import type { Page } from './page.js';
import type { Slice } from './store.js';
import { WalletFiles } from './wallet-files.js';

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
  page(dataset: Dataset, filters: Readonly<Record<string, unknown>>, slice: Slice): Page | undefined {
    return this.#unlessDamaged(() => {
      switch (dataset.id) {
        case MARKETS.id:
        case MARKETS_BY_STATE.id:
          return marketPage(this.#markets, filters, slice);
        case PNL.id:
          return pnlPage(this.#daysOf(filters), filters, slice);
        case LIFETIME.id:
          return lifetimePage((wallet) => this.#wallets.lifetime(wallet), filters, slice);
        default:
          return undefined;
      }
    });
  }

  /** The function that finds a wallet's days: all of them, or those in the market that is asked for. */
  #daysOf({ condition_id }: Filters<typeof PNL>): (wallet: string) => Uint8Array | undefined | null {
    if (condition_id === undefined || condition_id === 'ALL') return (wallet) => this.#wallets.days(wallet);
    const place = this.#markets.placeOf(condition_id);
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
