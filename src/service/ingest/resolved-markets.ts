import type { Database } from '../store/database.js';

/**
 * SQL for what the chain says of markets: the side that won by the order of outcomes, 2 for a tie and null for other
 * payouts, and when it was resolved.
 */
export const RESOLVED_MARKETS = `(
  SELECT condition_id, resolved_ms, CASE WHEN abs(payout_a - payout_b - 1) < 1e-5 THEN 0 WHEN abs(payout_b - payout_a - 1) < 1e-5 THEN 1
    WHEN abs(payout_a - payout_b) < 1e-5 THEN 2 END::TINYINT AS winner
  FROM resolutions
  QUALIFY row_number() OVER (PARTITION BY condition_id ORDER BY resolved_ms DESC, payout_a, payout_b) = 1)`;

/**
 * SQL for the order of records `r` of one market: those of sources that tell more first, of one source the latest
 * first. Of records that do not say when they were updated, the later ingest states the later.
 */
export const BEST_FIRST = 'updated_ms DESC, ingest DESC, closed DESC, winner IS NULL, r::VARCHAR DESC';

/** Columns that may be missing in one record of a market and stated in another. */
const FILLED = new Set([
  'event_slug',
  'volume',
  'start_ms',
  'end_ms',
  'neg_risk_id',
  'category',
  'fee_rate',
  'fee_exponent',
  'fee_taker_only',
]);

/** The side that won, in the order of the best record's tokens; null if the token that won is neither of them. */
const WINNER = `CASE WHEN winner = 2 THEN 2
  ELSE CASE CASE winner WHEN 0 THEN token_a WHEN 1 THEN token_b END WHEN best_a THEN 0 WHEN best_b THEN 1 END
END::TINYINT`;

/** SQL for the number of a record's source, 0 for Gamma: see `RANK` of the staged columns. */
const SOURCE = 'ceil(-updated_ms / 1e14)';

/**
 * Makes the table of markets, keeping the best record of each. What that record lacks is taken from the others, the best
 * first. The state (closed, winner, close time) is that of the best record, even if an earlier one of its source stated
 * a winner that is not stated any more. Where the best one states no winner, the latest record of another source does; if
 * the best one takes a winner back, only if it was ingested later. Last, the chain's resolutions do. The winner is
 * matched by token, since another record may list the tokens in another order.
 *
 * @param names The columns of a record.
 * @returns The number of records that were dropped, by reason.
 */
export async function keepLatestMarkets(db: Database, names: readonly string[]): Promise<Record<string, number>> {
  const columns = names.map((name) => STATE[name] ?? `k.${name}`);
  const filled = [...FILLED].map((name) => `coalesce(${name}, first_value(${name} IGNORE NULLS) OVER best) AS ${name}`);
  await db.run(`
    CREATE TABLE markets AS
      WITH ranked AS (
        SELECT *, row_number() OVER market AS rank, lag(${SOURCE}) OVER market IS DISTINCT FROM ${SOURCE} AS is_latest,
          first_value(token_a) OVER market AS best_a, first_value(token_b) OVER market AS best_b,
          first_value(ingest) OVER market AS best_ingest, first_value(${SOURCE}) OVER market AS best_source
        FROM market_records r
        WINDOW market AS (PARTITION BY condition_id ORDER BY ${BEST_FIRST})),
      alike AS (
        SELECT * REPLACE (CASE WHEN is_latest THEN ${WINNER} END AS winner),
          ${SOURCE} = best_source AND winner IS NOT NULL AS decided
        FROM ranked),
      kept AS (
        SELECT * REPLACE (${filled.join(', ')}),
          first_value(CASE WHEN ingest > best_ingest OR rank = 1 THEN winner END IGNORE NULLS) OVER best AS later_winner,
          first_value(winner IGNORE NULLS) OVER best AS any_winner, bool_or(decided) OVER best AS was_decided,
          first_value(CASE WHEN NOT end_close THEN close_ms END IGNORE NULLS) OVER best AS true_close_ms,
          first_value(close_ms IGNORE NULLS) OVER best AS any_close_ms
        FROM alike
        WINDOW best AS (PARTITION BY condition_id ORDER BY rank ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
        QUALIFY rank = 1)
      SELECT ${columns.join(', ')} FROM (
        SELECT k.*,
          -- A record may list the tokens in another order than the chain does.
          coalesce(k.known_winner, CASE WHEN c.winner < 2 AND second.token IS NOT NULL THEN 1 - c.winner ELSE c.winner END)::TINYINT
            AS final_winner,
          -- The end date says less than the chain, a stated close more, unless it left the winner open.
          CASE WHEN c.winner IS NOT NULL AND (k.known_winner IS NULL OR k.true_close_ms IS NULL) THEN c.resolved_ms END AS chain_ms
        FROM (SELECT *, CASE WHEN was_decided THEN later_winner ELSE any_winner END AS known_winner FROM kept) k
          LEFT JOIN ${RESOLVED_MARKETS} c ON k.condition_id = c.condition_id
          LEFT JOIN (SELECT DISTINCT token FROM tokens WHERE side = 1) second ON k.token_a = second.token) k`);
  const [count] = await db.rows<{ n: bigint }>(
    'SELECT (SELECT count(*) FROM market_records) - (SELECT count(*) FROM markets) AS n',
  );
  return count && count.n > 0n ? { [REPEATED]: Number(count.n) } : {};
}

const IS_CLOSED = '(k.closed OR k.final_winner IS NOT NULL)';

/** The columns of a market's state, as SQL over what is known of it. */
const STATE: Readonly<Record<string, string>> = {
  closed: `${IS_CLOSED} AS closed`,
  winner: 'k.final_winner AS winner',
  close_ms: `CASE WHEN ${IS_CLOSED} THEN coalesce(k.chain_ms, k.true_close_ms, k.any_close_ms) END AS close_ms`,
  end_close: `CASE WHEN ${IS_CLOSED} AND coalesce(k.chain_ms, k.any_close_ms) IS NOT NULL
    THEN coalesce(k.chain_ms, k.true_close_ms) IS NULL END AS end_close`,
};

const REPEATED = 'market stated by more than one record (the latest kept)';
