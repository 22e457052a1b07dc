import { join } from 'node:path';
import { VarintReader, varints, zigzag } from './indexed-file.js';
import { KeyFile } from './key-file.js';
import type { Lifetime } from './store.js';

/** Bytes of a wallet's key in a file. */
const WALLET_KEY_BYTES = 20;

/** Key file of each wallet's days; see {@link dayList}. An empty value means that only the database has them. */
export const WALLET_DAYS_FILE = { name: 'wallet-days.bin', content: 'wallet-days', keyBytes: WALLET_KEY_BYTES };

/** Bytes of a market's place in the order of all markets, which ends a key. */
const PLACE_BYTES = 4;

/** Key file of each wallet's days in each market, by the wallet's key and the market's place; see {@link dayList}. */
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

/** Key file of how complete each wallet's record is, as it is sent: the text of {@link sentCompleteness} in UTF-8. */
export const RECORDS_FILE = { name: 'wallet-records.bin', content: 'wallet-records', keyBytes: WALLET_KEY_BYTES };

/** Bytes that are kept once read, of lifetimes (about 700,000) and of records (about 300,000), since each is small. */
const KEPT_BYTES = 1 << 25;

/** The files of wallets in a version's folder, beside its database. */
export class WalletFiles {
  readonly #days: KeyFile | undefined;
  readonly #marketDays: KeyFile | undefined;
  readonly #lifetimes: KeyFile | undefined;
  readonly #records: KeyFile | undefined;

  /**
   * Opens the files of a version.
   *
   * @throws {DataError} If one of them is damaged; missing ones are allowed.
   */
  constructor(folder: string) {
    this.#days = KeyFile.open(join(folder, WALLET_DAYS_FILE.name), WALLET_DAYS_FILE);
    this.#marketDays = KeyFile.open(join(folder, MARKET_DAYS_FILE.name), MARKET_DAYS_FILE);
    this.#lifetimes = KeyFile.open(join(folder, LIFETIMES_FILE.name), LIFETIMES_FILE, KEPT_BYTES);
    this.#records = KeyFile.open(join(folder, RECORDS_FILE.name), RECORDS_FILE, KEPT_BYTES);
  }

  get areAllThere(): boolean {
    return [this.#days, this.#marketDays, this.#lifetimes, this.#records].every((file) => file !== undefined);
  }

  /**
   * A wallet's list of days, valid until the next list is asked for.
   *
   * @returns Undefined if the wallet has no day, null if only the database knows.
   */
  days(wallet: string): Uint8Array | undefined | null {
    return foundValue(this.#days, walletKey(wallet));
  }

  /** A wallet's list of days in the market at a place; otherwise as {@link days}. */
  marketDays(wallet: string, place: number): Uint8Array | undefined | null {
    const key = walletKey(wallet);
    return foundValue(this.#marketDays, key && marketDaysKey(key, place));
  }

  /** A wallet's whole history; undefined or null as of {@link days}. */
  lifetime(wallet: string): Lifetime | undefined | null {
    const value = foundValue(this.#lifetimes, walletKey(wallet));
    if (!value) return value;
    const reader = new VarintReader(value);
    return {
      wallet,
      trades: reader.next(),
      traded: BigInt(reader.next()),
      invested: BigInt(reader.next()),
      pnl: BigInt(reader.signed()),
      last_ts: BigInt(reader.signed()),
    };
  }

  /** How complete a wallet's record is, as it is sent; undefined or null as of {@link days}. */
  completeness(wallet: string): string | undefined | null {
    const value = foundValue(this.#records, walletKey(wallet));
    return value ? value.toString() : value;
  }

  close(): void {
    this.#records?.close();
    this.#days?.close();
    this.#marketDays?.close();
    this.#lifetimes?.close();
  }
}

function foundValue(file: KeyFile | undefined, key: Buffer | undefined): Buffer | undefined | null {
  if (!file || !key) return null;
  const value = file.find(key);
  return value?.length === 0 ? null : value;
}

/** What happened on one day, as exact numbers; money in micro-USD. */
export interface DayCounts {
  /** Days since 1970-01-01. */
  day: number;
  invested: number;
  pnl: number;
  trades: number;
  wins: number;
  losses: number;
}

/** The most that the absolute amounts of one list may add up to, so that all their sums are exact. */
export const MOST_MICROS = 2 ** 52 - 1;

/**
 * A wallet's days in ascending order as varints: first how many there are, then for each the number of days since the
 * one before (the first as a signed day), invested, pnl (signed), trades, wins and losses.
 */
export function dayList(days: readonly DayCounts[]): Buffer {
  const numbers = [days.length];
  let previous: number | undefined;
  for (const { day, invested, pnl, trades, wins, losses } of days) {
    const step = previous === undefined ? zigzag(day) : day - previous;
    numbers.push(step, invested, zigzag(pnl), trades, wins, losses);
    previous = day;
  }
  return varints(numbers);
}

/**
 * Reads a list of days in order.
 *
 * @param each Receives every day, always in the same object; returns false to stop.
 */
export function readDays(list: Uint8Array, each: (day: DayCounts) => boolean): void {
  const reader = new VarintReader(list);
  const counts: DayCounts = { day: 0, invested: 0, pnl: 0, trades: 0, wins: 0, losses: 0 };
  for (let left = reader.next(), first = true; left > 0; left--, first = false) {
    counts.day = first ? reader.signed() : counts.day + reader.next();
    counts.invested = reader.next();
    counts.pnl = reader.signed();
    counts.trades = reader.next();
    counts.wins = reader.next();
    counts.losses = reader.next();
    if (!each(counts)) return;
  }
}

const WALLET = /^0x[0-9a-f]{40}$/;

/**
 * A wallet's key in a file: the bytes of its address, which sort as the addresses do.
 *
 * @returns Undefined for anything but an address of 20 bytes in lower case: only the database has its rows.
 */
export function walletKey(wallet: string): Buffer | undefined {
  return WALLET.test(wallet) ? Buffer.from(wallet.slice(2), 'hex') : undefined;
}
