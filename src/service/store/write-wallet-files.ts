import { join } from 'node:path';
import type { Database } from './database.js';
import { DayListWriter, MOST_MICROS } from './day-list.js';
import { putVarint, VARINT_BYTES, zigzag } from './varint.js';
import { LIFETIMES_FILE, WALLET_DAYS_FILE } from './wallet-files.js';
import { walletKey } from './wallet-key.js';
import { type KeyEntry, writeKeyFile } from './write-key-file.js';

/**
 * Writes the files of wallets into a folder, from the tables `wallet_days` and `lifetimes` in their own order.
 *
 * @throws {DataError} If they cannot be written.
 */
export async function writeWalletFiles(db: Database, folder: string): Promise<void> {
  await writeKeyFile(join(folder, WALLET_DAYS_FILE.name), dayEntries(db), WALLET_DAYS_FILE);
  await writeKeyFile(join(folder, LIFETIMES_FILE.name), lifetimeEntries(db), LIFETIMES_FILE);
}

/** The wallet in its first row alone: text is what costs most to read. */
const DAYS = `
  SELECT CASE WHEN wallet IS DISTINCT FROM lag(wallet) OVER () THEN wallet END AS wallet,
    day, invested::DOUBLE AS invested, pnl::DOUBLE AS pnl, trades, wins, losses FROM wallet_days`;

type DayColumns = readonly [(string | null)[], number[], number[], number[], number[], number[], number[]];

const EMPTY = new Uint8Array(0);

async function* dayEntries(db: Database): AsyncGenerator<KeyEntry> {
  const list = new DayListWriter();
  let key: Buffer | undefined;
  let micros = 0;
  for await (const chunk of db.chunks(DAYS)) {
    const [wallets, days, invested, pnl, trades, wins, losses] = chunk as unknown as DayColumns;
    for (const [i, wallet] of wallets.entries()) {
      if (wallet !== null) {
        const value = list.take();
        if (key) yield { key, value: micros > MOST_MICROS ? EMPTY : value };
        key = walletKey(wallet);
        micros = 0;
      }
      const [paid, gained] = [invested[i] ?? 0, pnl[i] ?? 0];
      micros += paid + Math.abs(gained);
      list.add(days[i] ?? 0, paid, gained, trades[i] ?? 0, wins[i] ?? 0, losses[i] ?? 0);
    }
  }
  const value = list.take();
  if (key) yield { key, value: micros > MOST_MICROS ? EMPTY : value };
}

const LIFETIMES = `
  SELECT wallet, trades, traded::DOUBLE, invested::DOUBLE, pnl::DOUBLE, last_ts::DOUBLE FROM lifetimes`;

type LifetimeColumns = readonly [string[], ...(readonly [number[], number[], number[], number[], number[]])];

async function* lifetimeEntries(db: Database): AsyncGenerator<KeyEntry> {
  for await (const chunk of db.chunks(LIFETIMES)) {
    const [wallets, trades, traded, invested, pnl, last] = chunk as unknown as LifetimeColumns;
    for (const [i, wallet] of wallets.entries()) {
      const key = walletKey(wallet);
      if (key)
        yield { key, value: lifetimeValue([trades, traded, invested, pnl, last].map((column) => column[i] ?? 0)) };
    }
  }
}

function lifetimeValue(numbers: readonly number[]): Uint8Array {
  if (numbers.some((number) => Math.abs(number) > MOST_MICROS)) return EMPTY;
  const bytes = new Uint8Array(numbers.length * VARINT_BYTES);
  let at = 0;
  // Trades, traded and invested are never below 0; profit and time may be.
  for (const [i, number] of numbers.entries()) at = putVarint(bytes, at, i < 3 ? number : zigzag(number));
  return bytes.subarray(0, at);
}
