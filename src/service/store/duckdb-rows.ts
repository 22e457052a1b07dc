import type { Database, SqlValue } from './database.js';
import { lowerCase } from './lower-case.js';
import { MARKET_TEXTS, type Store } from './store.js';
import { wholeText } from './whole-text.js';

const WHOLE_TEXTS = MARKET_TEXTS.map((name) => `${wholeText(name)} AS ${name}`).join(', ');

/** One version's rows, read by SQL from its DuckDB file: the source of truth, used where nothing faster can answer. */
export function duckDbRows(db: Database): Store {
  return {
    markets: (filters, slice, signal) => {
      const where = new Where();
      where.add(filters.closed, (p) => `closed = ${p}`);
      where.add(filters.min_volume, (p) => `volume >= ${p}`);
      where.add(lowered(filters.market_slug), (p) => `contains(searched, ${p})`);
      where.add(millis(filters.end_date_min), (p) => `end_ms >= ${p}`);
      where.add(millis(filters.end_date_max), (p) => `end_ms <= ${p}`);
      where.add(filters.condition_id === 'ALL' ? undefined : filters.condition_id, (p) => `condition_id = ${p}`);
      where.add(lowered(filters.event_slug), (p) => `lower(event_slug) = ${p}`);
      const order = 'ORDER BY volume DESC, condition_id';
      // Only the texts of the page's markets are checked, not those of every market that the filters pass.
      return db.ask(
        `SELECT * REPLACE (${WHOLE_TEXTS}) FROM (
          SELECT * EXCLUDE (searched) FROM market_rows ${where} ${order} ${part(slice)}) ${order}`,
        where.values,
        signal,
      );
    },
    walletDays: ({ wallets, from, to, conditionId }, signal) => {
      const where = new Where();
      where.addWallets(wallets);
      where.add(conditionId, (p) => `condition_id = ${p}`);
      where.add(from, (p) => `day >= ${p}`);
      where.add(to, (p) => `day <= ${p}`);
      const table = conditionId === undefined ? 'wallet_days' : 'wallet_market_days';
      const columns = 'wallet, day, invested, pnl, trades, wins, losses';
      return db.ask(`SELECT ${columns} FROM ${table} ${where} ORDER BY wallet, day`, where.values, signal);
    },
    lifetimes: (wallets, slice, signal) => {
      const where = new Where();
      where.addWallets(wallets);
      const columns = 'wallet, trades, traded, invested, pnl, last_ts';
      return db.ask(`SELECT ${columns} FROM lifetimes ${where} ORDER BY wallet ${part(slice)}`, where.values, signal);
    },
    close: () => db.close(),
  };
}

function part({ limit, offset }: { limit: number; offset: number }): string {
  return `LIMIT ${limit} OFFSET ${offset}`;
}

function lowered(text: string | undefined): string | undefined {
  return text === undefined ? undefined : lowerCase(text);
}

function millis(seconds: number | undefined): bigint | undefined {
  return seconds === undefined ? undefined : BigInt(seconds) * 1000n;
}

/** Conditions with bound values: no text of a request becomes SQL. */
class Where {
  readonly values: Record<string, SqlValue> = {};
  readonly #conditions: string[] = [];

  /** Adds a condition unless the value is absent. */
  add(value: SqlValue | undefined, condition: (parameter: string) => string): void {
    if (value === undefined) return;
    const name = `p${Object.keys(this.values).length}`;
    this.values[name] = value;
    this.#conditions.push(condition(`$${name}`));
  }

  addWallets(wallets: readonly string[]): void {
    const names = wallets.map((wallet, index) => {
      this.values[`w${index}`] = wallet;
      return `$w${index}`;
    });
    this.#conditions.push(names.length === 1 ? `wallet = ${names[0]}` : `wallet IN (${names.join(', ')})`);
  }

  toString(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}
