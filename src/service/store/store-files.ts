import { DataError } from '../../base/errors.js';
import type { Dataset, Filters } from '../../contract/dataset.js';
import { LIFETIME } from '../../contract/lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from '../../contract/markets.js';
import { PNL } from '../../contract/pnl.js';
import {
  asciiText,
  PERCENT_MICROS,
  putAscii,
  putMicros,
  putMoment,
  putRatio,
  putText,
  putWhole,
  scratchFor,
} from './json-bytes.js';
import { MarketFiles } from './market-file.js';
import { marketPage } from './market-page.js';
import { pnlPage } from './pnl-page.js';
import { framedPage, type RecordPage, type Slice } from './store.js';
import { type LifetimeCounts, WalletFiles } from './wallet-files.js';

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

/**
 * Writes a page of lifetime records directly as bytes, equal to those of {@link lifetimeRecord}.
 *
 * @param lifetimeOf Gives a wallet's history, valid until the next call; undefined if the wallet has none, null if only
 *   the database knows.
 * @returns Undefined if only the database knows the history of one of the wallets.
 */
function lifetimePage(
  lifetimeOf: (wallet: string) => LifetimeCounts | undefined | null,
  { wallet_address = [] }: Filters<typeof LIFETIME>,
  { limit, offset }: Slice,
): RecordPage | undefined {
  const wallets = wallet_address.length > 1 ? [...wallet_address].sort() : wallet_address;
  const { bytes, view } = scratchFor(wallets.length);
  let found = 0;
  let at = 1;
  for (const wallet of wallets) {
    const lifetime = lifetimeOf(wallet);
    if (lifetime === null) return undefined;
    if (!lifetime) continue;
    if (found >= offset && found < offset + limit) at = putLifetime(view, at, wallet, lifetime);
    found++;
  }
  bytes[0] = OPEN;
  bytes[at] = CLOSE;
  const records = bytes.subarray(0, at + 1);
  return framedPage(records.length, found > offset + limit, (frame, start) => frame.set(records, start));
}

const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c];
const WALLET_NAME = asciiText('{"proxy_wallet":"');
const TRADES_NAME = asciiText('","total_trades":');
const SIZE_NAME = asciiText(',"avg_trade_size":"');
const AVERAGE_NAME = asciiText('","avg_pnl_per_trade":"');
const INVESTED_NAME = asciiText('","total_invested":"');
const PNL_NAME = asciiText('","total_pnl":"');
const ROI_NAME = asciiText('","roi_pct":"');
const UPDATED_NAME = asciiText('","last_updated":"');
const END = asciiText('"}');

function putLifetime(view: DataView, start: number, wallet: string, lifetime: LifetimeCounts): number {
  const { trades, traded, invested, pnl, last } = lifetime;
  let at = start;
  if (at > 1) view.setUint8(at++, COMMA);
  at = putText(view, at, WALLET_NAME);
  at = putAscii(view, at, wallet);
  at = putText(view, at, TRADES_NAME);
  at = putWhole(view, at, trades);
  at = putText(view, at, SIZE_NAME);
  at = putRatio(view, at, traded, trades, 1);
  at = putText(view, at, AVERAGE_NAME);
  at = putRatio(view, at, pnl, trades, 1);
  at = putText(view, at, INVESTED_NAME);
  at = putMicros(view, at, invested);
  at = putText(view, at, PNL_NAME);
  at = putMicros(view, at, pnl);
  at = putText(view, at, ROI_NAME);
  at = putRatio(view, at, pnl, invested, PERCENT_MICROS);
  at = putText(view, at, UPDATED_NAME);
  at = putMoment(view, at, last);
  return putText(view, at, END);
}
