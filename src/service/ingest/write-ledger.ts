import { type DayRow, type LedgerMarket, NO_TX } from '../ledger/event.js';
import { type EventChunk, foldLedger, whatOf } from '../ledger/fold.js';
import type { Database } from '../store/database.js';
import { NumberTable } from '../store/number-table.js';
import { countDoubts, DOUBTS } from './doubts.js';
import { thousandth } from './sql-text.js';

/** One row a wallet, market and day, each given by its number; money in micro-USD. */
const COLUMNS = {
  wallet: 'INTEGER',
  market: 'INTEGER',
  day: 'INTEGER',
  invested: 'DOUBLE',
  pnl: 'DOUBLE',
  traded: 'DOUBLE',
  trades: 'INTEGER',
  wins: 'INTEGER',
  losses: 'INTEGER',
  untracked: 'DOUBLE',
  last: 'DOUBLE',
} as const satisfies Record<'wallet' | keyof DayRow, string>;

/**
 * Folds a table of events into a Parquet file of rows by wallet, market and day. Rows come in the order of wallets.
 *
 * @param events The name of a table for {@link sortedEvents}.
 * @returns The number of events that were folded.
 * @throws An error of the system if the file cannot be written.
 */
export async function writeLedger(
  db: Database,
  events: string,
  markets: readonly LedgerMarket[],
  parquet: string,
): Promise<number> {
  const table = await NumberTable.create(parquet, COLUMNS);
  async function* paced() {
    for await (const chunk of sortedEvents(db, events)) {
      await table.hasRoom();
      yield chunk;
    }
  }
  try {
    const folded = await foldLedger(paced(), markets, (wallet, rows) => {
      for (const row of rows) put(table, wallet, row);
    });
    await table.finish();
    return folded;
  } finally {
    await table.close();
  }
}

function put(table: NumberTable<typeof COLUMNS>, wallet: number, row: DayRow): void {
  const at = table.next();
  const { columns } = table;
  columns.wallet[at] = wallet;
  columns.market[at] = row.market;
  columns.day[at] = row.day;
  columns.invested[at] = row.invested;
  columns.pnl[at] = row.pnl;
  columns.traded[at] = row.traded;
  columns.trades[at] = row.trades;
  columns.wins[at] = row.wins;
  columns.losses[at] = row.losses;
  columns.untracked[at] = row.untracked;
  columns.last[at] = row.last;
}

/** Events that are sorted at a time: few enough to fit the engine's memory twice. */
const PART_EVENTS = 1_000_000;

/** The most parts: each one reads the whole column of wallets, which would take noticeable time with more. */
const MOST_PARTS = 64;

/** The number of ranges of wallets whose events are counted together. */
const RANGES = 10_000;

/**
 * The events of a table in the order in which the ledger folds them: by wallet, part by part. While one part is folded
 * here, the engine's threads sort the next.
 *
 * @param table A table with wallet, grp, market, side, kind and tx as INTEGER, and ts, shares and usd as DOUBLE, none
 *   of them null. It must not be temporary.
 */
async function* sortedEvents(db: Database, table: string): AsyncGenerator<EventChunk> {
  const parts = await partsOf(db, table);
  const begin = ({ from, to }: Part) => {
    const begun = db.numbers(
      `SELECT wallet, grp, ${whatOf('market', 'side', 'kind')} AS what, ts, shares, usd, tx FROM ${table}
      WHERE wallet >= ${from} AND wallet < ${to} ORDER BY wallet, grp, ts`,
    );
    // It is awaited only after the previous part; until then a failure must not crash the process.
    begun.catch(() => {});
    return begun;
  };
  let next = parts[0] && begin(parts[0]);
  for (let at = 1; next; at++) {
    const chunks = await next;
    const part = parts[at];
    next = part && begin(part);
    yield* chunks as unknown as AsyncGenerator<EventChunk>;
  }
}

/** Wallets whose events are sorted together. */
interface Part {
  from: number;
  to: number;
  events: number;
}

/** Splits the wallets into parts of about the same number of events; a range with more events is a part of its own. */
async function partsOf(db: Database, table: string): Promise<Part[]> {
  const counts = await db.rows<{ from: number; to: number; events: number }>(`
    SELECT min(wallet) AS "from", max(wallet) + 1 AS "to", count(*)::DOUBLE AS events
    FROM ${table} GROUP BY wallet // greatest(1, (SELECT max(wallet) FROM ${table}) // ${RANGES}) ORDER BY 1`);
  const all = counts.reduce((sum, { events }) => sum + events, 0);
  const size = Math.max(PART_EVENTS, all / MOST_PARTS);
  const parts: Part[] = [];
  for (const { from, to, events } of counts) {
    const last = parts.at(-1);
    if (last && last.events + events <= size) [last.to, last.events] = [to, last.events + events];
    else parts.push({ from, to, events });
  }
  return parts;
}

/**
 * Numbers wallets and markets and finds the market and side of each event. It makes the view `ledger_events`, which the
 * fold reads, and the table `numbered` of markets.
 *
 * @returns The number of doubts by reason. Events without a side are left out of the ledger.
 */
