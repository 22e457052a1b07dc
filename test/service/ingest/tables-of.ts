import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../../src/service/store/database.js';

/** The rows of all tables that the service answers from, without how many fees are known, which differs by format. */
export async function tablesOf(folder: string): Promise<Record<string, unknown[]>> {
  const name = (await readFile(join(folder, 'current'), 'utf8')).trim();
  const db = await Database.open(join(folder, 'versions', name, 'lab.duckdb'), { locked: true });
  try {
    const tables = ['market_rows', 'wallet_days', 'wallet_market_days', 'lifetimes', 'wallet_records'];
    const rows = await Promise.all(
      tables.map((table) => db.rows(`SELECT COLUMNS(c -> c NOT IN ('feeless')) FROM ${table}`)),
    );
    return Object.fromEntries(tables.map((table, i) => [table, rows[i] ?? []]));
  } finally {
    db.close();
  }
}
