import { DataError } from '../../base/errors.js';
import { shellWord } from '../../base/texts.js';
import { currentVersion } from '../folder/current-version.js';
import { Database } from './database.js';

/** What a data folder knows of a wallet; money in micro-USD, shares in millionths. */
export interface WalletFigures {
  wallet: string;
  /** Realized profit over all markets; undefined if no record mentions the wallet. */
  pnl: bigint | undefined;
  /** Shares that left without having been seen to arrive. */
  untracked: bigint;
  /** Rewards and rebates, which are no part of `pnl`. */
  income: bigint;
  /** By condition id; of a migrated market by the later one of its two. */
  markets: Map<string, WalletMarket>;
  /** Of migrated markets: the later condition id by the earlier one. */
  later: Map<string, string>;
}

/** What a data folder knows of a wallet in one market. */
export interface WalletMarket {
  pnl: bigint;
  record: {
    /** How many condition ids of the market have buy or sell fills: 2 if it was traded before and after a migration. */
    traded: number;
    /** Whether a conversion may have taken shares of the market or brought some. */
    isConverted: boolean;
    /** Whether a MIGRATION moved shares of the market. */
    isMigrated: boolean;
    /** Whether there is a record of the market. */
    isKnown: boolean;
    /** Whether it was settled. */
    isSettled: boolean;
    /**
     * Shares that came less those that left since the last redemption, by token. Undefined where that cannot be told: a
     * conversion moved shares between markets, or there is no record of the market.
     */
    held: Map<string, bigint> | undefined;
    /** The same of both outcomes until the last redemption. */
    before: [bigint, bigint];
    /** Dollars that its redemptions paid; undefined without one. */
    redeemed: bigint | undefined;
  };
}

interface Row {
  condition_id: string;
  pnl: bigint;
  traded: number;
  converted: boolean;
  migrated: boolean;
  known: boolean;
  settled: boolean;
  token_a: string | null;
  token_b: string | null;
  held_a: bigint;
  held_b: bigint;
  before_a: bigint;
  before_b: bigint;
  redeemed: bigint | null;
}

/**
 * Adds up what a data folder knows of wallets, market by market, for a comparison with other sources.
 *
 * @param folder A data folder; its current version is read.
 * @param wallets Addresses in lower case.
 * @throws {DataError} If nothing was ingested yet, or the version is damaged.
 */
export async function walletFigures(folder: string, wallets: readonly string[]): Promise<WalletFigures[]> {
  const version = await currentVersion(folder);
  if (!version) throw new DataError(`${folder} holds no data yet: oddslab ingest FILES --data ${shellWord(folder)}`);
  const db = await Database.open(version.database, { locked: true });
  try {
    const figures: WalletFigures[] = [];
    for (const wallet of wallets) figures.push(await figuresOf(db, wallet));
    return figures;
  } finally {
    db.close();
  }
}

async function figuresOf(db: Database, wallet: string): Promise<WalletFigures> {
  const [whole] = await db.rows<{ pnl: bigint | null; untracked: bigint; income: bigint }>(
    `SELECT pnl, r.untracked, income FROM wallet_records r LEFT JOIN lifetimes l ON r.wallet = l.wallet
      WHERE r.wallet = $wallet`,
    { wallet },
  );
  const [tokens] = await db.rows(`SELECT 1 FROM duckdb_tables() WHERE table_name = 'tokens'`);
  const pairs = tokens ? PAIRS : NO_PAIRS;
  const rows = await db.rows<Row>(marketsSql(pairs), { wallet });
  const later = await db.rows<{ condition_id: string; main: string }>(
    `WITH ${pairs} SELECT condition_id, main FROM pairs WHERE condition_id <> main`,
  );
  return {
    wallet,
    pnl: whole?.pnl ?? undefined,
    untracked: whole?.untracked ?? 0n,
    income: whole?.income ?? 0n,
    markets: new Map(rows.map((row) => [row.condition_id, marketOf(row)])),
    later: new Map(later.map(({ condition_id, main }) => [condition_id, main])),
  };
}

function marketOf(row: Row): WalletMarket {
  const { token_a, token_b, traded, converted: isConverted, migrated: isMigrated } = row;
  const isCounted = token_a !== null && token_b !== null && !isConverted;
  return {
    pnl: row.pnl,
    record: {
      traded,
      isConverted,
      isMigrated,
      isKnown: row.known,
      isSettled: row.settled,
      held: isCounted ? new Map([[token_a, row.held_a] as const, [token_b, row.held_b] as const]) : undefined,
      before: [row.before_a, row.before_b],
      redeemed: row.redeemed ?? undefined,
    },
  };
}

/** The shares that an event adds to a side: kinds 0 split, 1 buy, 3 sell, 4 merge. */
function addedTo(side: 0 | 1): string {
  return `CASE WHEN kind = 0 THEN shares WHEN kind = 4 THEN -shares
    WHEN side = ${side} AND kind = 1 THEN shares WHEN side = ${side} AND kind = 3 THEN -shares ELSE 0 END`;
}

/**
 * `pairs`: the two conditions of each migrated market, with the later one, whose id has 31 bytes. `named`: tokens with
 * their condition and side.
 */
