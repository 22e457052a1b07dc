import type { Database } from '../store/database.js';
import { countWaiting } from './doubts.js';
import type { Records } from './format.js';
import { BEST_FIRST, keepLatestMarkets } from './latest-markets.js';
import { createRawTables, offerRaw, withdrawRaw } from './raw-tables.js';

/**
 * Fills the tables of raw records from those of an earlier version and from staged ones. The result does not depend on
 * the order of the inputs.
 *
 * Events that lack a time or a token get it from the blocks and markets of all inputs; those that cannot are kept aside
 * in `pending`. Of events with the same true id, one stays. In `pending`, all that differ stay: which of them is
 * kept is decided once they are completed.
 *
 * @param previous The earlier version's database, if there is one.
 * @param staged Parquet files by what they hold.
 * @param repeatsAtOnce How many rows to remove repeats from at a time: all at once would have to fit in memory.
 * @returns The number of doubts by reason.
 */
export async function loadRaw(
  db: Database,
  previous: string | undefined,
  staged: Readonly<Record<Records, readonly string[]>>,
  repeatsAtOnce = 1_000_000,
): Promise<Record<string, number>> {
  await createRawTables(db);
  await offerRaw(db, previous, staged);
  for (const statement of RECORDS) await db.run(statement);
  const given = await keepLatestMarkets(db);
  for (const statement of EVENTS) await db.run(statement);
  await withdrawRaw(db, previous);
  const dropped = await dropRepeats(db, { table: 'events', by: 'id', atOnce: repeatsAtOnce });
  const repeats = dropped + (await dropRepeats(db, { table: 'pending', by: 'id, content', atOnce: repeatsAtOnce }));
  return { ...given, ...(repeats > 0 ? { [DROPPED]: repeats } : {}), ...(await countWaiting(db)) };
}

/** The only doubt about rows that a version does not keep: it counts those of one ingest, not those of all before. */
export const DROPPED = 'event with the id of another one (dropped: one of them stays)';

const STATED = '(FROM old_events UNION ALL FROM old_pending UNION ALL FROM new_events)';
const NUMBERED = `(FROM ${STATED} WHERE number IS NOT NULL)`;
const TIMELESS = `(FROM ${STATED} WHERE block IS NOT NULL AND number IS NULL)`;

const RECORDS = [
  // Equal records are kept once: downloads of one market overlap.
  'INSERT INTO market_records FROM old_market_records UNION FROM new_markets',
  `INSERT INTO blocks SELECT block, min(ts) FROM (FROM old_blocks UNION ALL FROM new_blocks)
    GROUP BY block ORDER BY block`,
  // The side of an event is the position of its token in the record that states the market's number.
  `CREATE TEMP TABLE market_numbers AS SELECT number, condition_id, token_a, token_b FROM market_records r
    WHERE number IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY number ORDER BY condition_id, ${BEST_FIRST}) = 1`,
];

/**
 * Events are completed again even if they were before, since another input may correct them. Each kind has its own
 * join: in a common one, all events without the key would fall into one partition, which the engine cannot spill.
 */
const EVENTS = [
  `INSERT INTO events FROM ${STATED} WHERE block IS NULL AND number IS NULL`,
  `INSERT INTO events SELECT p.* REPLACE (b.ts AS ts) FROM ${TIMELESS} p JOIN blocks b ON p.block = b.block`,
  `INSERT INTO events SELECT p.* REPLACE (n.condition_id AS condition_id,
      CASE p.side WHEN 0 THEN n.token_a ELSE n.token_b END AS token)
    FROM ${NUMBERED} p JOIN market_numbers n ON p.number = n.number`,
  `INSERT INTO pending SELECT p.* FROM ${TIMELESS} p ANTI JOIN blocks b ON p.block = b.block`,
  `INSERT INTO pending SELECT p.* FROM ${NUMBERED} p ANTI JOIN market_numbers n ON p.number = n.number`,
];

/**
 * Removes rows that repeat the true id of another one (or its id and content), and returns their number. The row with
 * the lowest block stays, then the lowest content, whichever came first. Rows are removed from the end: when the engine
 * writes to disk it closes the gaps, so that rows behind them get other row ids.
 */
async function dropRepeats(
  db: Database,
  { table, by, atOnce }: { table: 'events' | 'pending'; by: 'id' | 'id, content'; atOnce: number },
): Promise<number> {
  await db.run(`
    CREATE TEMP TABLE shared AS SELECT id FROM ${table} WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1;
    CREATE TEMP TABLE repeats AS SELECT place FROM (
        SELECT rowid AS place, id, block, md5_number(${table}::VARCHAR) AS content FROM ${table} WHERE id IN (FROM shared))
      QUALIFY row_number() OVER (PARTITION BY ${by} ORDER BY block, content, place) > 1`);
  const parts = await db.rows<{ part: bigint; n: bigint }>(
    `SELECT place // ${atOnce} AS part, count(*) AS n FROM repeats GROUP BY part ORDER BY part DESC`,
  );
  for (const { part } of parts) {
    await db.run(`DELETE FROM ${table} WHERE rowid IN (SELECT place FROM repeats WHERE place // ${atOnce} = ${part})`);
  }
  await db.run('DROP TABLE repeats; DROP TABLE shared');
  return parts.reduce((sum, { n }) => sum + Number(n), 0);
}
