import type { Database } from '../store/database.js';
import { countWaiting } from './doubts.js';
import type { Records } from './format.js';
import { keepLatestMarkets } from './latest-markets.js';
import { createRawTables, EVENT_NAMES, MARKET_NAMES, offerRaw, withdrawRaw } from './raw-tables.js';

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

const COMPLETED = `
  FROM (SELECT * FROM old_pending UNION ALL BY NAME
      SELECT * FROM new_events WHERE block IS NOT NULL OR number IS NOT NULL) p
    LEFT JOIN blocks b ON p.block = b.block LEFT JOIN market_numbers n ON p.number = n.number
    LEFT JOIN markets m ON n.condition_id = m.condition_id`;
const IS_WHOLE = '(coalesce(p.ts, b.ts) IS NOT NULL AND (p.number IS NULL OR n.number IS NOT NULL))';

const RECORDS = [
  // The very same record once: downloads of one market overlap.
  `INSERT INTO market_records SELECT * FROM old_market_records UNION SELECT ${MARKET_NAMES} FROM new_markets`,
  `INSERT INTO blocks SELECT block, min(ts) FROM (SELECT * FROM old_blocks UNION ALL SELECT * FROM new_blocks)
    GROUP BY block ORDER BY block`,
  `INSERT INTO market_numbers SELECT number, min(condition_id) FROM (SELECT * FROM old_market_numbers UNION ALL
      SELECT number, condition_id FROM new_markets WHERE number IS NOT NULL)
    GROUP BY number ORDER BY number`,
];

const EVENTS = [
  `INSERT INTO events SELECT * FROM old_events UNION ALL
    SELECT ${EVENT_NAMES} FROM new_events WHERE block IS NULL AND number IS NULL`,
  `INSERT INTO events SELECT p.kind, p.wallet, coalesce(p.condition_id, n.condition_id),
    coalesce(p.token, CASE p.side WHEN 0 THEN m.token_a ELSE m.token_b END), coalesce(p.ts, b.ts), p.shares, p.usd,
    p.tx, p.id ${COMPLETED} WHERE ${IS_WHOLE}`,
  `INSERT INTO pending SELECT p.* ${COMPLETED} WHERE NOT ${IS_WHOLE}`,
];

/**
 * Leaves one of the rows with a true id that are the same by some columns: the least by content, whichever came first.
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
      QUALIFY row_number() OVER (PARTITION BY ${by} ORDER BY ${table}::VARCHAR) = 1;
    DELETE FROM ${table} WHERE id IN (SELECT id FROM repeated);
    INSERT INTO ${table} SELECT * FROM stays;
    DROP TABLE stays; DROP TABLE repeated`);
  return Number(row.n);
}
