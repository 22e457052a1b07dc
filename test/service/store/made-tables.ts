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
      FROM named ORDER BY volume DESC, condition_id;`);
}

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
    CASE WHEN h % 13 = 4 THEN true END AS income_only, CASE WHEN h % 6 = 3 THEN true END AS market_fills_only,
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
