import { dirname, join } from 'node:path';
import { decimalOf } from '../../base/decimal.js';
import { DataError, InputError } from '../../base/errors.js';
import { SCHEMA } from '../folder/sealed-version.js';
import type { InputReport, Version, VersionManifest } from '../folder/version.js';
import type { LedgerMarket, Winner } from '../ledger/event.js';
import { Database, type DatabaseOptions, type SqlValue } from '../store/database.js';
import { writeMarketFiles } from '../store/write-market-files.js';
import { writeWalletFiles } from '../store/write-wallet-files.js';
import { countDoubts, type DoubtReport, doubtfulEvents, FOLDED } from './doubts.js';
import { type InputOrigin, originName } from './fetch-origins.js';
import type { FetchStatus } from './fetch-status.js';
import { writeFills } from './fill-tables.js';
import { LEADERBOARD } from './leaderboard-table.js';
import { loadRaw } from './load-raw.js';
import { lastPrices, POSITION_TABLES } from './position-tables.js';
import type { ReadInputs } from './read-inputs.js';
import { parquetRows, pathLiteral } from './sql-text.js';
import { WALLET_RECORDS } from './wallet-records.js';
import { type LedgerFiles, resolveEvents, writeLedger } from './write-ledger.js';

/** Options for building a version. */
interface BuildOptions {
  /** The version to build on, if there is one. */
  previous: Version | undefined;
  read: ReadInputs;
  /** What folders of `oddslab fetch` among the inputs say of themselves. */
  fetches: readonly FetchStatus[];
  /** A folder for files that are needed only while building. */
  scratch: string;
  engine: DatabaseOptions;
  doubts: DoubtReport;
  signal: AbortSignal | undefined;
}

/** Builds the database of a version in its draft folder, from the previous version and the inputs that were read. */
export async function buildVersion(
  draft: string,
  { previous, read, fetches, scratch, engine, doubts, signal }: BuildOptions,
): Promise<VersionManifest> {
  const db = await Database.open(join(draft, 'lab.duckdb'), engine);
  try {
    const { staged, downloads, origins } = read;
    const loading = loadRaw(db, previous?.database, staged, { downloads, origins, fetches });
    const { doubtful, merged, replaced } = await loading;
    signal?.throwIfAborted();
    const built = await buildResults(db, scratch);
    signal?.throwIfAborted();
    const all = { ...doubtful, ...built.doubtful };
    const wanted = Object.keys(all).filter((reason) => doubts.wants(reason));
    await doubts.add(doubtfulEvents(db, wanted, doubts.each));
    // Everything goes into one file, which is then immutable: every reader would replay a log beside it.
    await db.run('CHECKPOINT');
    const inputs = [...heldAfter(previous?.manifest.inputs ?? [], read, replaced), ...read.reports];
    return {
      schema: SCHEMA,
      created: new Date().toISOString(),
      inputs,
      ...built,
      doubtful: all,
      ...(Object.keys(merged).length > 0 ? { merged } : {}),
    };
  } finally {
    db.close();
  }
}

/** The reports of earlier inputs, of which a fetch may have replaced some, and others are read again after all. */
function heldAfter(held: readonly InputReport[], read: ReadInputs, replaced: readonly InputOrigin[]): InputReport[] {
  const started = new Map(replaced.map((origin) => [originName(origin), origin.status.started]));
  const renewed = new Set(read.reports.map(({ sha256 }) => sha256));
  return held.flatMap((report) => {
    if (report.replaced !== undefined) return renewed.has(report.sha256) ? [] : [report];
    const by = read.again.includes(report.sha256) ? undefined : started.get(report.origin ?? '');
    return [by === undefined ? report : { ...report, replaced: by }];
  });
}

/** What a build gave: the sizes of its tables, and the number of doubts by reason. */
interface Built {
  totals: Record<string, number>;
  doubtful: Record<string, number>;
  /** The wallets with the most fills, at most 20, for examples. */
  busiest: string[];
  /** Wallets that were fetched, the last one first, at most 20. */
  fetched?: string[];
}

/**
 * Builds the tables that the service answers from: `market_rows`, `wallet_market_days`, `wallet_days`, `lifetimes`,
 * `positions`, `market_sides`, `leaderboard`, `wallet_records` and the tables of fills, each in the order in which it is
 * served. They are made of all markets and events in the database. Beside the database it writes the files that answer
 * most queries faster.
 *
 * @param scratch A folder for files that are needed only while building.
 * @throws {DataError} If the ledger did not see every event.
 * @throws {InputError} If a wallet's amounts in a market are too large to be counted exactly.
 */
