import { wholeText } from '../../base/duckdb.js';
import type { CANDLES } from '../../contract/candles.js';
import { type FilterMeanings, type Filters, narrowed } from '../../contract/dataset.js';
import { A_MONDAY, CANDLE_SECONDS, type CandleInterval } from '../../contract/time.js';
import type { TRADES } from '../../contract/trades.js';
import type { Database, SqlValue } from './database.js';
import { lowerCase } from './lower-case.js';
import { type Candle, type FillRow, type FillToken, NotBuilt, type Store, TOKEN_TEXTS } from './store.js';

/** The tables that trades and candles are answered from, as `ingest/fill-tables.ts` makes them. */
const FILL_TABLES = ['fills_by_wallet', 'fills_by_token', 'fill_wallets', 'fill_tokens'] as const;

/** The numbers that a statement names at most; beyond it, the engine looks them up while it reads. */
const MOST_NUMBERS = 1000;

/** What the filters of trades ask of each table, in the SQL of every engine. */
export class FillConditions {
  readonly fills: string[] = [];
  readonly tokens: string[] = [];
  wallets: readonly string[] | undefined;
  readonly #literal: (value: string) => string;

  /** @param literal Gives the SQL for a text. */
  constructor(literal: (value: string) => string) {
    this.#literal = literal;
  }

