import { dirname } from 'node:path';
import { wholeText } from '../../base/duckdb.js';
import { DataError } from '../../base/errors.js';
import { type FilterMeanings, type MarketDatasets, narrowed } from '../../contract/dataset.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { PNL } from '../../contract/pnl.js';
import { Database, type SqlValue } from './database.js';
import { damaged } from './indexed-file.js';
import { lowerCase, MARKET_TEXTS, oneMarket, type Store } from './store.js';
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
    walletRecords: async (...asked) => (await rows.get()).walletRecords(...asked),
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
const OPEN_SOON_MS = 1000;

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
    this.#timer = setTimeout(() => void this.get().catch(() => {}), OPEN_SOON_MS).unref();
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

const WHOLE_TEXTS = MARKET_TEXTS.map((name) => `${wholeText(name)} AS ${name}`).join(', ');

const MARKETS_WHERE: FilterMeanings<MarketDatasets, Where> = {
  closed: (isClosed, where) => where.add(isClosed, (p) => `closed = ${p}`),
  min_volume: (micros, where) => where.add(micros, (p) => `volume >= ${p}`),
  market_slug: (text, where) => where.add(lowerCase(text), (p) => `contains(searched, ${p})`),
  end_date_min: (seconds, where) => where.add(millis(seconds), (p) => `end_ms >= ${p}`),
  end_date_max: (seconds, where) => where.add(millis(seconds), (p) => `end_ms <= ${p}`),
  condition_id: (id, where) => where.add(oneMarket(id), (p) => `condition_id = ${p}`),
  event_slug: (text, where) => where.add(lowerCase(text), (p) => `lower(event_slug) = ${p}`),
};

const DAYS_WHERE: FilterMeanings<typeof PNL, Where> = {
  wallet: (wallets, where) => where.addWallets(wallets),
  start_time: (day, where) => where.add(day, (p) => `day >= ${p}`),
  end_time: (day, where) => where.add(day, (p) => `day <= ${p}`),
  condition_id: (id, where) => where.add(oneMarket(id), (p) => `condition_id = ${p}`),
  // It leaves the days as they are.
  granularity: () => {},
};

const LIFETIMES_WHERE: FilterMeanings<typeof LIFETIME, Where> = {
  wallet_address: (wallets, where) => where.addWallets(wallets),
};

/** One version's rows, read by SQL from its DuckDB file: the source of truth, used where nothing faster can answer. */
export function duckDbRows(db: Database): Store {
  return {
    markets: (filters, slice, signal) => {
      const where = narrowed(MARKETS_WHERE, filters, new Where());
      const order = 'ORDER BY volume DESC, condition_id';
      // Only the texts of the page's markets are checked, not those of every market that the filters pass.
      return db.ask(
        `SELECT * REPLACE (${WHOLE_TEXTS}) FROM (
          SELECT * EXCLUDE (searched) FROM market_rows ${where} ${order} ${limitClause(slice)}) ${order}`,
        where.values,
        signal,
      );
    },
    walletDays: (filters, signal) => {
      const where = narrowed(DAYS_WHERE, filters, new Where());
      const table = oneMarket(filters.condition_id) === undefined ? 'wallet_days' : 'wallet_market_days';
      const columns = 'wallet, day, invested, pnl, trades, wins, losses';
      return db.ask(`SELECT ${columns} FROM ${table} ${where} ORDER BY wallet, day`, where.values, signal);
    },
    lifetimes: (filters, slice, signal) => {
      const where = narrowed(LIFETIMES_WHERE, filters, new Where());
      const columns = 'wallet, trades, traded, invested, pnl, last_ts';
      return db.ask(
        `SELECT ${columns} FROM lifetimes ${where} ORDER BY wallet ${limitClause(slice)}`,
        where.values,
        signal,
      );
    },
    walletRecords: (wallets, signal) => {
      const where = new Where();
      where.addWallets(wallets);
      return db.ask(`FROM wallet_records ${where}`, where.values, signal);
    },
    close: () => db.close(),
  };
}

function limitClause({ limit, offset }: { limit: number; offset: number }): string {
  return `LIMIT ${limit} OFFSET ${offset}`;
}

function millis(seconds: number): bigint {
  return BigInt(seconds) * 1000n;
}

/** Conditions with bound values: no text of a request becomes SQL. */
class Where {
  readonly values: Record<string, SqlValue> = {};
  readonly #conditions: string[] = [];

  /** Adds a condition unless the value is absent. */
  add(value: SqlValue | undefined, condition: (parameter: string) => string): void {
    if (value === undefined) return;
    const name = `p${Object.keys(this.values).length}`;
    this.values[name] = value;
    this.#conditions.push(condition(`$${name}`));
  }

  addWallets(wallets: readonly string[]): void {
    const names = wallets.map((wallet, index) => {
      this.values[`w${index}`] = wallet;
      return `$w${index}`;
    });
    this.#conditions.push(names.length === 1 ? `wallet = ${names[0]}` : `wallet IN (${names.join(', ')})`);
  }

  toString(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}
