import type { RecordColumn } from '../../contract/completeness.js';

/**
 * What each column of `wallet_records` is, in SQL over `e`, a wallet's events, `l`, its rows in the ledger, `f`, its
 * fills in markets with a fee schedule, `u`, its unknown markets, and `d`, its last fetch. A column of the contract
 * without it is a type error.
 */
const COLUMNS: Readonly<Record<RecordColumn, string>> = {
  first_ts: 'e.first_ts',
  last_ts: 'e.last_ts',
  untracked: 'coalesce(l.untracked, 0)::BIGINT',
  redeemed: 'e.redeemed',
  over_redeemed: 'coalesce(l.over_redeemed, 0)::BIGINT',
  short_paid: 'coalesce(l.short_paid, 0)::BIGINT',
  fills: 'e.fills',
  feeless: '(e.feeless - coalesce(f.told, 0))::INTEGER',
  scheduled_fees: 'coalesce(f.scheduled, 0)::INTEGER',
  unstated_fees: 'CASE WHEN f.stated = 0 THEN f.unstated ELSE 0 END::INTEGER',
  unknown_markets: 'coalesce(u.markets, 0)::INTEGER',
  income: 'e.income',
  fetched: 'd.complete',
  fetched_until: 'd.until',
  missing: "nullif(d.missing, '[]')",
};

/**
 * Makes the table `wallet_records`: how complete the record of each wallet with an event is, by wallet. An event counts
 * as one of an unknown market if its market has no record, or its token belongs to no known market.
 */
export const WALLET_RECORDS = `
  CREATE TABLE wallet_records AS
    WITH e AS (
      SELECT w.id, min(ts) AS first_ts, max(ts) AS last_ts,
        (count(*) FILTER (WHERE kind IN (1, 3)))::INTEGER AS fills,
        (count(*) FILTER (WHERE fee = 0))::INTEGER AS feeless,
        coalesce(sum(usd) FILTER (WHERE kind = 7), 0)::BIGINT AS income,
        coalesce(sum(shares) FILTER (WHERE kind = 6), 0)::BIGINT AS redeemed
      FROM events JOIN wallets w ON events.wallet = w.wallet GROUP BY w.id),
    l AS (
      SELECT wallet AS id, sum(untracked::BIGINT) AS untracked, sum(over_redeemed::BIGINT) AS over_redeemed,
        sum(short_paid::BIGINT) AS short_paid
      FROM ledger GROUP BY wallet),
    f AS (
      SELECT w.id, count(*) FILTER (WHERE f.is_sure AND r.fee = 0) AS told,
        count(*) FILTER (WHERE f.is_sure AND f.rate > 0 AND r.fee <> 1) AS scheduled,
        count(*) FILTER (WHERE NOT f.is_sure AND r.fee = 1) AS stated,
        count(*) FILTER (WHERE NOT f.is_sure AND r.fee = 2) AS unstated
      FROM fees f JOIN numbered n ON f.id = n.id JOIN resolved r ON r.market_id = n.condition_id
        JOIN wallets w ON r.wallet = w.wallet
      WHERE r.fee = 0 OR (f.rate > 0 AND r.fee IS NOT NULL) GROUP BY w.id),
    u AS (
      SELECT w.id, count(DISTINCT coalesce(n.id::VARCHAR, r.token, r.stated_id)) AS markets
      FROM resolved r LEFT JOIN numbered n ON r.market_id = n.condition_id JOIN wallets w ON r.wallet = w.wallet
      WHERE n.known IS NOT TRUE AND r.kind <= 6 GROUP BY w.id)
    SELECT w.wallet, ${Object.entries(COLUMNS)
      .map(([column, sql]) => `${sql} AS ${column}`)
      .join(', ')}
    FROM wallets w LEFT JOIN e ON w.id = e.id LEFT JOIN l ON w.id = l.id LEFT JOIN f ON w.id = f.id
      LEFT JOIN u ON w.id = u.id LEFT JOIN fetches d ON d.kind = 'wallet' AND d.target = w.wallet
    ORDER BY w.id;`;
