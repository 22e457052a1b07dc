import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { quoteText } from '../src/base/duckdb.js';
import type { Database } from '../src/service/store/database.js';
import type { Postgres } from './postgres.js';

/** Copies `ledger_events` into PostgreSQL, in the order of the DuckDB table. */
export async function fillEvents(db: Database, { socket }: Postgres): Promise<pg.Client> {
  const client = new pg.Client({ host: socket, user: 'postgres', database: 'postgres' });
  await client.connect();
  const file = join(socket, 'events.csv');
  await db.run(`COPY (SELECT wallet, market, side, kind, ts::BIGINT, shares::BIGINT, usd::BIGINT FROM ledger_events)
    TO ${quoteText(file)} (HEADER false)`);
  await chmod(file, 0o644);
  await client.query(`CREATE UNLOGGED TABLE ledger_events (wallet int, market int, side smallint, kind smallint,
    ts bigint, shares float8, usd float8)`);
  await client.query(`COPY ledger_events FROM ${pg.escapeLiteral(file)} (FORMAT csv)`);
  await client.query('VACUUM ANALYZE ledger_events');
  await client.query("SET work_mem = '1GB'");
  await rm(file);
  return client;
}

/**
 * The SQL of `windowLedger` for PostgreSQL, into an unlogged table. A position's last fill adds two parts to the rows:
 * its own, and the payout at the close.
 */
export function windowTable(close: number): string {
  const position = 'PARTITION BY wallet, market, side ORDER BY';
  return `
    CREATE UNLOGGED TABLE ledger_rows AS
    WITH held AS (SELECT wallet, market, side, kind, ts, shares, usd,
        sum(CASE WHEN kind = 1 THEN shares ELSE -shares END) OVER w AS after,
        row_number() OVER w AS n, lead(1) OVER w IS NULL AS is_last
      FROM ledger_events WINDOW w AS (${position} ts, kind, shares, usd)),
    factors AS (SELECT *, sum(CASE WHEN kind = 3 THEN ln(after / (after + shares)) ELSE 0 END) OVER (${position} n)
        AS logarithm FROM held),
    costs AS (SELECT *, exp(logarithm) * sum(CASE WHEN kind = 1 THEN usd * exp(-logarithm) ELSE 0 END)
        OVER (${position} n) / after AS average FROM factors)
    SELECT wallet, market, (part.ts / 86400)::int AS day, sum(invested) AS invested, sum(pnl) AS pnl,
      sum(trades)::int AS trades, (count(*) FILTER (WHERE pnl > 0))::int AS wins,
      (count(*) FILTER (WHERE pnl < 0))::int AS losses
    FROM costs CROSS JOIN LATERAL (VALUES
      (true, costs.ts, CASE WHEN kind = 1 THEN usd ELSE 0 END,
        CASE WHEN kind = 3 THEN round(usd - shares * average) ELSE 0 END, 1),
      (is_last, ${close}, 0, round(CASE WHEN side = 0 THEN after ELSE 0 END - after * average), 0)
    ) part (is_part, ts, invested, pnl, trades)
    WHERE is_part GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
}
