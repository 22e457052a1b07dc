import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { wholeText } from '../../base/duckdb.js';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { type FilterMeanings, type MarketDatasets, narrowed } from '../../contract/dataset.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { PNL } from '../../contract/pnl.js';
import { Database, type SqlValue } from './database.js';
import { fillRows } from './fill-rows.js';
import { damaged } from './indexed-file.js';
import { lowerCase } from './lower-case.js';
import { standingRows } from './standing-rows.js';
import { MARKET_TEXTS, oneMarket, type Store } from './store.js';
import { StoreFiles } from './store-files.js';

/**
 * Opens the embedded store: one version's DuckDB file, read-only and locked down, and the files beside it, which answer
 * queries without the database where they can.
 *
 * With `soon`, if the files are complete and the process has not loaded the engine yet, the database opens a moment
 * later, or at its first query: loading the engine takes most of the start. If the database then proves damaged, the
 * files still answer, and {@link Store.damage} says so.
 *
 * @param how `whole` opens the database at once; `anyhow` does so, too, but takes files without a database, or a database
 *   without files.
 * @param faults What is known to be wrong with the size of files, by name: they are not read, even if they could be, since
 *   they may be another version's. If one of the sorted files has another size, none of them is read.
 * @throws {DataError} If a file is damaged; with `anyhow`, if neither the files nor the database can be opened.
 */
export async function openDuckDbStore(
  path: string,
  how: 'soon' | 'whole' | 'anyhow' = 'soon',
  faults: ReadonlyMap<string, DataError> = new Map(),
): Promise<Store> {
  const ofRows = faults.get(basename(path));
  const isUnlike = [...faults.values()].some((each) => each !== ofRows && systemErrorCode(each.cause) !== 'ENOENT');
  const files = isUnlike ? undefined : openFiles(dirname(path), how === 'anyhow');
  const rows = new RowsSoon(path, ofRows);
  if (how !== 'soon' || !files?.areAllThere || Database.isEngineLoaded) {
    await rows.get().catch((error) => {
      if (how === 'anyhow' && files) return;
      files?.close();
      throw error;
    });
  }
  return {
    get damage() {
      return rows.failure;
    },
    settle: async () => void (await rows.get().catch(() => {})),
    markets: async (...asked) => (await rows.get()).markets(...asked),
    walletDays: async (...asked) => (await rows.get()).walletDays(...asked),
    lifetimes: async (...asked) => (await rows.get()).lifetimes(...asked),
    groupDays: async (...asked) => (await rows.get()).groupDays(...asked),
    positions: async (...asked) => (await rows.get()).positions(...asked),
    marketSides: async (...asked) => (await rows.get()).marketSides(...asked),
    leaderboard: async (...asked) => (await rows.get()).leaderboard(...asked),
    leaderboardWindow: async (...asked) => (await rows.get()).leaderboardWindow(...asked),
    fills: async (...asked) => (await rows.get()).fills(...asked),
    candles: async (...asked) => (await rows.get()).candles(...asked),
    names: async (...asked) => (await rows.get()).names(...asked),
    walletRecords: async (...asked) => (await rows.get()).walletRecords(...asked),
    page: (dataset, filters, slice) => files?.page(dataset, filters, slice),
    close() {
      files?.close();
      rows.close();
    },
  };
}

/** Opens the files; undefined if they are damaged and may be left out. */
function openFiles(folder: string, mayFail: boolean): StoreFiles | undefined {
  try {
    return new StoreFiles(folder);
  } catch (error) {
    if (mayFail) return undefined;
    throw error;
  }
}

/** How long after the files the database opens, unless a query opens it earlier. */
const OPEN_SOON_MS = 1000;

/** The rows of a database that opens at the first query, or soon. */
class RowsSoon {
  /** Why the database cannot be opened. */
  failure: DataError | undefined;
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;
  readonly #fault: DataError | undefined;
  #opening: Promise<Store> | undefined;

  /** @param fault Why the database is not to be opened, as part of a sentence. */
  constructor(path: string, fault?: DataError) {
    this.#path = path;
    this.#fault = fault;
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
      if (this.#fault) throw this.#fault;
      return duckDbRows(await openServed(this.#path));
    } catch (cause) {
      const [why = ''] = String(cause instanceof Error ? cause.message : cause).split('\n');
      this.failure = cause instanceof DataError ? cause : new DataError(damaged(this.#path, why).message, { cause });
      throw this.failure;
    }
  }
}

/**
 * Most memory of the engine in a process that serves. Without a bound it keeps all that it has read, up to most of the
 * machine's memory, in each process; what it reads again is in the system's cache.
 */
const MEMORY = '256MB';

let opened = 0;

/** Opens a version's database to answer from. What does not fit its memory goes to the system's temporary folder. */
export function openServed(path: string, memory = MEMORY): Promise<Database> {
  // A folder of its own, as the names of the files in it are the same in every process.
  const spillTo = join(tmpdir(), `oddslab-spill-${process.pid}-${opened++}`);
  return Database.open(path, { locked: true, threads: 1, memory, spillTo });
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

/** Queries of single markets are answered by {@link Store.groupDays}. */
const DAYS_WHERE: FilterMeanings<typeof PNL, Where> = {
  wallet: (wallets, where) => where.addWallets(wallets),
  start_time: (day, where) => where.add(day, (p) => `day >= ${p}`),
  end_time: (day, where) => where.add(day, (p) => `day <= ${p}`),
  condition_id: () => {},
  event_slug: () => {},
  category: () => {},
  by: () => {},
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
      const columns = 'wallet, day, invested, pnl, trades, wins, losses';
      return db.ask(`SELECT ${columns} FROM wallet_days ${where} ORDER BY wallet, day`, where.values, signal);
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
    ...standingRows(db),
    ...fillRows(db),
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
