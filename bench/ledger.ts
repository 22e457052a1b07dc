import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoteText } from '../src/base/duckdb.js';
import { writeLedger } from '../src/service/ingest/write-ledger.js';
import { type LedgerMarket, NO_TX } from '../src/service/ledger/event.js';
import { Database } from '../src/service/store/database.js';
import type { Benchmark, Contender } from './benchmark.js';
import { inChild } from './in-child.js';
import { fillEvents, windowTable } from './ledger-postgres.js';
import { recursiveLedger, windowLedger } from './ledger-sql.js';
import { postgres } from './service-stage.js';

/** Fills to fold; the goal is stated for 10,000,000. */
const FILLS = Number(process.env.ODDSLAB_BENCH_FILLS ?? 2_000_000);

/** Fills of each position: buys and sells in turn, so that none sells what it does not hold. */
const FILLS_A_POSITION = 8;

const MARKETS = 5000;

/** When every market closes, in seconds since 1970, after all fills; the first outcome wins. */
const CLOSE = 1_760_000_000;

/** Makes `ledger_events` by formula in an in-memory database, in an order other than the ledger's. */
async function madeEvents(fills: number): Promise<Database> {
  const db = await Database.open(':memory:');
  await db.run(`
    CREATE TABLE ledger_events AS
      SELECT (p // 50)::INTEGER AS wallet, market AS grp, market, (p % 2)::INTEGER AS side,
        CASE WHEN k % 2 = 0 THEN 1 ELSE 3 END AS kind, (1700000000 + k * 5000000 + h % 4000000)::DOUBLE AS ts,
        (CASE WHEN k % 2 = 0 THEN 2000000 + h % 900000000 ELSE 1 + h % 1000000 END)::DOUBLE AS shares,
        (1 + h % 900000)::DOUBLE AS usd, ${NO_TX} AS tx
      FROM (SELECT i // ${FILLS_A_POSITION} AS p, i % ${FILLS_A_POSITION} AS k, (hash(i) >> 1)::BIGINT AS h,
          ((p * 7919 + p // 50) % ${MARKETS})::INTEGER AS market FROM range(${fills}) t(i))
      ORDER BY h`);
  return db;
}

/** The sums of a ledger, which must be the same for all contenders. */
interface LedgerSums {
  trades: number;
  invested: number;
  pnl: number;
}

const NOTHING: LedgerSums = { trades: 0, invested: 0, pnl: 0 };

const SUMS = 'SELECT sum(trades)::FLOAT8 AS trades, sum(invested)::FLOAT8 AS invested, sum(pnl)::FLOAT8 AS pnl';

/** Writes a ledger to a Parquet file in a folder of its own, and sums it. */
async function sumsOf(db: Database, write: (parquet: string) => Promise<unknown>): Promise<LedgerSums> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
  try {
    const ledger = join(folder, 'ledger.parquet');
    await write(ledger);
    const [sums] = await db.rows<LedgerSums>(`${SUMS} FROM read_parquet(${quoteText(ledger)})`);
    return sums ?? NOTHING;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function foldOurs(db: Database): Promise<LedgerSums> {
  const markets: LedgerMarket[] = Array.from({ length: MARKETS }, (_, market) => ({
    closeTime: CLOSE,
    winner: 0,
    siblings: [market],
  }));
  return sumsOf(db, (parquet) =>
    writeLedger(db, 'ledger_events', markets, { days: parquet, positions: `${parquet}.positions` }),
  );
}

/**
 * Folds the events with SQL. It does less than the ledger: it clips no sale beyond what is held, pays nothing between
 * fills, knows no split, merge, conversion or redemption, and gives neither traded dollars, untracked shares nor the
 * last time. Like the ledger, it writes an uncompressed file.
 */
function foldSql(db: Database, ledger: (close: number) => string): Promise<LedgerSums> {
  return sumsOf(db, (parquet) =>
    db.run(`COPY (${ledger(CLOSE)}) TO ${quoteText(parquet)} (FORMAT parquet, COMPRESSION uncompressed)`),
  );
}

/** Ways to fold the same events into rows by wallet, market and day. */
export const FOLDS = {
  ours: foldOurs,
  windows: (db: Database) => foldSql(db, windowLedger),
  recursive: (db: Database) => foldSql(db, recursiveLedger),
} as const;

let events: Promise<Database> | undefined;
let expected: LedgerSums | undefined;

/** A contender that measures fills per second. Throws if the sums differ from those of the others. */
function folding(name: string, fold: keyof typeof FOLDS): Contender {
  return {
    name,
    async prepare() {
      events ??= madeEvents(FILLS);
      const db = await events;
      return {
        async measure() {
          const start = performance.now();
          const sums = await FOLDS[fold](db);
          const seconds = (performance.now() - start) / 1000;
          expected ??= sums;
          checkSame(name, sums, expected);
          return FILLS / seconds;
        },
      };
    },
  };
}

const POSTGRES = 'PostgreSQL 15, SQL windows in doubles';

/** Fills per second in PostgreSQL, which writes the ledger to a table. */
const foldingInPostgres: Contender = {
  name: POSTGRES,
  async prepare() {
    events ??= madeEvents(FILLS);
    const client = await fillEvents(await events, await postgres());
    return {
      async measure() {
        const start = performance.now();
        await client.query(windowTable(CLOSE));
        const { rows } = await client.query<LedgerSums>(`${SUMS} FROM ledger_rows`);
        const seconds = (performance.now() - start) / 1000;
        await client.query('DROP TABLE ledger_rows');
        const [sums = NOTHING] = rows;
        expected ??= sums;
        checkSame(POSTGRES, sums, expected);
        return FILLS / seconds;
      },
      end: () => client.end(),
    };
  },
};

/** Checks sums. SQL does not round average costs, so it may differ from the ledger by a micro-dollar per fill. */
function checkSame(name: string, found: LedgerSums, { trades, invested, pnl }: LedgerSums): void {
  const isSame = found.trades === trades && found.invested === invested && Math.abs(found.pnl - pnl) <= FILLS;
  if (!isSame)
    throw new Error(`${name} came to ${JSON.stringify(found)}, not ${JSON.stringify({ trades, invested, pnl })}`);
}

/** A contender that measures the peak memory of a process that makes the events and folds them, in MB. */
function peak(name: string, fold: keyof typeof FOLDS): Contender {
  return { ...inChild(name, 'ledger-peak.ts', fold, String(FILLS)), slow: true };
}

/** Makes the events and folds them once; runs in a child process. */
export async function foldOnce(fold: keyof typeof FOLDS, fills: number): Promise<void> {
  const db = await madeEvents(fills);
  await FOLDS[fold](db);
  db.close();
}

const OURS = 'the ledger: DuckDB sorts, Node folds in integers';
const WINDOWS = 'DuckDB 1.5, SQL windows in doubles';
const bench = `${FILLS} fills folded into rows by wallet, market and day`;

export const ledgerBenchmarks: Benchmark[] = [
  {
    area: 'service',
    bench,
    metric: 'fills/s',
    better: 'more',
    rounds: 3,
    ours: folding(OURS, 'ours'),
    peers: [
      { target: 6, contender: folding(WINDOWS, 'windows') },
      { target: 6, contender: foldingInPostgres },
      { target: 6, contender: folding('DuckDB 1.5, a recursive CTE in doubles', 'recursive') },
    ],
  },
  {
    area: 'service',
    bench,
    metric: 'MB, most RSS, the events in memory included',
    better: 'less',
    rounds: 1,
    ours: peak(OURS, 'ours'),
    peers: [{ target: 1, contender: peak(WINDOWS, 'windows') }],
  },
];
