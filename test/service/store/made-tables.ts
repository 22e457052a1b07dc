import type { Database } from '../../../src/service/store/database.js';

/** The size of made tables. */
export interface MadeSize {
  wallets: number;
  /** Days of each wallet, from 2024-01-01; about half of them have a row. */
  days: number;
  markets: number;
}

/**
 * Makes the tables of an ingest by formula, without inputs or a ledger; the same for the same size.
 */
export async function makeTables(db: Database, { wallets, days, markets }: MadeSize): Promise<void> {
  await db.run(`
    CREATE TABLE wallet_days AS
      SELECT ${walletOf('w')} AS wallet, (19723 + d)::INTEGER AS day,
        CASE WHEN h % 7 = 0 THEN 0 ELSE (h // 11) % 9000000000 END::BIGINT AS invested,
        CASE WHEN h % 5 = 0 THEN 0 ELSE (h // 13) % 2000000001 - 1000000000 END::BIGINT AS pnl,
        ((h // 17) % 9000000000)::BIGINT AS traded, ((h // 19) % 40)::INTEGER AS trades,
        ((h // 23) % 9)::INTEGER AS wins, ((h // 29) % 7)::INTEGER AS losses
      FROM (SELECT w, d, (hash(w, d) >> 1)::BIGINT AS h FROM range(${wallets}) a(w), range(${days}) b(d))
      WHERE h % 100 < 55 ORDER BY 1, 2;
    CREATE TABLE wallet_market_days AS
      SELECT wallet, ${conditionOf('day % 3')} AS condition_id, * EXCLUDE (wallet) FROM wallet_days ORDER BY 1, 2, 3;
    CREATE TABLE lifetimes AS ${LIFETIMES};
    CREATE TABLE wallet_records AS ${RECORDS};
    CREATE TABLE market_rows AS
      WITH made AS (SELECT m, (hash(m) >> 1)::BIGINT AS h FROM range(${markets}) t(m)),
      named AS (SELECT m, h, ${slugOf()} AS slug, CASE WHEN h % 9 > 0 THEN 'event-' || m // 4 || '-of-' || ${word('m // 4')} END AS event_slug FROM made)
      SELECT ${conditionOf('m')} AS condition_id, 'Will ' || replace(slug, '-', ' ') || '?' AS question, slug, event_slug,
        h % 3 > 0 AS closed, 1700000000000 + (h // 3) % 60000000000 AS start_ms,
        CASE WHEN h % 17 > 0 THEN 1710000000000 + (h // 7) % 60000000000 END AS end_ms,
        CASE WHEN h % 3 > 0 THEN 1710000000000 + (h // 5) % 60000000000 // 1000 * 1000 END AS close_ms,
        repeat((h % 10)::VARCHAR, 60) || m AS token_a, repeat((h % 9)::VARCHAR, 61) || m AS token_b,
        'Yes' AS outcome_a, 'No' AS outcome_b, CASE WHEN h % 3 > 0 THEN (h // 3) % 3 END::TINYINT AS winner,
        CASE WHEN h % 6 = 0 THEN 0 ELSE (h // 31) % 1000000000000 END::BIGINT AS volume,
        lower(concat_ws(chr(0), slug, event_slug, 'Will ' || replace(slug, '-', ' ') || '?')) AS searched
      FROM named ORDER BY volume DESC, condition_id;
    CREATE TABLE positions AS ${POSITIONS};
    CREATE TABLE market_sides AS ${SIDES};
    CREATE TABLE leaderboard AS ${LEADERBOARDS};
    CREATE TABLE leaderboard_windows AS
      SELECT period, 20000 - period AS first_day, 20000 AS last_day, count(*)::INTEGER AS wallets, 3 AS others
      FROM leaderboard GROUP BY period;`);
  await db.run(FILLS);
}

/**
 * SQL that makes the tables of fills, of a few wallets in the first markets: several at a second, several of a
 * transaction, some without one, and some of markets without a record.
 */