export async function buildResults(db: Database, scratch: string): Promise<Built> {
  const doubtful = await resolveEvents(db);
  // Events have a file of their own: the served file would never shrink, and a temporary table has one connection only.
  await db.run(`ATTACH ${pathLiteral(join(scratch, 'events.duckdb'))} AS scratch;
    CREATE TABLE scratch.events AS FROM ledger_events`);
  const files = { days: join(scratch, 'ledger.parquet'), positions: join(scratch, 'positions.parquet') };
  await foldAll(db, files);
  await writeFills(db, 'scratch.events');
  await db.run(lastPrices('scratch.events'));
  await db.run(`DETACH scratch; CREATE OR REPLACE TEMP VIEW ledger AS FROM ${parquetRows(files.days)};
    CREATE OR REPLACE TEMP VIEW held AS FROM ${parquetRows(files.positions)}`);
  await refuseInexact(db);
  await db.run(RESULTS);
  await db.run(LEADERBOARD);
  await db.run(POSITION_TABLES);
  await db.run('DROP TABLE day_sums; DROP TABLE last_prices');
  await db.run(WALLET_RECORDS);
  Object.assign(doubtful, await countDoubts(db, FOLDED));
  await writeWalletFiles(db, dirname(db.path));
  await writeMarketFiles(db, dirname(db.path));
  const busiest = await db.rows<{ wallet: string }>(
    'SELECT wallet FROM lifetimes ORDER BY trades DESC, wallet LIMIT 20',
  );
  const fetched = await db.rows<{ wallet: string }>(
    `SELECT target AS wallet FROM fetches WHERE kind = 'wallet' AND target IN (SELECT wallet FROM lifetimes)
      ORDER BY started_ms DESC, target LIMIT 20`,
  );
  const [totals] = await db.rows<Record<string, bigint | number>>(TOTALS);
  const counts = Object.entries(totals ?? {}).map(([name, n]) => [name, Number(n)] as const);
  return {
    totals: Object.fromEntries(counts.filter(([name, n]) => name !== 'income_only_wallets' || n > 0)),
    doubtful,
    busiest: busiest.map(({ wallet }) => wallet),
    ...(fetched.length > 0 ? { fetched: fetched.map(({ wallet }) => wallet) } : {}),
  };
}

async function foldAll(db: Database, files: LedgerFiles): Promise<void> {
  const folded = await writeLedger(db, 'scratch.events', await loadMarkets(db), files);
  const [events] = await db.rows<{ n: bigint }>('SELECT count(*) AS n FROM scratch.events');
  if (events?.n === BigInt(folded)) return;
  throw new DataError(`The ledger saw ${folded} of ${events?.n} events: nothing was changed. Run the ingest again.`);
}

/** Refuses a wallet and market whose amounts are beyond the integers that doubles hold exactly, or are NaN. */
async function refuseInexact(db: Database): Promise<void> {
  const [found] = await db.rows<{ wallet: string; market: string }>(`
    SELECT w.wallet, n.condition_id AS market
    FROM (
      SELECT wallet, market FROM ledger
      WHERE NOT greatest(invested, abs(pnl), traded, untracked, over_redeemed, short_paid) <= ${Number.MAX_SAFE_INTEGER}
      UNION ALL SELECT wallet, market FROM held
      WHERE NOT greatest(shares, abs(cost), abs(realized), invested) <= ${Number.MAX_SAFE_INTEGER}) l
      JOIN wallets w ON l.wallet = w.id JOIN numbered n ON l.market = n.id
    ORDER BY ALL LIMIT 1`);
  if (!found) return;
  const most = decimalOf(BigInt(Number.MAX_SAFE_INTEGER));
  throw new InputError(
    `The events of wallet ${found.wallet} in market ${found.market} come to more than ${most} dollars or shares, which ` +
      'is more than can be counted exactly: nothing was changed. Mend their amounts in the inputs, or leave them out.',
  );
}

/** Loads the markets. Those that exclude each other share one list of siblings; most have none. */
async function loadMarkets(db: Database): Promise<LedgerMarket[]> {
  const markets: LedgerMarket[] = [];
  const groups = new Map<SqlValue, number[]>();
  const successors = new Map<SqlValue, number>();
  for (const { id, successor } of await db.rows<{ id: number; successor: number }>('FROM successors')) {
    successors.set(id, successor);
  }
  const rows = db.each<{ grp: bigint | number | null; winner: Winner | null; close_ts: number | null }>(`
    SELECT CASE WHEN count(*) OVER (PARTITION BY grp, later) > 1 THEN 2 * grp + later::INTEGER END AS grp, winner, close_ts
    FROM numbered ORDER BY id`);
  for await (const { grp, winner, close_ts } of rows) {
    const siblings = grp === null ? ALONE : joined(groups, grp, markets.length);
    const successor = successors.get(markets.length);
    markets.push({ closeTime: close_ts ?? undefined, winner: winner ?? undefined, siblings, successor });
  }
  return markets;
}

const ALONE: readonly number[] = [];

function joined(groups: Map<SqlValue, number[]>, grp: SqlValue, market: number): readonly number[] {
  const group = groups.get(grp) ?? [];
  if (group.push(market) === 1) groups.set(grp, group);
  return group;
}