export async function resolveEvents(db: Database): Promise<Record<string, number>> {
  await db.run(TOKEN_SIDES);
  await db.run(RESOLVED_EVENTS);
  await db.run(NUMBERS);
  return countDoubts(db, DOUBTS);
}

/**
 * The market and side of each token. Those of known markets come from their records. Sides of unknown markets are
 * numbered in token order, since the ledger treats both alike. Windows find the first row of a token, because GROUP BY
 * would hold texts that the engine cannot spill to disk.
 */
const TOKEN_SIDES = `
  CREATE OR REPLACE TEMP TABLE sides AS
    SELECT token, condition_id, side FROM (
      SELECT token_a AS token, condition_id, 0 AS side FROM markets
      UNION ALL SELECT token_b, condition_id, 1 FROM markets)
    QUALIFY row_number() OVER (PARTITION BY token ORDER BY condition_id, side) = 1;
  INSERT INTO sides
    SELECT token, condition_id, row_number() OVER (PARTITION BY condition_id ORDER BY token) - 1 FROM (
      FROM (SELECT DISTINCT token, condition_id FROM events
        WHERE token IS NOT NULL AND condition_id IS NOT NULL
          AND condition_id NOT IN (SELECT condition_id FROM markets)
          AND token NOT IN (SELECT token FROM sides))
      QUALIFY row_number() OVER (PARTITION BY token ORDER BY condition_id) = 1)
    QUALIFY row_number() OVER (PARTITION BY condition_id ORDER BY token) <= 2`;

/** Income has no market. A filter of it here would let the engine guess few events, and hold them all in memory. */
const RESOLVED_EVENTS = `
  CREATE OR REPLACE TEMP VIEW resolved AS
    SELECT e.* EXCLUDE (condition_id, block, number, side, fee),
      CASE WHEN e.token IS NULL THEN e.condition_id ELSE s.condition_id END AS market_id,
      e.condition_id AS stated_id,
      CASE
        WHEN e.token IS NULL OR e.kind IN (0, 4, 6) THEN -1
        WHEN e.kind = 2 AND NOT (s.side = 1 AND s.condition_id IN (
          SELECT condition_id FROM markets WHERE neg_risk_id IS NOT NULL)) THEN NULL
        ELSE s.side
      END AS side
    FROM events e LEFT JOIN sides s ON e.token = s.token`;

/**
 * Numbers for wallets, conversions and markets. A conversion concerns every market of its group: where no NO shares
 * leave, YES shares arrive. A decided market without a close time closes at the last event that concerns it.
 */
const NUMBERS = `
  CREATE OR REPLACE TEMP TABLE wallets AS
    SELECT wallet, (row_number() OVER (ORDER BY wallet) - 1)::INTEGER AS id FROM (SELECT DISTINCT wallet FROM events);
  CREATE OR REPLACE TEMP TABLE conversions AS
    SELECT tx, (row_number() OVER (ORDER BY tx) - 1)::INTEGER AS id
    FROM (SELECT DISTINCT tx FROM events WHERE kind = 2 AND tx IS NOT NULL);
  CREATE OR REPLACE TEMP TABLE numbered AS
    WITH seen AS (SELECT market_id AS condition_id, max(ts) AS last FROM resolved WHERE market_id IS NOT NULL GROUP BY 1),
    converted AS (
      SELECT m.neg_risk_id, max(r.ts) AS last FROM resolved r JOIN markets m ON r.market_id = m.condition_id
      WHERE r.kind = 2 AND r.side IS NOT NULL GROUP BY 1),
    every AS (
      SELECT coalesce(m.condition_id, s.condition_id) AS condition_id, coalesce(m.neg_risk_id, m.condition_id, s.condition_id) AS grp,
        m.winner, CASE WHEN m.winner IS NOT NULL
          THEN coalesce(${thousandth('m.close_ms')}, greatest(s.last, c.last)) END AS close_ts,
        m.condition_id IS NOT NULL AS known
      FROM markets m FULL JOIN seen s ON m.condition_id = s.condition_id
        LEFT JOIN converted c ON m.neg_risk_id = c.neg_risk_id)
    SELECT (row_number() OVER (ORDER BY condition_id) - 1)::INTEGER AS id,
      (dense_rank() OVER (ORDER BY grp) - 1)::INTEGER AS grp, condition_id, winner::INTEGER AS winner,
      close_ts::DOUBLE AS close_ts, known
    FROM every ORDER BY id;
  CREATE OR REPLACE TEMP VIEW ledger_events AS
    SELECT w.id AS wallet, n.grp, n.id AS market, r.side::INTEGER AS side, r.kind::INTEGER AS kind,
      r.ts::DOUBLE AS ts, coalesce(r.shares, 0)::DOUBLE AS shares, coalesce(r.usd, 0)::DOUBLE AS usd,
      coalesce(c.id, ${NO_TX})::INTEGER AS tx
    FROM resolved r JOIN wallets w ON r.wallet = w.wallet JOIN numbered n ON r.market_id = n.condition_id
      LEFT JOIN conversions c ON r.kind = 2 AND r.tx = c.tx
    WHERE r.side IS NOT NULL`;
