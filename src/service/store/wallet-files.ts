import { join } from 'node:path';
import type { LifetimeCounts } from '../records/lifetime-page.js';
import { KeyFile } from './key-file.js';
import { VarintReader } from './varint.js';
import { WALLET_KEY_BYTES, walletKey } from './wallet-key.js';

/** Key file of each wallet's days; see `day-list.ts`. An empty value means that only the database has them. */
export const WALLET_DAYS_FILE = { name: 'wallet-days.bin', content: 'wallet-days', keyBytes: WALLET_KEY_BYTES };

/** Bytes of a market's place in the order of all markets, which ends a key. */
const PLACE_BYTES = 4;

/** Key file of each wallet's days in each market, by the wallet's key and the market's place; see `day-list.ts`. */
export const MARKET_DAYS_FILE = {
  name: 'wallet-market-days.bin',
  content: 'wallet-market-days',
  keyBytes: WALLET_KEY_BYTES + PLACE_BYTES,
};

/** The key of a wallet's days in one market. */
export function marketDaysKey(wallet: Uint8Array, place: number): Buffer {
  const key = Buffer.alloc(WALLET_KEY_BYTES + PLACE_BYTES);
  key.set(wallet);
  // Big-endian, so that keys sort as the numbers do.
  key.writeUInt32BE(place, WALLET_KEY_BYTES);
  return key;
}

/**
 * Key file of each wallet's whole history: trades, traded, invested, pnl and time of the last event as varints, the
 * last two signed. An empty value means that only the database has it.
 */
export const LIFETIMES_FILE = { name: 'lifetimes.bin', content: 'lifetimes', keyBytes: WALLET_KEY_BYTES };

/** Bytes of lifetimes that are kept once read: about 700,000 wallets, since each is small. */
const KEPT_BYTES = 1 << 25;

/** The files of wallets in a version's folder, beside its database. */
export class WalletFiles {
  readonly #days: KeyFile | undefined;
  readonly #marketDays: KeyFile | undefined;
  readonly #lifetimes: KeyFile | undefined;
  readonly #lifetime: LifetimeCounts = { trades: 0, traded: 0, invested: 0, pnl: 0, last: 0 };

  /**
   * Opens the files of a version.
   *
   * @throws {DataError} If one of them is damaged; missing ones are allowed.
   */
  constructor(folder: string) {
    this.#days = KeyFile.open(join(folder, WALLET_DAYS_FILE.name), WALLET_DAYS_FILE);
    this.#marketDays = KeyFile.open(join(folder, MARKET_DAYS_FILE.name), MARKET_DAYS_FILE);
    this.#lifetimes = KeyFile.open(join(folder, LIFETIMES_FILE.name), LIFETIMES_FILE, KEPT_BYTES);
  }

  get areAllThere(): boolean {
    return this.#days !== undefined && this.#marketDays !== undefined && this.#lifetimes !== undefined;
  }

  /**
   * A wallet's list of days, valid until the next list is asked for.
   *
   * @returns Undefined if the wallet has no day, null if only the database knows.
   */
  days(wallet: string): Uint8Array | undefined | null {
    return found(this.#days, walletKey(wallet));
  }

  /** A wallet's list of days in the market at a place; otherwise as {@link days}. */
  marketDays(wallet: string, place: number): Uint8Array | undefined | null {
    const key = walletKey(wallet);
    return found(this.#marketDays, key && marketDaysKey(key, place));
  }

  /** A wallet's whole history, in an object that the next call overwrites; undefined or null as of {@link days}. */
  lifetime(wallet: string): LifetimeCounts | undefined | null {
    const value = found(this.#lifetimes, walletKey(wallet));
    if (!value) return value;
    const reader = new VarintReader(value);
    const lifetime = this.#lifetime;
    lifetime.trades = reader.next();
    lifetime.traded = reader.next();
    lifetime.invested = reader.next();
    lifetime.pnl = reader.signed();
    lifetime.last = reader.signed();
    return lifetime;
  }

  close(): void {
    this.#days?.close();
    this.#marketDays?.close();
    this.#lifetimes?.close();
  }
}

function found(file: KeyFile | undefined, key: Buffer | undefined): Buffer | undefined | null {
  if (!file || !key) return null;
  const value = file.find(key);
  return value?.length === 0 ? null : value;
}
