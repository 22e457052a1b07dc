import type { Database, SqlValue } from '../store/database.js';

/** A doubt about the data as a whole: about rows that look right within their own input. */
interface Doubt {
  /** SQL that gives the number of rows. */
  count: string;
  /** SQL for the rows, for examples. */
  rows: string;
}

const EVENT = 'wallet, condition_id, token, ts, tx';
const RESOLVED = 'wallet, stated_id AS condition_id, token, ts, tx';

function simple(columns: string, from: string): Doubt {
  return { count: `SELECT count(*) AS n FROM ${from}`, rows: `SELECT ${columns} FROM ${from}` };
}

/**
 * A hash that tells whether two events are equal without holding their texts in memory. The market counts only where
 * there is no token, which tells it: not all formats state both.
 */
const CONTENT = `md5_number(concat(kind, '|', wallet, '|', coalesce(token, condition_id), '|', ts, '|', shares, '|', usd, '|', tx))`;

/** The events without an id, and those that equal one of them: millions of events with ids need no comparing. */
const REPEATABLE = `events WHERE id IS NULL OR ${CONTENT} IN (SELECT ${CONTENT} FROM events WHERE id IS NULL)`;

const DOUBTS: Readonly<Record<string, Doubt>> = {
  'event left out: its token belongs to no known side of a market': simple(
    RESOLVED,
    'resolved WHERE kind <> 2 AND (market_id IS NULL OR side IS NULL)',
  ),
  'conversion left out: its token is no NO of an event whose markets exclude each other': simple(
    RESOLVED,
    'resolved WHERE kind = 2 AND side IS NULL',
  ),
  'event whose conditionId is not the one of its asset (the asset was taken)': simple(
    RESOLVED,
    'resolved WHERE stated_id <> market_id',
  ),
  'event of a market without a market record (settles only when redeemed)': simple(
    RESOLVED,
    'resolved r JOIN numbered n ON r.market_id = n.condition_id WHERE NOT n.known',
  ),
  'market closed without a clear winner (not settled)': simple(
    'NULL AS wallet, condition_id, NULL AS token, NULL AS ts, NULL AS tx',
    'markets WHERE closed AND winner IS NULL',
  ),
  'event equal to another one (kept: the format has no id to tell a repeat)': {
    // Those with ids differ from each other, but may be the same as those of a format without.
    count: `SELECT coalesce(sum(n), 0)::BIGINT AS n FROM (
      SELECT count(*) - greatest(count(id), 1) AS n FROM ${REPEATABLE} GROUP BY ${CONTENT} HAVING count(*) > 1)`,
    rows: `SELECT ${EVENT} FROM ${REPEATABLE}
      QUALIFY id IS NULL AND row_number() OVER (PARTITION BY ${CONTENT} ORDER BY id NULLS LAST) > 1`,
  },
};

/** Doubts about events that are kept aside until another input completes them. */
const WAITING: Readonly<Record<string, Doubt>> = {
  'fill kept aside: no input tells the time of its block (ingest the blocks, too)': simple(
    EVENT,
    'pending WHERE ts IS NULL AND NOT EXISTS (FROM blocks b WHERE b.block = pending.block)',
  ),
  'fill kept aside: no input has a market of its number (ingest the markets, too)': simple(
    EVENT,
    'pending WHERE number IS NOT NULL AND number NOT IN (SELECT m.number FROM market_numbers m)',
  ),
};

/** Counts the doubts about the events and markets that {@link resolveEvents} resolved, by reason. */
export function countDoubts(db: Database): Promise<Record<string, number>> {
  return count(db, DOUBTS);
}

/** Counts the events that still wait for another input, by reason. */
export function countWaiting(db: Database): Promise<Record<string, number>> {
  return count(db, WAITING);
}

async function count(db: Database, doubts: Readonly<Record<string, Doubt>>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [reason, doubt] of Object.entries(doubts)) {
    const [row] = await db.rows<{ n: bigint }>(doubt.count);
    if (row && row.n > 0n) counts[reason] = Number(row.n);
  }
  return counts;
}

/** A doubtful event or market; fields that it lacks are null. */
export interface DoubtfulEvent {
  reason: string;
  wallet: string | null;
  condition_id: string | null;
  token: string | null;
  /** Unix seconds. */
  time: number | null;
  transaction: string | null;
}

/**
 * The rows behind some doubts, sorted by their content.
 *
 * @param reasons The reasons to give rows for. Unknown ones have none.
 * @param each The most rows for each reason. Default all.
 */
export async function* doubtfulEvents(
  db: Database,
  reasons: readonly string[],
  each?: number,
): AsyncGenerator<DoubtfulEvent> {
  for (const reason of reasons) {
    const doubt = DOUBTS[reason] ?? WAITING[reason];
    if (!doubt) continue;
    const rows = `SELECT wallet, condition_id, token, ts::DOUBLE, tx FROM (${doubt.rows}) ORDER BY ALL`;
    for await (const columns of db.chunks(each === undefined ? rows : `${rows} LIMIT ${each}`)) {
      yield* eventsOf(reason, columns);
    }
  }
}

function* eventsOf(reason: string, [wallets, conditions, tokens, times, txs]: SqlValue[][]): Generator<DoubtfulEvent> {
  const text = (value: SqlValue | undefined) => (typeof value === 'string' ? value : null);
  for (const [i, wallet] of (wallets ?? []).entries()) {
    const time = times?.[i];
    yield {
      reason,
      wallet: text(wallet),
      condition_id: text(conditions?.[i]),
      token: text(tokens?.[i]),
      time: typeof time === 'number' ? time : null,
      transaction: text(txs?.[i]),
    };
  }
}
