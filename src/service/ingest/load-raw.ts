import type { Database } from '../store/database.js';
import { countWaiting } from './doubts.js';
import type { Records } from './format.js';
import { BEST_FIRST, keepLatestMarkets } from './latest-markets.js';
import { createRawTables, offerRaw, withdrawRaw } from './raw-tables.js';

/**
 * Fills the tables of raw records from an earlier version's and from staged ones. Events that lack a time or a token are
 * completed by the blocks and markets of all inputs, else kept aside in `pending`; of events with the same true id one
 * stays, of those in `pending` each that differs, as only their time tells which is to stay. What comes out does not
 * depend on which input came first.
 *
 * @param previous The earlier version's database, if there is one.
 * @param staged Parquet files by what they hold.
 * @returns What is doubtful about them, by reason.
 */
export async function loadRaw(
  db: Database,
  previous: string | undefined,
  staged: Readonly<Record<Records, readonly string[]>>,
): Promise<Record<string, number>> {
  await createRawTables(db);
  await offerRaw(db, previous, staged);
  for (const statement of RECORDS) await db.run(statement);
  const given = await keepLatestMarkets(db);
  for (const statement of EVENTS) await db.run(statement);
  await withdrawRaw(db, previous);
  const repeats = (await dropRepeats(db, 'events', 'id')) + (await dropRepeats(db, 'pending', 'id, pending::VARCHAR'));
  return { ...given, ...(repeats > 0 ? { [REPEATED]: repeats } : {}), ...(await countWaiting(db)) };
}

const REPEATED = 'event with the id of another one (dropped: one of them stays)';

const STATED = '(FROM old_events UNION ALL FROM old_pending UNION ALL FROM new_events)';
const COMPLETED = `
  FROM (FROM ${STATED} WHERE block IS NOT NULL OR number IS NOT NULL) p
    LEFT JOIN blocks b ON p.block = b.block LEFT JOIN market_numbers n ON p.number = n.number`;
const IS_WHOLE = '((p.block IS NULL OR b.ts IS NOT NULL) AND (p.number IS NULL OR n.number IS NOT NULL))';

const RECORDS = [
  // The very same record once: downloads of one market overlap.
  'INSERT INTO market_records FROM old_market_records UNION FROM new_markets',
  `INSERT INTO blocks SELECT block, min(ts) FROM (FROM old_blocks UNION ALL FROM new_blocks)
    GROUP BY block ORDER BY block`,
  // A side is the place of a token in the record that states the number.
  `CREATE TEMP TABLE market_numbers AS SELECT number, condition_id, token_a, token_b FROM market_records r
    WHERE number IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY number ORDER BY condition_id, ${BEST_FIRST}) = 1`,
];

const EVENTS = [
  `INSERT INTO events FROM ${STATED} WHERE block IS NULL AND number IS NULL`,
  // Also what was whole before: another input may correct what completed it.
  `INSERT INTO events SELECT p.* REPLACE (
      CASE WHEN p.block IS NULL THEN p.ts ELSE b.ts END AS ts,
      CASE WHEN p.number IS NULL THEN p.condition_id ELSE n.condition_id END AS condition_id,
      CASE WHEN p.number IS NULL THEN p.token WHEN p.side = 0 THEN n.token_a ELSE n.token_b END AS token)
    ${COMPLETED} WHERE ${IS_WHOLE}`,
  `INSERT INTO pending SELECT p.* ${COMPLETED} WHERE NOT ${IS_WHOLE}`,
];

/**
 * Leaves one of the rows with a true id that are the same by some columns: the least by block, then by content,
 * whichever came first.
 *
 * @param by The columns, the id among them.
 */
async function dropRepeats(db: Database, table: 'events' | 'pending', by: string): Promise<number> {
  await db.run(`CREATE OR REPLACE TEMP TABLE repeated AS
    SELECT id, count(*) - 1 AS n FROM ${table} WHERE id IS NOT NULL GROUP BY ${by} HAVING count(*) > 1`);
  const [row] = await db.rows<{ n: bigint }>('SELECT coalesce(sum(n), 0)::BIGINT AS n FROM repeated');
  if (row === undefined || row.n === 0n) return 0;
  await db.run(`
    CREATE OR REPLACE TEMP TABLE stays AS SELECT * FROM ${table} WHERE id IN (SELECT id FROM repeated)
      QUALIFY row_number() OVER (PARTITION BY ${by} ORDER BY block, ${table}::VARCHAR) = 1;
    DELETE FROM ${table} WHERE id IN (SELECT id FROM repeated);
    INSERT INTO ${table} SELECT * FROM stays;
    DROP TABLE stays; DROP TABLE repeated`);
  return Number(row.n);
}
