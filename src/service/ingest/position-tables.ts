import { KIND } from '../ledger/event.js';
import { RESOLVED_MARKETS } from './resolved-markets.js';

/**
 * Makes the temporary table `last_prices`: the price of each outcome's last fill, in micro-USD a share, over the table of
 * events that the ledger folds. Prices of the last second are weighed by their shares, since nothing tells which fill of
 * it came last.
 *
 * @param events A table with market, side, kind and price as INTEGER, and ts and shares as DOUBLE.
 */
export function lastPrices(events: string): string {
  return `
    CREATE OR REPLACE TEMP TABLE last_prices AS
      WITH fills AS (
        SELECT market, side, ts, shares::BIGINT AS shares, price FROM ${events}
        WHERE kind IN (${KIND.buy}, ${KIND.sell}) AND shares > 0),
      latest AS (SELECT market, side, max(ts) AS ts FROM fills GROUP BY ALL)
      SELECT market, side, least(1000000, (2 * sum(price * shares::HUGEINT) + sum(shares)) // (2 * sum(shares)::HUGEINT))::INTEGER AS price
      FROM fills JOIN latest USING (market, side, ts) GROUP BY market, side`;
}

/**
 * Makes the tables of positions and of what they are positions in, over the views `ledger` and `held`. In `positions`
 * shares are millionths, money is micro-USD, `average` micro-USD a share. `market_sides` has both sides of every market
 * with a counted event: `last_price` is null where no fill was seen; `event_category` is the category that all markets
 * of its event share, null if they share none; `closed` is 1 once its record says so, or the chain has resolved it, by
 * payouts of any kind.
 */
export const POSITION_TABLES = `
  CREATE TABLE positions AS
    SELECT w.wallet, n.condition_id, h.side::TINYINT AS side, h.shares::BIGINT AS shares, h.cost::BIGINT AS cost,
      CASE WHEN abs(h.average) < 9e18 THEN h.average::BIGINT END AS average, h.realized::BIGINT AS realized,
      h.invested::BIGINT AS invested, h.opened::BIGINT AS opened, h.last::BIGINT AS last_traded
    FROM held h JOIN wallets w ON h.wallet = w.id JOIN numbered n ON h.market = n.id
    ORDER BY h.wallet, h.market, h.side;
  CREATE TABLE market_sides AS
    WITH served AS (SELECT market AS id FROM ledger UNION SELECT market FROM held),
    unknown AS (
      SELECT condition_id, side, token FROM sides WHERE condition_id NOT IN (SELECT condition_id FROM markets)
      QUALIFY row_number() OVER (PARTITION BY condition_id, side ORDER BY token) = 1),
    events AS (
      SELECT event_slug, CASE WHEN count(category) = count(*) AND min(category) = max(category) THEN min(category) END
        AS category
      FROM markets WHERE event_slug IS NOT NULL GROUP BY event_slug)
    SELECT n.condition_id, s.side::TINYINT AS side,
      CASE WHEN m.condition_id IS NULL THEN u.token WHEN s.side = 0 THEN m.token_a ELSE m.token_b END AS token,
      CASE s.side WHEN 0 THEN m.outcome_a ELSE m.outcome_b END AS outcome,
      m.slug, m.question, m.event_slug, m.category, e.category AS event_category,
      lower(m.event_slug) AS event_key, lower(m.category) AS category_key,
      p.price AS last_price, n.winner::TINYINT AS winner,
      (coalesce(m.closed, false) OR r.condition_id IS NOT NULL OR n.winner IS NOT NULL)::TINYINT AS closed,
      coalesce(m.close_ms, r.resolved_ms) AS close_ms
    FROM numbered n JOIN served ON n.id = served.id CROSS JOIN (VALUES (0), (1)) s(side)
      LEFT JOIN markets m ON n.condition_id = m.condition_id
      LEFT JOIN unknown u ON n.condition_id = u.condition_id AND s.side = u.side
      LEFT JOIN events e ON m.event_slug = e.event_slug
      LEFT JOIN last_prices p ON n.id = p.market AND s.side = p.side
      LEFT JOIN ${RESOLVED_MARKETS} r ON n.condition_id = r.condition_id
    ORDER BY n.id, s.side;`;
