import { join } from 'node:path';
import { itemAt } from '../../base/item-at.js';
import { sentCompleteness, type WalletRecord } from '../../contract/completeness.js';
import type { Database } from './database.js';
import { varints, zigzag } from './indexed-file.js';
import { type KeyEntry, writeKeyFile } from './key-file.js';
import {
  type DayCounts,
  dayList,
  LIFETIMES_FILE,
  MARKET_DAYS_FILE,
  MOST_MICROS,
  marketDaysKey,
  RECORDS_FILE,
  WALLET_DAYS_FILE,
  walletKey,
} from './wallet-files.js';

/**
 * Writes the files of wallets into a folder. They are made from the tables `wallet_days`, `wallet_market_days`,
 * `lifetimes` and `wallet_records`, and from the places of markets in `market_rows`.
 *
 * @throws {DataError} If they cannot be written.
 */
export async function writeWalletFiles(db: Database, folder: string): Promise<void> {
  await writeKeyFile(join(folder, WALLET_DAYS_FILE.name), dayEntries(db, DAYS), WALLET_DAYS_FILE);
  await writeKeyFile(join(folder, MARKET_DAYS_FILE.name), dayEntries(db, MARKET_DAYS), MARKET_DAYS_FILE);
  await writeKeyFile(join(folder, LIFETIMES_FILE.name), lifetimeEntries(db), LIFETIMES_FILE);
  await writeKeyFile(join(folder, RECORDS_FILE.name), recordEntries(db), RECORDS_FILE);
}

/** The wallet in its first row, null in the others: text is the most expensive to read. */
const WALLET_ONCE = 'CASE WHEN wallet IS DISTINCT FROM lag(wallet) OVER () THEN wallet END AS wallet';
const COUNTS = 'day, invested::DOUBLE AS invested, pnl::DOUBLE AS pnl, trades, wins, losses';

const DAYS = `SELECT ${WALLET_ONCE}, NULL::INTEGER AS place, ${COUNTS} FROM wallet_days`;

const MARKET_DAYS = `
  SELECT ${WALLET_ONCE}, place, ${COUNTS} FROM (
    SELECT d.*, m.place FROM wallet_market_days d
      JOIN (SELECT condition_id, rowid::INTEGER AS place FROM market_rows) m ON d.condition_id = m.condition_id
    ORDER BY d.wallet, m.place, d.day)`;

type DayColumns = readonly [(string | null)[], (number | null)[], ...number[][]];
type DayNumbers = [day: number, invested: number, pnl: number, trades: number, wins: number, losses: number];

const EMPTY = new Uint8Array(0);

/** Makes lists of days of a query's rows: one for each wallet, or one for each of its markets if the rows name them. */
async function* dayEntries(db: Database, sql: string): AsyncGenerator<KeyEntry> {
  let wallet: Buffer | undefined;
  let place: number | null | undefined;
  let days: DayCounts[] = [];
  const take = (): KeyEntry[] => {
    const key = wallet && typeof place === 'number' ? marketDaysKey(wallet, place) : wallet;
    const micros = days.reduce((sum, { invested, pnl }) => sum + invested + Math.abs(pnl), 0);
    return key && place !== undefined ? [{ key, value: micros > MOST_MICROS ? EMPTY : dayList(days) }] : [];
  };
  for await (const chunk of db.chunks(sql)) {
    const [wallets, places, ...numbers] = chunk as unknown as DayColumns;
    for (const [i, address] of wallets.entries()) {
      if (address !== null || places[i] !== place) {
        yield* take();
        if (address !== null) wallet = walletKey(address);
        place = places[i];
        days = [];
      }
      const [day, invested, pnl, trades, wins, losses] = numbers.map((column) => itemAt(column, i)) as DayNumbers;
      days.push({ day, invested, pnl, trades, wins, losses });
    }
  }
  yield* take();
}

async function* lifetimeEntries(db: Database): AsyncGenerator<KeyEntry> {
  const rows = db.each<{ wallet: string } & Record<string, number>>(
    'SELECT wallet, trades, traded::DOUBLE, invested::DOUBLE, pnl::DOUBLE, last_ts::DOUBLE FROM lifetimes',
  );
  for await (const { wallet, ...numbers } of rows) {
    const key = walletKey(wallet);
    if (key) yield { key, value: lifetimeValue(Object.values(numbers)) };
  }
}

async function* recordEntries(db: Database): AsyncGenerator<KeyEntry> {
  for await (const record of db.each<WalletRecord>('FROM wallet_records')) {
    const key = walletKey(record.wallet);
    if (key) yield { key, value: Buffer.from(sentCompleteness(record)) };
  }
}

function lifetimeValue(numbers: readonly number[]): Uint8Array {
  if (numbers.some((number) => Math.abs(number) > MOST_MICROS)) return EMPTY;
  // Trades, traded and invested are never negative; profit and time may be.
  return varints(numbers.map((number, i) => (i < 3 ? number : zigzag(number))));
}
