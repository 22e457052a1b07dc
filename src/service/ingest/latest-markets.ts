import type { Database } from '../store/database.js';
import { MARKET_NAMES } from './raw-tables.js';

/** What a record may leave open and another one of the same market tell. */
const FILLED = new Set(['event_slug', 'volume', 'start_ms', 'end_ms', 'close_ms', 'winner', 'neg_risk_id']);

/**
 * Makes the table of markets from all their records, one each: one that says closed rather than open, of those the one
 * updated last, of equally old ones the greater. What it leaves open is taken from the others, the best first.
 *
 * @returns The records that were given up, by reason.
 */
export async function keepLatestMarkets(db: Database): Promise<Record<string, number>> {
  const columns = MARKET_NAMES.split(', ').map((name) =>
    FILLED.has(name) ? `coalesce(${name}, first_value(${name} IGNORE NULLS) OVER best) AS ${name}` : name,
  );
  await db.run(`
    CREATE TABLE markets AS SELECT ${columns.join(', ')} FROM market_records r
      WINDOW ranked AS (PARTITION BY condition_id ORDER BY closed DESC, updated_ms DESC, r::VARCHAR DESC),
        best AS (PARTITION BY condition_id ORDER BY closed DESC, updated_ms DESC, r::VARCHAR DESC
          ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
      QUALIFY row_number() OVER ranked = 1`);
  const [count] = await db.rows<{ n: bigint }>(
    'SELECT (SELECT count(*) FROM market_records) - (SELECT count(*) FROM markets) AS n',
  );
  return count && count.n > 0n ? { [REPEATED]: Number(count.n) } : {};
}

const REPEATED = 'market stated by more than one record (the latest kept)';
