import { NO_TX } from '../ledger/event.js';
import type { Database } from '../store/database.js';
import { countDoubts } from './doubts.js';
import { thousandth } from './sql-text.js';

/**
 * Numbers wallets and markets and finds the market and side of each event. It makes the view `ledger_events`, which the
 * fold reads, and the table `numbered` of markets.
 *
 * @returns The number of doubts by reason. Events without a side are left out of the ledger.
 */
export async function resolveEvents(db: Database): Promise<Record<string, number>> {
  await db.run(SIDES);
  await db.run(RESOLVED);
  await db.run(NUMBERED);
  return countDoubts(db);
}

/**
 * The market and side of each token. Those of known markets come from their records. Sides of unknown markets are
 * numbered in token order, since the ledger treats both alike. Windows find the first row of a token, because GROUP BY
 * would hold texts that the engine cannot spill to disk.
 */
const SIDES = `
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

const RESOLVED = `
  CREATE OR REPLACE TEMP VIEW resolved AS
    SELECT e.* EXCLUDE (condition_id, block, number, side),
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
const NUMBERED = `
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
