import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../../src/service/store/database.js';

const SERVED = [
  ...['market_rows', 'wallet_days', 'wallet_market_days', 'lifetimes', 'wallet_records'],
  ...['fills_by_wallet', 'fills_by_token', 'fill_wallets', 'fill_tokens'],
];

/**
 * The rows of tables of the current version, by default of all that the service answers from; without how many fees
 * are known, which differs by format.
 */
export async function tablesOf(folder: string, tables = SERVED): Promise<Record<string, unknown[]>> {
  const name = (await readFile(join(folder, 'current'), 'utf8')).trim();
  const db = await Database.open(join(folder, 'versions', name, 'lab.duckdb'), { locked: true });
  try {
    const rows = await Promise.all(
      tables.map((table) => db.rows(`SELECT COLUMNS(c -> c NOT IN ('feeless')) FROM ${table}`)),
    );
    return Object.fromEntries(tables.map((table, i) => [table, rows[i] ?? []]));
  } finally {
    db.close();
  }
}
