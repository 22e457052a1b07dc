import { dirname } from 'node:path';
import { Database } from './database.js';
import { duckDbRows } from './duckdb-rows.js';
import type { Store } from './store.js';
import { StoreFiles } from './store-files.js';

/**
 * The embedded store: one version's DuckDB file, read-only and locked down, and the files beside it, which answer what
 * they hold without it.
 *
 * @throws {DataError} If a file is damaged.
 */
export async function openDuckDbStore(path: string): Promise<Store> {
  const files = new StoreFiles(dirname(path));
  const db = await Database.open(path, { locked: true, threads: 1 }).catch((error) => {
    files.close();
    throw error;
  });
  const rows = duckDbRows(db);
  return {
    markets: rows.markets,
    walletDays: rows.walletDays,
    lifetimes: async (wallets, slice) =>
      files.lifetimes(wallets)?.slice(slice.offset, slice.offset + slice.limit) ?? rows.lifetimes(wallets, slice),
    page: (dataset, filters, slice) => files.page(dataset, filters, slice),
    close() {
      files.close();
      rows.close();
    },
  };
}