const FILLS = `
  CREATE TABLE fill_wallets AS SELECT (row_number() OVER (ORDER BY wallet) - 1)::INTEGER AS id, wallet FROM lifetimes ORDER BY id;
  CREATE TABLE fill_tokens AS
    WITH known AS (FROM market_rows ORDER BY condition_id LIMIT 40),
    sided AS (
      SELECT condition_id, 0 AS side, token_a AS token, outcome_a AS outcome, * EXCLUDE (condition_id) FROM known
      UNION ALL SELECT condition_id, 1, token_b, outcome_b, * EXCLUDE (condition_id) FROM known)
    SELECT (row_number() OVER (ORDER BY condition_id, side) - 1)::INTEGER AS id, token, condition_id,
      CASE WHEN nth % 7 > 0 THEN slug END AS slug, CASE WHEN nth % 7 > 0 THEN event_slug END AS event_slug,
      CASE WHEN nth % 3 > 0 THEN (['Sports', 'Politics', 'Café', '\ufeffmarked'])[1 + nth % 4] END AS category,
      CASE WHEN nth % 7 > 0 THEN outcome END AS outcome, lower(slug) AS slug_key, lower(event_slug) AS event_key,
      lower(category) AS category_key
    FROM (SELECT *, (dense_rank() OVER (ORDER BY condition_id))::INTEGER AS nth FROM sided WHERE token IS NOT NULL) ORDER BY id;
  CREATE TABLE fills_by_wallet AS
    WITH made AS (SELECT i, (hash(i) >> 1)::BIGINT AS h, (hash(i // 3) >> 1)::BIGINT AS t FROM range(9000) r(i)),
    fills AS (
      SELECT (h % least(30, (SELECT count(*) FROM fill_wallets)))::INTEGER AS wallet,
        (t % (SELECT count(*) FROM fill_tokens))::INTEGER AS token, (h // 7 % 2)::TINYINT AS sells,
        (19723 * 86400 + t // 11 % 90 * 86400 + t // 13 % 7 * 3600 + t // 17 % 120 - 40 * (t % 2))::BIGINT AS ts,
        (1 + h // 19 % CASE WHEN h % 3 = 0 THEN 50000000 ELSE 4 END)::BIGINT AS shares, (h // 23 % 40000000)::BIGINT AS usd,
        (h // 29 % 1000001)::INTEGER AS price,
        CASE WHEN t % 9 > 0 THEN '0x' || md5('tx' || i // 3) || md5('more' || i // 3) END AS tx
      FROM made)
    SELECT *, (row_number() OVER (PARTITION BY wallet, ts ORDER BY token, sells, shares, usd, price, tx NULLS FIRST) - 1)::INTEGER AS nth
    FROM fills ORDER BY wallet, ts DESC, nth;
  CREATE TABLE fills_by_token AS FROM fills_by_wallet ORDER BY token, ts DESC, wallet, nth;`;

/** SQL that makes the table of positions from the days of wallets in markets: about half are open. */
const POSITIONS = `
  SELECT wallet, condition_id, (side)::TINYINT AS side, CASE WHEN h % 2 = 0 THEN h % 900000000 ELSE 0 END::BIGINT AS shares,
    CASE WHEN h % 2 = 0 THEN h % 700000000 - 9000 ELSE 0 END::BIGINT AS cost,
    CASE WHEN h % 5 > 0 THEN h % 1000000 END::BIGINT AS average, (h % 2000001 - 1000000)::BIGINT AS realized,
    (h % 90000000)::BIGINT AS invested, (first * 86400 + h % 86400)::BIGINT AS opened, (last * 86400 + h % 86400)::BIGINT AS last_traded
  FROM (
    SELECT wallet, condition_id, side, min(day)::BIGINT AS first, max(day)::BIGINT AS last, (hash(wallet, condition_id, side) >> 1)::BIGINT AS h
    FROM wallet_market_days, range(2) s(side) GROUP BY ALL)
  WHERE h % 7 > 0 ORDER BY wallet, condition_id, side`;

/** SQL that makes the table of markets' sides: of the markets of days, one of them without any text. */
const SIDES = `
  SELECT condition_id, side::TINYINT AS side, CASE WHEN n > 0 THEN side || repeat('7', 70 + n) END AS token,
    CASE WHEN n > 0 THEN (['Yes', 'No'])[side + 1] END AS outcome, CASE WHEN n > 0 THEN 'slug-' || n END AS slug,
    CASE WHEN n > 0 THEN 'Who’s no. ' || n || chr(9) || '?' END AS question, CASE WHEN n = 1 THEN 'Event-A' END AS event_slug,
    CASE WHEN n > 0 THEN 'Sports' || n % 2 END AS category, CASE WHEN n = 1 THEN 'Sports1' END AS event_category,
    CASE WHEN n = 1 THEN 'event-a' END AS event_key, CASE WHEN n > 0 THEN 'sports' || n % 2 END AS category_key,
    CASE WHEN side = 0 OR n > 0 THEN 1000 * n + 499000 END::INTEGER AS last_price, CASE n WHEN 0 THEN NULL WHEN 1 THEN 1 END::TINYINT AS winner,
    (n > 0)::TINYINT AS closed, CASE WHEN n > 0 THEN 1730000000000 + 1001 * n END::BIGINT AS close_ms
  FROM (
    SELECT condition_id, row_number() OVER (ORDER BY condition_id) - 1 AS n FROM (SELECT DISTINCT condition_id FROM wallet_market_days)
  ), range(2) s(side) ORDER BY condition_id, side`;

