/** The periods of a leaderboard, in days back from the last day on which anything counts; 0 is all of the data. */
const PERIODS = [0, 1, 3, 7, 30] as const;

/** `a / b` in millionths, rounded half away from zero; null where b is 0, and bounded where an integer ends. */
function ratio(a: string, b: string): string {
  const size = `((2000000 * abs(${a})::HUGEINT + ${b}) // (2 * ${b}::HUGEINT))`;
  return `CASE WHEN ${b} > 0 THEN (sign(${a}) * least(${size}, 9000000000000000000))::BIGINT END`;
}

/**
 * √365 · mean / standard deviation of a sample of `n` daily results with the sum `pnl` and the sum of squares
 * `squares`, in millionths; null of fewer than two days, or if all are equal. In integers as far as they reach, so that
 * equal days are seen to be equal.
 */
const SHARPE = `CASE WHEN n > 1 THEN (
  SELECT CASE WHEN v > 0 THEN round(1e6 * sqrt(365) * pnl * sqrt((n - 1) / (n * v)))::BIGINT END
  FROM (SELECT CASE WHEN n * squares::DOUBLE < 1e38 THEN (n * squares - pnl::HUGEINT * pnl)::DOUBLE
    ELSE n * squares::DOUBLE - pnl::DOUBLE * pnl END AS v)) END`;

/** Whether anything of a wallet's day counts. */
const COUNTS = 'trades > 0 OR invested > 0 OR pnl <> 0 OR wins > 0 OR losses > 0';

/** The last day on which anything counts; of data in which nothing does, the last one. */
const LATEST = `SELECT coalesce(max(day) FILTER (${COUNTS}), max(day)) AS day FROM day_sums`;

/**
 * Makes the table `leaderboard`: what each wallet did within each period, over the view `ledger` and the table
 * `day_sums` of its sums by wallet and day. `period` is the number of days that end with the last day of the data on
 * which anything counts, 0 for all; a wallet without a counted event in a period has no row. A redemption of shares that
 * were settled before counts for nothing. `leaderboard_windows` has the first and the last day of each period, how many
 * wallets are in it, and how many others have no counted event in it. `roi`, `win_rate` and
 * `sharpe` are millionths. A market counts if a fill of the period is in it. The days of `sharpe` are those of the
 * period, those without an event with 0; of period 0, from the wallet's first day to the last of the data.
 */
export const LEADERBOARD = `
  CREATE OR REPLACE TEMP TABLE wallet_markets AS
    SELECT wallet, market, max(day) AS day FROM ledger WHERE trades > 0 GROUP BY ALL;
  CREATE TABLE leaderboard AS
    WITH latest AS (${LATEST}),
    sums AS (
      ${PERIODS.map(
        (days) => `SELECT d.*, coalesce(m.markets, 0)::INTEGER AS markets FROM (
        SELECT ${days} AS period, wallet, ${days === 0 ? '(SELECT day FROM latest) - min(day) + 1' : days} AS n,
          sum(pnl)::BIGINT AS pnl, sum(invested)::BIGINT AS invested, sum(traded)::BIGINT AS traded,
          sum(trades)::INTEGER AS trades, sum(wins)::INTEGER AS wins, sum(losses)::INTEGER AS losses,
          sum(pnl::HUGEINT * pnl) AS squares
        FROM day_sums ${within(days)} GROUP BY wallet) d
        LEFT JOIN (SELECT wallet, count(*) AS markets FROM wallet_markets ${since(days)} GROUP BY wallet) m
          ON d.wallet = m.wallet`,
      ).join(' UNION ALL ')})
    SELECT s.period::INTEGER AS period, w.wallet, s.pnl, s.invested, s.traded, s.trades, s.wins, s.losses, s.markets,
      ${ratio('s.pnl', 's.invested')} AS roi, ${ratio('s.wins', '(s.wins + s.losses)')} AS win_rate, ${SHARPE} AS sharpe
    FROM sums s JOIN wallets w ON s.wallet = w.id ORDER BY period, s.pnl DESC, s.wallet;
  CREATE TABLE leaderboard_windows AS
    WITH latest AS (${LATEST})
    SELECT p.period::INTEGER AS period,
      (CASE p.period WHEN 0 THEN (SELECT min(day) FROM day_sums) ELSE latest.day - p.period + 1 END)::INTEGER AS first_day,
      latest.day::INTEGER AS last_day, count(l.wallet)::INTEGER AS wallets,
      ((SELECT count(*) FROM lifetimes) - count(l.wallet))::INTEGER AS others
    FROM (VALUES ${PERIODS.map((days) => `(${days})`).join(', ')}) p(period) CROSS JOIN latest
      LEFT JOIN leaderboard l ON l.period = p.period
    WHERE latest.day IS NOT NULL GROUP BY p.period, latest.day ORDER BY period;
  DROP TABLE wallet_markets;`;

/** Days of a period on which something counts. */
function within(days: number): string {
  return days === 0 ? '' : `${since(days)} AND (${COUNTS})`;
}

function since(days: number): string {
  return days === 0 ? '' : `WHERE day > (SELECT day FROM latest) - ${days}`;
}
