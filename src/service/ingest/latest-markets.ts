import type { Database } from '../store/database.js';
import { MARKET_NAMES } from './raw-tables.js';

/** SQL for the order of records `r` of one market. */
export const BEST_FIRST = 'closed DESC, updated_ms DESC, r::VARCHAR DESC';

/** Columns that may be missing in one record of a market and stated in another. */
const FILLED = new Set(['event_slug', 'volume', 'start_ms', 'end_ms', 'close_ms', 'winner', 'neg_risk_id']);

/** The side that won, in the order of the best record's tokens; null if the token that won is neither of them. */
const WINNER = `CASE WHEN winner = 2 THEN 2
  ELSE CASE CASE winner WHEN 0 THEN token_a WHEN 1 THEN token_b END WHEN best_a THEN 0 WHEN best_b THEN 1 END
END::TINYINT`;

/**
 * Makes the table of markets, keeping the best record of each: a closed one before an open one, then the one updated
 * last, then the greater by its text. What that record lacks is taken from the others, the best first. The winner is
 * matched by token, since another record may list the tokens in another order.
 *
 * @returns The number of records that were dropped, by reason.
 */
export async function keepLatestMarkets(db: Database): Promise<Record<string, number>> {
  const columns = MARKET_NAMES.split(', ').map((name) =>
    FILLED.has(name) ? `coalesce(${name}, first_value(${name} IGNORE NULLS) OVER best) AS ${name}` : name,
  );
  await db.run(`
    CREATE TABLE markets AS
      WITH ranked AS (
        SELECT *, row_number() OVER market AS rank, first_value(token_a) OVER market AS best_a,
          first_value(token_b) OVER market AS best_b
        FROM market_records r
        WINDOW market AS (PARTITION BY condition_id ORDER BY ${BEST_FIRST})),
      alike AS (SELECT * REPLACE (${WINNER} AS winner) FROM ranked)
      SELECT ${columns.join(', ')} FROM alike
      WINDOW best AS (PARTITION BY condition_id ORDER BY rank ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
      QUALIFY rank = 1`);
  const [count] = await db.rows<{ n: bigint }>(
    'SELECT (SELECT count(*) FROM market_records) - (SELECT count(*) FROM markets) AS n',
  );
  return count && count.n > 0n ? { [REPEATED]: Number(count.n) } : {};
}

const REPEATED = 'market stated by more than one record (the latest kept)';
