import { type EventChunk, whatOf } from '../ledger/fold.js';
import type { Database } from '../store/database.js';

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
export async function* sortedEvents(db: Database, table: string): AsyncGenerator<EventChunk> {
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