/** SQL that makes the table of leaderboards from the wallets' days, with ratios that many share or lack. */
const LEADERBOARDS = `
  SELECT period, wallet, pnl, invested, traded, trades, wins, losses, markets, CASE WHEN h % 9 > 0 THEN h % 21 - 10 END AS roi,
    CASE WHEN h % 8 > 0 THEN h % 12 END AS win_rate, CASE WHEN h % 5 > 1 THEN h % 7 - 3 END AS sharpe
  FROM (
    SELECT period::INTEGER AS period, wallet, (sum(pnl) // 1000000000 * 1000000000)::BIGINT AS pnl, sum(invested)::BIGINT AS invested,
      sum(traded)::BIGINT AS traded, sum(trades)::INTEGER AS trades, sum(wins)::INTEGER AS wins, sum(losses)::INTEGER AS losses,
      (count(*) % 40)::INTEGER AS markets, (hash(wallet, period) >> 1)::BIGINT AS h
    FROM (VALUES (0), (1), (3), (7), (30)) p(period), wallet_days, (SELECT max(day) AS latest FROM wallet_days)
    WHERE period = 0 OR day > latest - period GROUP BY period, wallet)
  ORDER BY period, pnl DESC, wallet`;

/** SQL that makes the table of lifetimes from the wallets' days. */
export const LIFETIMES = `
  SELECT wallet, sum(invested)::BIGINT AS invested, sum(pnl)::BIGINT AS pnl, sum(traded)::BIGINT AS traded,
    sum(trades)::INTEGER AS trades, sum(wins)::INTEGER AS wins, sum(losses)::INTEGER AS losses,
    0::BIGINT AS untracked, max(day)::BIGINT * 86400 + 7 AS last_ts
  FROM wallet_days GROUP BY wallet ORDER BY wallet`;

/** SQL that makes the table of wallets' records from the lifetimes; about a third of them are complete. */
export const RECORDS = `
  SELECT wallet, last_ts - 5 * h AS first_ts, last_ts, CASE WHEN h % 3 = 0 THEN h * 1000003 ELSE 0 END::BIGINT AS untracked,
    (h * 2000003)::BIGINT AS redeemed, CASE WHEN h % 5 = 0 THEN h * 1000001 ELSE 0 END::BIGINT AS over_redeemed,
    CASE WHEN h % 7 = 0 THEN -h ELSE 0 END::BIGINT AS short_paid, trades AS fills,
    CASE WHEN h % 4 = 0 THEN h ELSE 0 END::INTEGER AS feeless, CASE WHEN h % 8 = 3 THEN 1 ELSE 0 END::INTEGER AS scheduled_fees,
    CASE WHEN h % 6 = 0 THEN h ELSE 0 END::INTEGER AS unstated_fees,
    CASE WHEN h % 9 = 0 THEN 2 ELSE 0 END::INTEGER AS unknown_markets, (h % 4 // 3)::INTEGER AS undecided_markets, (h % 11 // 9)::INTEGER AS skipped_rows, CASE WHEN h % 2 = 0 THEN h ELSE 0 END::BIGINT AS income,
    CASE WHEN h % 13 = 4 THEN true END AS income_only, CASE WHEN h % 6 = 3 THEN true END AS market_fills_only, CASE WHEN h % 7 = 2 THEN true END AS simulated,
    CASE h % 5 WHEN 1 THEN true WHEN 2 THEN false END AS fetched,
    CASE WHEN h % 5 IN (1, 2) THEN last_ts END AS fetched_until,
    CASE WHEN h % 5 = 2 THEN '[{"what":"activity","from":null,"until":"2025-01-01T00:00:00Z","why":"it’s\\t\\"gone\\""}]' END AS missing
  FROM (SELECT *, (hash(wallet) % 1000)::BIGINT AS h FROM lifetimes) ORDER BY wallet`;

function walletOf(number: string): string {
  return `('0x' || md5('wallet' || ${number}) || substr(md5('more' || ${number}), 1, 8))`;
}

function conditionOf(number: string): string {
  return `('0x' || md5('market' || ${number}) || md5('again' || ${number}))`;
}

const WORDS = ['mayor', 'harbour', 'election', 'goals', 'rate-cut', 'storm', 'launch', 'price-above', 'treaty', 'Café'];

function word(number: string): string {
  return `(['${WORDS.join("', '")}'])[1 + (hash(${number}) % ${WORDS.length})::INTEGER]`;
}

/** Words that most slugs share, and a number that few do. */
function slugOf(): string {
  return `'will-the-' || ${word('m')} || '-of-' || ${word('m + 1')} || '-be-' || ${word('m + 2')} || '-' || h % 99991`;
}