const SUMS = `
  sum(invested)::BIGINT AS invested, sum(pnl)::BIGINT AS pnl, sum(traded)::BIGINT AS traded,
  sum(trades)::INTEGER AS trades, sum(wins)::INTEGER AS wins, sum(losses)::INTEGER AS losses`;

/** The ledger with its amounts as integers, so that sums are exact. */
const EXACT = `(
  SELECT * REPLACE (invested::BIGINT AS invested, pnl::BIGINT AS pnl, traded::BIGINT AS traded,
    untracked::BIGINT AS untracked) FROM ledger)`;

/** 2^63: packs two 63-bit numbers into one of 128 bits. */
const HALF = '9223372036854775808::HUGEINT';

/**
 * The volume of markets that state none, from their fills. To count only one side of a trade, fills of a transaction
 * are added up by wallet, outcome and direction, and the dollars of the sum with the most shares count, which is the
 * taker's. Where the taker is not known, all wallets of one outcome and direction have more shares than any alone: then
 * theirs count. Rows are grouped by numbers, since texts would take several times the memory.
 */
const FILL_VOLUME = `
  WITH fills AS (
    SELECT n.id AS market, w.id AS wallet, r.kind, r.side, md5_number(r.tx) AS trade, r.shares, r.usd
    FROM resolved r JOIN numbered n ON r.market_id = n.condition_id JOIN wallets w ON r.wallet = w.wallet
    WHERE r.kind IN (1, 3) AND n.condition_id IN (SELECT condition_id FROM markets WHERE volume IS NULL)),
  trades AS (
    SELECT market, (CASE WHEN max(one) // ${HALF} < max(rank) // ${HALF} THEN max(rank) ELSE max(one) END % ${HALF})::BIGINT AS usd
    FROM (
      SELECT market, trade, max(shares * ${HALF} + usd) AS one, sum(shares)::HUGEINT * ${HALF} + sum(usd)::HUGEINT AS rank
      FROM (
        SELECT market, trade, kind, side, sum(shares)::HUGEINT AS shares, sum(usd)::HUGEINT AS usd FROM fills
        WHERE trade IS NOT NULL GROUP BY market, trade, wallet, kind, side)
      GROUP BY market, trade, kind, side)
    GROUP BY market, trade)
  SELECT n.condition_id AS market_id, sum(usd) AS volume
  FROM (FROM trades UNION ALL SELECT market, usd FROM fills WHERE trade IS NULL) t JOIN numbered n ON t.market = n.id
  GROUP BY n.condition_id`;

const RESULTS = `
  CREATE OR REPLACE TEMP TABLE day_sums AS SELECT wallet, day, ${SUMS} FROM ${EXACT} GROUP BY ALL;
  CREATE TABLE wallet_market_days AS
    SELECT w.wallet, n.condition_id, l.day, l.invested::BIGINT AS invested, l.pnl::BIGINT AS pnl,
      l.traded::BIGINT AS traded, l.trades, l.wins, l.losses
    FROM ledger l JOIN wallets w ON l.wallet = w.id JOIN numbered n ON l.market = n.id
    ORDER BY l.wallet, l.market, l.day;
  CREATE TABLE wallet_days AS
    SELECT w.wallet, l.* EXCLUDE (wallet) FROM day_sums l JOIN wallets w ON l.wallet = w.id ORDER BY l.wallet, l.day;
  CREATE TABLE lifetimes AS
    SELECT w.wallet, l.* EXCLUDE (wallet) FROM (
        SELECT wallet, ${SUMS}, sum(untracked)::BIGINT AS untracked, max(last)::BIGINT AS last_ts FROM ${EXACT}
        GROUP BY wallet) l
      JOIN wallets w ON l.wallet = w.id ORDER BY l.wallet;
  CREATE TABLE market_rows AS
    SELECT m.* EXCLUDE (volume, neg_risk_id, updated_ms, number, category, fee_rate, fee_exponent, fee_taker_only, end_close, ingest),
      coalesce(m.volume, v.volume, 0)::BIGINT AS volume,
      lower(concat_ws(chr(0), m.slug, m.event_slug, m.question)) AS searched
    FROM markets m LEFT JOIN (${FILL_VOLUME}) v ON m.condition_id = v.market_id
    ORDER BY coalesce(m.volume, v.volume, 0) DESC, m.condition_id;`;

const TOTALS = `
  SELECT (SELECT count(*) FROM market_rows) AS markets, (SELECT count(*) FROM events) AS events,
    (SELECT count(*) FROM lifetimes) AS wallets,
    (SELECT count(*) FROM wallet_records WHERE income_only) AS income_only_wallets, (SELECT count(*) FROM wallet_days) AS wallet_days,
    (SELECT coalesce(sum(untracked), 0) / 1000000 FROM lifetimes) AS untracked_shares`;