  ofToken(column: string, texts: readonly string[]): void {
    const literals = texts.map(this.#literal);
    this.tokens.push(literals.length === 1 ? `${column} = ${literals[0]}` : `${column} IN (${literals.join(', ')})`);
  }
}

/** What each filter of trades means. */
export const FILLS_WHERE: FilterMeanings<typeof TRADES, FillConditions> = {
  proxy_wallet(wallets, where) {
    where.wallets = wallets;
  },
  condition_id: (ids, where) => where.ofToken('condition_id', ids),
  market_slug: (text, where) => where.ofToken('slug_key', [lowerCase(text)]),
  side: (side, where) => where.fills.push(`sells = ${Number(side === 'SELL')}`),
  start_time: (seconds, where) => where.fills.push(`ts >= ${BigInt(seconds)}`),
  end_time: (seconds, where) => where.fills.push(`ts <= ${BigInt(seconds)}`),
  token_id: (token, where) => where.ofToken('token', [token]),
  event_slug: (text, where) => where.ofToken('event_key', [lowerCase(text)]),
  category: (text, where) => where.ofToken('category_key', [lowerCase(text)]),
};

/** The order of fills within their table, and of the answer; wallets are numbered in the order of their addresses. */
const ORDER = 'ts DESC, wallet, nth';

/** SQL for the first second of the interval that the second `ts` falls into; `%` keeps the sign. */
export function intervalStart(interval: CandleInterval): string {
  const length = CANDLE_SECONDS[interval];
  return `ts - ((ts - ${A_MONDAY}) % ${length} + ${length}) % ${length}`;
}

/** Reads fills and candles from one version's DuckDB file. */
export function fillRows(db: Database): Pick<Store, 'fills' | 'candles'> {
  let built: Promise<boolean> | undefined;
  const requireTables = async () => {
    built ??= hasFills(db);
    if (!(await built)) throw new NotBuilt();
  };
  return {
    async fills(filters, slice, signal) {
      await requireTables();
      const bound = new Bound();
      const asked = narrowed(FILLS_WHERE, filters, new FillConditions((text) => bound.add(text)));
      const where = [...asked.fills];
      if (asked.wallets) {
        const own = `wallet IN (${asked.wallets.map((wallet) => bound.add(wallet)).join(', ')})`;
        where.push(await numbersOf(db, 'fill_wallets', own, bound, signal));
      }
      if (asked.tokens.length > 0) {
        where.push(await numbersOf(db, 'fill_tokens', asked.tokens.join(' AND '), bound, signal));
      }
      if (where.includes(NONE)) return [];
      const table = asked.wallets ? 'fills_by_wallet' : 'fills_by_token';
      const narrow = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
      const page = `SELECT * FROM ${table} ${narrow} ORDER BY ${ORDER} LIMIT ${slice.limit} OFFSET ${slice.offset}`;
      const sql = `SELECT w.wallet, f.sells, f.ts, f.shares, f.usd, f.price, ${wholeText('f.tx')} AS tx, f.nth,
          ${TOKEN_TEXTS.map((name) => `${wholeText(`t.${name}`)} AS ${name}`).join(', ')}
        FROM (${page}) f JOIN fill_wallets w ON f.wallet = w.id JOIN fill_tokens t ON f.token = t.id
        ORDER BY f.ts DESC, f.wallet, f.nth`;
      return db.ask<FillRow>(sql, bound.of(sql), signal);
    },
    async candles(filters, { limit, offset }, signal) {
      await requireTables();
      const { token_id = '' } = filters;
      const [of] = await db.ask<FillToken & { id: number }>(
        `SELECT id, ${TOKEN_TEXTS.map((name) => `${wholeText(name)} AS ${name}`).join(', ')} FROM fill_tokens WHERE token = $token`,
        { token: token_id },
        signal,
      );
      if (!of) return undefined;
      const fills = candleFills(filters, `token = ${of.id}`);
      const candles = await db.ask<Candle>(
        `WITH fills AS (SELECT *, ${intervalStart(filters.interval ?? '1h')} AS time FROM (
            SELECT *, rowid AS place FROM fills_by_token WHERE ${fills})),
          prices AS (
            SELECT time, arg_max(price, place) AS open, max(price) AS high, min(price) AS low, arg_min(price, place) AS close
            FROM fills GROUP BY time ORDER BY time LIMIT ${limit} OFFSET ${offset}),
          sides AS (
            SELECT time, coalesce(tx, place::VARCHAR) AS trade, sum(shares) AS shares,
              sum(${GROSS}) + sum(${REST}) // 1000000 AS gross, sum(${REST}) % 1000000 AS rest
            FROM fills WHERE time BETWEEN (SELECT min(time) FROM prices) AND (SELECT max(time) FROM prices)
            GROUP BY time, trade, sells),
          trades AS (
            FROM sides QUALIFY row_number() OVER (PARTITION BY time, trade ORDER BY shares DESC, gross DESC, rest DESC) = 1)
        SELECT p.*, v.* EXCLUDE (time) FROM prices p JOIN (
          SELECT time, sum(shares)::BIGINT AS volume, sum(gross)::BIGINT AS gross, sum(rest)::BIGINT AS rest, count(*)::INTEGER AS trades
          FROM trades GROUP BY time) v ON p.time = v.time
        ORDER BY p.time`,
        undefined,
        signal,
      );
      const { id: _, ...token } = of;
      return { of: token, candles };
    },
  };
}

/**
 * SQL for price times shares of a fill: whole micro-USD, and the millionths of one that are left, without which a few
 * shares would have another price. Products of 64 bits, which all engines compute alike.
 */
const GROSS = 'price::BIGINT * (shares // 1000000) + price::BIGINT * (shares % 1000000) // 1000000';
const REST = 'price::BIGINT * (shares % 1000000) % 1000000';

/** SQL for the fills that candles are made of. */
export function candleFills({ start_time, end_time }: Filters<typeof CANDLES>, ofToken: string): string {
  const from = start_time === undefined ? '' : ` AND ts >= ${BigInt(start_time)}`;
  return `${ofToken}${from}${end_time === undefined ? '' : ` AND ts <= ${BigInt(end_time)}`}`;
}

/** Whether a version's database has the tables of fills; those that earlier releases built have none. */
export async function hasFills(db: Database): Promise<boolean> {
  const found = await db.ask<{ name: string }>('SELECT table_name AS name FROM duckdb_tables()');
  return FILL_TABLES.every((table) => found.some(({ name }) => name === table));
}

const NONE = 'false';

/** Texts that are bound to statements, so that none of a request becomes SQL. */
class Bound {
  readonly #values: Record<string, SqlValue> = {};

  /** @returns The SQL that stands for the text. */
  add(text: string): string {
    const name = `p${Object.keys(this.#values).length}`;
    this.#values[name] = text;
    return `$${name}`;
  }

  /** Those that a statement names: the engine refuses others. */
  of(sql: string): Record<string, SqlValue> {
    const named = new Set(sql.match(/\$p\d+/g));
    return Object.fromEntries(Object.entries(this.#values).filter(([name]) => named.has(`$${name}`)));
  }
}

/** SQL for a condition on the numbers of fills, from one on the texts that a table tells of them. */
async function numbersOf(
  db: Database,
  table: 'fill_wallets' | 'fill_tokens',
  condition: string,
  bound: Bound,
  signal: AbortSignal | undefined,
): Promise<string> {
  const column = table === 'fill_wallets' ? 'wallet' : 'token';
  const found = `SELECT id FROM ${table} WHERE ${condition}`;
  const sql = `${found} ORDER BY id LIMIT ${MOST_NUMBERS + 1}`;
  const ids = await db.ask<{ id: number }>(sql, bound.of(sql), signal);
  if (ids.length === 0) return NONE;
  return `${column} IN (${ids.length > MOST_NUMBERS ? found : ids.map(({ id }) => id).join(', ')})`;
}
