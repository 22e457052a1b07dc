/** Columns of a staged or stored market; times in Unix milliseconds, volume in micro-USD, winner 0, 1 or 2 for a tie. */
export const MARKET_TABLE = `(
  condition_id VARCHAR, question VARCHAR, slug VARCHAR, event_slug VARCHAR, closed BOOLEAN, volume BIGINT,
  start_ms BIGINT, end_ms BIGINT, close_ms BIGINT, token_a VARCHAR, token_b VARCHAR,
  outcome_a VARCHAR, outcome_b VARCHAR, winner TINYINT, neg_risk_id VARCHAR, updated_ms BIGINT)`;

/** Columns of a staged or stored event; time in Unix seconds, shares in millionths, usd in micro-USD. */
export const EVENT_TABLE = `(
  kind TINYINT, wallet VARCHAR, condition_id VARCHAR, token VARCHAR, ts BIGINT,
  shares BIGINT, usd BIGINT, tx VARCHAR)`;

/** What the ledger writes: one row a wallet, market and day, by number until the build names them. */
export const LEDGER_TABLE = `(
  wallet INTEGER, market INTEGER, day INTEGER, invested DOUBLE, pnl DOUBLE, traded DOUBLE, trades INTEGER,
  wins INTEGER, losses INTEGER, untracked DOUBLE, last DOUBLE)`;
