import type { DayRow, LedgerMarket } from '../ledger/event.js';
import { type EventChunk, foldLedger, whatOf } from '../ledger/fold.js';
import type { Database } from '../store/database.js';
import { NumberTable } from '../store/number-table.js';

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
} as const;

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
