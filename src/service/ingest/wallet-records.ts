import { quoteText } from '../../base/duckdb.js';
import type { RecordColumn } from '../../contract/completeness.js';
import { KIND } from '../ledger/event.js';
import { SIMULATION } from './fetch-origins.js';
import { RESOLVED_MARKETS } from './resolved-markets.js';

/**
 * What each column of `wallet_records` is, in SQL over `e`, a wallet's events, `l`, its rows in the ledger, `f`, its
 * fills in markets with a fee schedule, `u`, its unknown markets, `h`, those that it holds shares of without a
 * result, `s`, its rows that were skipped, `d`, its last fetch, and `o`, the fetches of markets that state its fills. A
 * column of the contract without it is a type error.
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
  undecided_markets: 'coalesce(h.markets, 0)::INTEGER',
  skipped_rows: 'coalesce(s.n, 0)::INTEGER',
  income: 'e.income',
  income_only: 'CASE WHEN e.other = 0 THEN true END',
  fetched: 'd.complete',
  fetched_until: 'd.until',
  market_fills_only: 'CASE WHEN d.target IS NULL AND o.id IS NOT NULL THEN true END',
  simulated: 'CASE WHEN e.simulated THEN true END',
  missing: "nullif(CASE WHEN d.target IS NULL THEN o.missing ELSE d.missing END, '[]')",
};

/** Shares that sources round away, in millionths. */
const LEAST_SHARES = 10_000;

/** SQL for the shares of a side that came, by the events of a wallet and market, and did not leave. */
function sharesLeft(side: 0 | 1): string {
  return `coalesce(sum(CASE WHEN r.kind IN (${KIND.split}, ${KIND.buy}) THEN r.shares ELSE -r.shares END)
    FILTER (WHERE r.side IN (-1, ${side})), 0)`;
}

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
        count(*) FILTER (WHERE kind <> ${KIND.income}) AS other,
        bool_or(events.origin IN (SELECT origin FROM origins WHERE kind = ${quoteText(SIMULATION)})) AS simulated,
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
      WHERE n.known IS NOT TRUE AND r.kind <= 6 GROUP BY w.id),
    undecided AS (
      SELECT condition_id FROM numbered WHERE known AND winner IS NULL AND condition_id IN (
        SELECT condition_id FROM markets WHERE closed
        UNION ALL SELECT condition_id FROM ${RESOLVED_MARKETS})),
    h AS (
      SELECT id, count(*) AS markets FROM (
        SELECT w.id, r.market_id FROM resolved r JOIN undecided u ON r.market_id = u.condition_id
          JOIN wallets w ON r.wallet = w.wallet
        GROUP BY ALL HAVING NOT bool_or(r.kind = ${KIND.redeem}) AND greatest(${sharesLeft(0)}, ${sharesLeft(1)}) > ${LEAST_SHARES})
      GROUP BY id),
    s AS (SELECT wallet, sum(n) AS n FROM skipped GROUP BY wallet),
    partial AS (
      SELECT g.origin, f.kind || ' ' || f.target AS source, f.target, CASE WHEN f.complete OR f.missing <> '[]' THEN f.missing
        ELSE '[{"what": "trades", "why": "the fetch did not end"}]' END AS missing
      FROM origins g JOIN fetches f ON g.kind = f.kind AND g.target = f.target WHERE g.kind IN ('market', 'event')),
    parts AS (
      SELECT origin, source, [{what: p.what || ' of ' || target, "from": p."from", until: p.until, why: p.why} FOR p IN
        from_json(missing, '[{"what": "VARCHAR", "from": "VARCHAR", "until": "VARCHAR", "why": "VARCHAR"}]')] AS missing
      FROM partial),
    o AS (
      SELECT id, to_json(flatten(list(missing ORDER BY source)))::VARCHAR AS missing FROM (
        SELECT DISTINCT w.id, p.source, p.missing FROM events e JOIN parts p ON e.origin = p.origin
          JOIN wallets w ON e.wallet = w.wallet)
      GROUP BY id)
    SELECT w.wallet, ${Object.entries(COLUMNS)
      .map(([column, sql]) => `${sql} AS ${column}`)
      .join(', ')}
    FROM wallets w LEFT JOIN e ON w.id = e.id LEFT JOIN l ON w.id = l.id LEFT JOIN f ON w.id = f.id
      LEFT JOIN u ON w.id = u.id LEFT JOIN fetches d ON d.kind = 'wallet' AND d.target = w.wallet
      LEFT JOIN h ON w.id = h.id LEFT JOIN s ON w.wallet = s.wallet LEFT JOIN o ON w.id = o.id
    ORDER BY w.id;`;
