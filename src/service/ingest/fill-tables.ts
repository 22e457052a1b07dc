import { KIND } from '../ledger/event.js';
import type { Database } from '../store/database.js';

/**
 * Writes the tables that trades and candles are answered from. `fills_by_wallet` has one row a fill that the ledger
 * counts, by wallet, the latest first, and `fills_by_token` the same rows by token. Wallets and tokens are numbers in the
 * order of their texts, which `fill_wallets` and `fill_tokens` tell: rows of numbers sort in little memory. `nth` is a
 * fill's place among those of its wallet and second, and so told by their content alone.
 *
 * @param events The table that the ledger was folded from.
 */
export async function writeFills(db: Database, events: string): Promise<void> {
  await db.run(`
    CREATE TABLE fills_by_wallet AS ${placed(`
      SELECT wallet, token, (kind = ${KIND.sell})::TINYINT AS sells, ts::BIGINT AS ts, shares::BIGINT AS shares, usd::BIGINT AS usd, price,
        hash AS tx
      FROM ${events} WHERE kind IN (${KIND.buy}, ${KIND.sell}) AND token IS NOT NULL
      ORDER BY wallet, ts DESC, token, sells, shares, usd, price, tx NULLS FIRST`)};
    CREATE TABLE fills_by_token AS FROM fills_by_wallet ORDER BY token, ts DESC, wallet, nth;
    CREATE TABLE fill_wallets AS FROM (SELECT id, wallet FROM wallets) WHERE id IN (SELECT wallet FROM fills_by_wallet)
      ORDER BY id;
    CREATE TABLE fill_tokens AS
      SELECT s.id, s.token, s.condition_id, m.slug, m.event_slug, m.category,
        CASE s.side WHEN 0 THEN m.outcome_a ELSE m.outcome_b END AS outcome,
        lower(m.slug) AS slug_key, lower(m.event_slug) AS event_key, lower(m.category) AS category_key
      FROM sides s LEFT JOIN markets m ON s.condition_id = m.condition_id
      WHERE s.id IN (SELECT token FROM fills_by_token) ORDER BY s.id`);
}

/**
 * SQL that numbers the fills of each wallet and second. The windows look at one row after the other, in the order in
 * which they come sorted: windows with partitions would sort all rows once more.
 */
function placed(sorted: string): string {
  return `
    SELECT * EXCLUDE (place, first),
      (place - max(first) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))::INTEGER AS nth
    FROM (
      SELECT *, CASE WHEN wallet IS DISTINCT FROM lag(wallet) OVER () OR ts IS DISTINCT FROM lag(ts) OVER () THEN place END
        AS first
      FROM (SELECT *, row_number() OVER () AS place FROM (${sorted})))`;
}
