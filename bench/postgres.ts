import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quoteText } from '../src/base/duckdb.js';
import { Database } from '../src/service/store/database.js';
import { Unavailable } from './benchmark.js';
import type { MadeFolder } from './service-folder.js';

const BIN = '/usr/lib/postgresql/15/bin';
const run = promisify(execFile);

/** A temporary PostgreSQL cluster for this run. */
export interface Postgres {
  /** Folder of its socket. */
  socket: string;
  /** The postmaster, the parent of all its other processes. */
  pid: number;
  /** Whether the searched text has a trigram index. */
  hasTrigrams: boolean;
  end(): Promise<void>;
}

/**
 * Starts PostgreSQL 15 over the tables of a data folder, with the columns of the records and the indexes that the
 * benchmark's queries call for.
 *
 * @throws Unavailable If it is not installed, or may not be started here.
 */
export async function startPostgres({ database }: MadeFolder): Promise<Postgres> {
  if (!existsSync(join(BIN, 'initdb'))) throw new Unavailable('PostgreSQL 15 is not installed');
  if (process.getuid?.() !== 0) throw new Unavailable('only root may start it as the user postgres');
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-postgres-'));
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  await asPostgres(join(BIN, 'initdb'), [
    '-D',
    data,
    '-A',
    'trust',
    '-U',
    'postgres',
    '--locale=C.UTF-8',
    '-E',
    'UTF8',
  ]);
  const settings = [
    'listen_addresses=',
    'shared_buffers=1GB',
    'fsync=off',
    'max_wal_size=4GB',
    'work_mem=64MB',
    'maintenance_work_mem=512MB',
  ];
  const words = ['-D', data, '-k', folder, ...settings.flatMap((set) => ['-c', set])];
  const server = spawn(join(BIN, 'postgres'), words, { stdio: 'ignore', cwd: '/', ...owner() });
  server.unref();
  const end = async () => {
    server.ref();
    const over = once(server, 'exit');
    await asPostgres(join(BIN, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate']);
    await over;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(folder);
    await fill(database, folder);
    return { socket: folder, pid: Number(server.pid), hasTrigrams: await addTrigrams(folder), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The user that PostgreSQL runs as, since it refuses to run as root: the owner of its package's folder. */
function owner(): { uid: number; gid: number } {
  const { uid, gid } = statSync('/var/lib/postgresql');
  return { uid, gid };
}

function asPostgres(command: string, args: readonly string[]) {
  return run(command, args, { cwd: '/', ...owner() });
}

function psql(socket: string, sql: string) {
  return run(join(BIN, 'psql'), ['-h', socket, '-U', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1', '-c', sql]);
}

async function ready(socket: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answers = await run(join(BIN, 'pg_isready'), ['-h', socket]).catch(() => undefined);
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Unavailable('PostgreSQL did not start');
}

/** Decimals as in the records: numeric without trailing zeros. */
const decimal = (micros: string) => `trim_scale((${micros})::numeric / 1000000)`;

const iso = (
  millis: string,
) => `CASE WHEN ${millis} % 1000 = 0 THEN to_char(to_timestamp(${millis} / 1000), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  ELSE to_char(to_timestamp(${millis} / 1000.0), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END`;

/** For each table: the DuckDB query to read, the columns of the raw copy, and the statements that make the table. */
const TABLES = [
  {
    from: 'SELECT wallet, day, invested, pnl, trades, wins, losses FROM wallet_days',
    raw: 'wallet text, day int, invested bigint, pnl bigint, trades int, wins int, losses int',
    make: `CREATE TABLE wallet_days AS SELECT to_char(date '1970-01-01' + day, 'YYYY-MM-DD"T00:00:00Z"') AS date, wallet AS proxy_wallet,
        ${decimal('invested')} AS invested, ${decimal('pnl')} AS pnl, trades, wins, losses,
        CASE WHEN wins + losses = 0 THEN 0 ELSE trim_scale(round(100.0 * wins / (wins + losses), 6)) END AS win_rate, day FROM raw;
      ALTER TABLE wallet_days ADD PRIMARY KEY (proxy_wallet, day)`,
  },
  {
    from: 'SELECT wallet, trades, traded, invested, pnl, last_ts FROM lifetimes',
    raw: 'wallet text, trades int, traded bigint, invested bigint, pnl bigint, last_ts bigint',
    make: `CREATE TABLE lifetimes AS SELECT wallet AS proxy_wallet, trades AS total_trades,
        trim_scale(round(traded / 1000000.0 / nullif(trades, 0), 6)) AS avg_trade_size,
        trim_scale(round(pnl / 1000000.0 / nullif(trades, 0), 6)) AS avg_pnl_per_trade,
        ${decimal('invested')} AS total_invested, ${decimal('pnl')} AS total_pnl,
        trim_scale(round(100.0 * pnl / nullif(invested, 0), 6)) AS roi_pct,
        to_char(to_timestamp(last_ts), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS last_updated FROM raw;
      ALTER TABLE lifetimes ADD PRIMARY KEY (proxy_wallet)`,
  },
  {
    from: `SELECT condition_id, question, slug, event_slug, closed, volume, start_ms, end_ms, close_ms, token_a, token_b,
      outcome_a, outcome_b, winner, slug || ' ' || coalesce(event_slug, '') || ' ' || question FROM market_rows`,
    raw: `condition_id text, question text, slug text, event_slug text, closed boolean, volume bigint, start_ms bigint, end_ms bigint,
      close_ms bigint, token_a text, token_b text, outcome_a text, outcome_b text, winner int, searched text`,
    make: `CREATE TABLE markets AS SELECT condition_id, question, slug, event_slug, closed, volume / 1000000.0::float8 AS volume_total,
        ${iso('start_ms')} AS start_date, ${iso('end_ms')} AS end_date, ${iso('close_ms')} AS close_date,
        token_a AS side_a_token_id, token_b AS side_b_token_id, outcome_a AS side_a_outcome, outcome_b AS side_b_outcome,
        CASE winner WHEN 0 THEN outcome_a WHEN 1 THEN outcome_b END AS winning_outcome, volume, end_ms, searched FROM raw;
      ALTER TABLE markets ADD PRIMARY KEY (condition_id);
      CREATE INDEX ON markets (volume DESC, condition_id); CREATE INDEX ON markets (end_ms)`,
  },
];

/** Run one at a time: several statements in one call are a transaction, which does not allow VACUUM. */
const TRIGRAMS = ['CREATE INDEX ON markets USING gin (searched gin_trgm_ops)', 'VACUUM ANALYZE markets'];

/** Adds the trigram index. @returns False if the extension is not installed; any other failure is thrown. */
async function addTrigrams(socket: string): Promise<boolean> {
  const hasExtension = await psql(socket, 'CREATE EXTENSION pg_trgm').then(
    () => true,
    () => false,
  );
  for (const sql of hasExtension ? TRIGRAMS : []) await psql(socket, sql);
  return hasExtension;
}

async function fill(database: string, socket: string): Promise<void> {
  const db = await Database.open(':memory:');
  await db.run(`ATTACH ${quoteText(database)} AS made (READ_ONLY); USE made`);
  for (const [i, { from, raw, make }] of TABLES.entries()) {
    const file = join(socket, `${i}.csv`);
    await db.run(`COPY (${from}) TO ${quoteText(file)} (HEADER false)`);
    await chmod(file, 0o644);
    await psql(socket, `CREATE UNLOGGED TABLE raw (${raw})`);
    await psql(socket, `COPY raw FROM ${quoteText(file)} (FORMAT csv)`);
    await psql(socket, `SET TimeZone = 'UTC'; ${make}; DROP TABLE raw`);
    await rm(file);
  }
  db.close();
  await psql(socket, 'VACUUM ANALYZE');
}
