/** The shares held after each fill of a position, in the ledger's order; `n` numbers its fills. */
const HELD = `
  held AS (SELECT wallet, market, side, kind, ts, shares, usd,
      sum(CASE WHEN kind = 1 THEN shares ELSE -shares END) OVER w AS after,
      row_number() OVER w AS n
    FROM ledger_events WINDOW w AS (PARTITION BY wallet, market, side ORDER BY ts, kind, shares, usd))`;

/** Rows by wallet, market and day: the sums of what fills and settlements add. */
const ROWS = `
  SELECT wallet, market, (ts // 86400)::INTEGER AS day, sum(invested) AS invested, sum(pnl) AS pnl,
    sum(trades)::INTEGER AS trades, count(*) FILTER (pnl > 0)::INTEGER AS wins, count(*) FILTER (pnl < 0)::INTEGER AS losses
  FROM parts GROUP BY ALL ORDER BY ALL`;

/** What each fill, and the payout of what a position still holds at the close, adds to the rows. */
function parts(source: string, close: number): string {
  return `
    SELECT wallet, market, ts, CASE WHEN kind = 1 THEN usd ELSE 0 END AS invested,
      CASE WHEN kind = 3 THEN round(usd - shares * average) ELSE 0 END AS pnl, 1 AS trades FROM ${source}
    UNION ALL
    SELECT wallet, market, ${close}, 0, round(arg_max(CASE WHEN side = 0 THEN after ELSE 0 END - after * average_after, n)), 0
    FROM ${source} GROUP BY wallet, market, side`;
}

/**
 * The ledger with window functions alone. Every sale scales the cost of a position by a factor, so the cost is the sum
 * of all buys, each times the factors after it. A product of factors is the exponential of a sum of logarithms.
 */
export function windowLedger(close: number): string {
  return `
    WITH ${HELD},
    factors AS (SELECT *, sum(CASE WHEN kind = 3 THEN ln(after / (after + shares)) ELSE 0 END)
        OVER (PARTITION BY wallet, market, side ORDER BY n) AS logarithm FROM held),
    costs AS (SELECT *, exp(logarithm) * sum(CASE WHEN kind = 1 THEN usd * exp(-logarithm) ELSE 0 END)
        OVER (PARTITION BY wallet, market, side ORDER BY n) AS cost FROM factors),
    averages AS (SELECT *, cost / after AS average, cost / after AS average_after FROM costs),
    parts AS (${parts('averages', close)})
    ${ROWS}`;
}

/** The ledger by recursion: each step takes the next fill of every position, from the cost before it. */
export function recursiveLedger(close: number): string {
  return `
    WITH RECURSIVE ${HELD},
    averages AS (
      SELECT *, usd AS cost, usd / shares AS average, usd / shares AS average_after FROM held WHERE n = 1
      UNION ALL
      SELECT next.*, CASE WHEN next.kind = 1 THEN past.cost + next.usd ELSE past.cost * next.after / past.after END,
        past.cost / past.after,
        CASE WHEN next.kind = 1 THEN (past.cost + next.usd) / next.after ELSE past.cost / past.after END
      FROM averages past JOIN held next ON next.wallet = past.wallet AND next.market = past.market
        AND next.side = past.side AND next.n = past.n + 1),
    parts AS (${parts('averages', close)})
    ${ROWS}`;
}
