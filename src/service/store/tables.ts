/** What the ledger writes: one row a wallet, market and day, by number until the build names them. */
export const LEDGER_TABLE = `(
  wallet INTEGER, market INTEGER, day INTEGER, invested DOUBLE, pnl DOUBLE, traded DOUBLE, trades INTEGER,
  wins INTEGER, losses INTEGER, untracked DOUBLE, last DOUBLE)`;