const PAIRS = `pairs AS (
    SELECT unnest(ids) AS condition_id, ids[2] AS main FROM (
      SELECT list(DISTINCT condition_id ORDER BY condition_id LIKE '%00', condition_id) AS ids FROM tokens
      WHERE event_id IS NOT NULL GROUP BY event_id, question_index)
    WHERE len(ids) = 2 AND ids[1] NOT LIKE '%00' AND ids[2] LIKE '%00'),
  named AS (SELECT token, condition_id, side FROM tokens WHERE side IN (0, 1))`;

/** For versions that were made before records of tokens were kept. */
const NO_PAIRS = `pairs AS (SELECT NULL::VARCHAR AS condition_id, NULL::VARCHAR AS main WHERE false),
  named AS (SELECT NULL::VARCHAR AS token, NULL::VARCHAR AS condition_id, NULL::TINYINT AS side WHERE false)`;

/** The rows of a wallet's markets. A conversion touches every market that excludes those which its rows name. */
function marketsSql(pairs: string): string {
  return `
  WITH ${pairs},
  own AS (SELECT kind, token, condition_id, ts, coalesce(shares, 0) AS shares, coalesce(usd, 0) AS usd
    FROM events WHERE wallet = $wallet AND kind <= 6),
  stated AS (
    SELECT token_a AS token, condition_id, 0 AS side FROM markets UNION SELECT token_b, condition_id, 1 FROM markets
    UNION FROM named),
  sides AS (
    SELECT token, condition_id, side FROM stated WHERE token IN (SELECT token FROM own)
    QUALIFY row_number() OVER (PARTITION BY token ORDER BY condition_id, side) = 1),
  placed AS (
    SELECT o.* EXCLUDE (condition_id), s.side, coalesce(p.main, s.condition_id, o.condition_id) AS condition_id,
      coalesce(s.condition_id, o.condition_id) AS own_id
    FROM own o LEFT JOIN sides s ON o.token = s.token
      LEFT JOIN pairs p ON coalesce(s.condition_id, o.condition_id) = p.condition_id),
  redemptions AS (
    SELECT condition_id, max(ts) AS last, sum(usd)::BIGINT AS usd FROM placed WHERE kind = 6 GROUP BY condition_id),
  exclusive AS (
    SELECT m.condition_id, neg_risk_id, coalesce(p.main, m.condition_id) AS main
    FROM markets m LEFT JOIN pairs p ON m.condition_id = p.condition_id WHERE neg_risk_id IS NOT NULL),
  converted AS (
    SELECT condition_id FROM placed WHERE kind = 2 AND condition_id IS NOT NULL UNION
    SELECT main FROM exclusive WHERE neg_risk_id IN (
      SELECT x.neg_risk_id FROM placed p JOIN exclusive x ON p.own_id = x.condition_id WHERE p.kind = 2)),
  flows AS (
    SELECT p.condition_id,
      count(DISTINCT own_id) FILTER (kind IN (1, 3)) AS traded, bool_or(kind = 5) AS migrated, max(r.usd) AS redeemed,
      sum(CASE WHEN r.last IS NULL OR ts > r.last THEN ${addedTo(0)} ELSE 0 END) AS held_a,
      sum(CASE WHEN r.last IS NULL OR ts > r.last THEN ${addedTo(1)} ELSE 0 END) AS held_b,
      sum(CASE WHEN ts <= r.last THEN ${addedTo(0)} ELSE 0 END) AS before_a,
      sum(CASE WHEN ts <= r.last THEN ${addedTo(1)} ELSE 0 END) AS before_b
    FROM placed p LEFT JOIN redemptions r ON p.condition_id = r.condition_id
    WHERE p.condition_id IS NOT NULL GROUP BY p.condition_id),
  profits AS (
    SELECT coalesce(p.main, d.condition_id) AS condition_id, sum(pnl)::BIGINT AS pnl
    FROM wallet_market_days d LEFT JOIN pairs p ON d.condition_id = p.condition_id WHERE wallet = $wallet GROUP BY 1),
  touched AS (
    SELECT condition_id FROM flows UNION SELECT condition_id FROM profits UNION SELECT condition_id FROM converted),
  known AS (
    SELECT coalesce(p.main, m.condition_id) AS condition_id, bool_or(m.winner IS NOT NULL) AS settled
    FROM markets m LEFT JOIN pairs p ON m.condition_id = p.condition_id GROUP BY 1),
  latest AS (
    SELECT condition_id, min(token) FILTER (side = 0) AS token_a, min(token) FILTER (side = 1) AS token_b
    FROM stated GROUP BY condition_id)
  SELECT t.condition_id, coalesce(q.pnl, 0)::BIGINT AS pnl, coalesce(f.traded, 0)::INTEGER AS traded,
    t.condition_id IN (FROM converted) AS converted, coalesce(f.migrated, false) AS migrated,
    k.condition_id IS NOT NULL AS known, coalesce(k.settled, false) AS settled, l.token_a, l.token_b,
    greatest(coalesce(held_a, 0), 0)::BIGINT AS held_a, greatest(coalesce(held_b, 0), 0)::BIGINT AS held_b,
    greatest(coalesce(before_a, 0), 0)::BIGINT AS before_a, greatest(coalesce(before_b, 0), 0)::BIGINT AS before_b,
    f.redeemed
  FROM touched t LEFT JOIN flows f ON t.condition_id = f.condition_id
    LEFT JOIN profits q ON t.condition_id = q.condition_id LEFT JOIN known k ON t.condition_id = k.condition_id
    LEFT JOIN latest l ON t.condition_id = l.condition_id
  ORDER BY 1`;
}
