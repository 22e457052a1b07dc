import { dirname } from 'node:path';
import { DataError } from '../../base/errors.js';
import { Database } from './database.js';
import { duckDbRows } from './duckdb-rows.js';
import { damaged } from './indexed-file.js';
import type { Store } from './store.js';
import { StoreFiles } from './store-files.js';

/**
 * Opens the embedded store: one version's DuckDB file, read-only and locked down, and the files beside it, which answer
 * queries without the database where they can.
 *
 * If the files are complete and the process has not loaded the engine yet, the database opens a moment later, or at its
 * first query: loading the engine takes most of the start. If the database then proves damaged, the files stop
 * answering, too.
 *
 * @throws {DataError} If a file is damaged.
 */
export async function openDuckDbStore(path: string): Promise<Store> {
  const files = new StoreFiles(dirname(path));
  const rows = new RowsSoon(path);
  if (!files.areAllThere || Database.isEngineLoaded) {
    await rows.get().catch((error) => {
      files.close();
      throw error;
    });
  }
  return {
    markets: async (...asked) => (await rows.get()).markets(...asked),
    walletDays: async (...asked) => (await rows.get()).walletDays(...asked),
    lifetimes: async (...asked) => (await rows.get()).lifetimes(...asked),
    page(dataset, filters, slice) {
      if (rows.failure) throw rows.failure;
      return files.page(dataset, filters, slice);
    },
    close() {
      files.close();
      rows.close();
    },
  };
}

/** How long after the files the database opens, unless a query opens it earlier. */
const SOON_MS = 1000;

/** The rows of a database that opens at the first query, or soon. */
class RowsSoon {
  /** Why the database cannot be opened. */
  failure: DataError | undefined;
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;
  #opening: Promise<Store> | undefined;

  constructor(path: string) {
    this.#path = path;
    // A failure is reported to each query.
    this.#timer = setTimeout(() => void this.get().catch(() => {}), SOON_MS).unref();
  }

  /** @throws {DataError} If the database is damaged. */
  get(): Promise<Store> {
    clearTimeout(this.#timer);
    this.#opening ??= this.#open();
    return this.#opening;
  }

  close(): void {
    clearTimeout(this.#timer);
    void this.#opening?.then(
      (rows) => rows.close(),
      () => {},
    );
  }

  async #open(): Promise<Store> {
    try {
      return duckDbRows(await Database.open(this.#path, { locked: true, threads: 1 }));
    } catch (cause) {
      const [why = ''] = String(cause instanceof Error ? cause.message : cause).split('\n');
      this.failure = cause instanceof DataError ? cause : new DataError(damaged(this.#path, why).message, { cause });
      throw this.failure;
    }
  }
}
