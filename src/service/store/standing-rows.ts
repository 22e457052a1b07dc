import { wholeText } from '../../base/duckdb.js';
import type { Database, SqlValue } from './database.js';
import { type NameDialect, namesSql } from './known-names.js';
import {
  type BucketDialect,
  bucketSql,
  countsFromFirst,
  daysWhere,
  leaderboardWhere,
  orderOf,
  positionsWhere,
  STANDING_TABLES,
  StandingConditions,
  sideColumn,
  windowOf,
} from './standings.js';
import {
  type BoardWindow,
  type GroupDay,
  type MarketSide,
  NotBuilt,
  SIDE_TEXTS,
  type Standing,
  type Store,
} from './store.js';

const BOARD_COLUMNS = 'wallet, pnl, traded, trades, markets, roi, win_rate, sharpe';

const DUCKDB: Omit<NameDialect, 'literal'> = {
  table: (name) => name,
  eventKey: 'lower(event_slug)',
  starts: (column, part) => `starts_with(${column}, ${part})`,
  ends: (column, part) => `ends_with(${column}, ${part})`,
  contains: (column, part) => `contains(${column}, ${part})`,
};

const MONTHS: BucketDialect = {
  month: `day - day(DATE '1970-01-01' + day) + 1`,
  quotient: (a, b) => `((${a}) // ${b})`,
};

const DAY_SUMS = `sum(invested)::BIGINT AS invested, sum(pnl)::BIGINT AS pnl, sum(trades)::INTEGER AS trades,
  sum(wins)::INTEGER AS wins, sum(losses)::INTEGER AS losses`;

/** Reads positions, leaderboards and the days of wallets in markets from one version's DuckDB file. */
export function standingRows(
  db: Database,
): Pick<Store, 'positions' | 'marketSides' | 'leaderboard' | 'leaderboardWindow' | 'groupDays' | 'names'> {
  let built: Promise<boolean> | undefined;
  const requireTables = async () => {
    built ??= hasStandings(db);
    if (!(await built)) throw new NotBuilt();
  };
  return {
    async positions(filters, { limit, offset }, signal) {
      await requireTables();
      const bound = new BoundTexts();
      const where = positionsWhere(filters, bound.conditions);
      const sql = `FROM positions ${where} ORDER BY wallet, condition_id, side LIMIT ${limit} OFFSET ${offset}`;
      return db.ask(sql, bound.values, signal);
    },
    async marketSides(ids, signal) {
      await requireTables();
      if (ids.length === 0) return [];
      const bound = new BoundTexts();
      bound.conditions.oneOf('condition_id', ids);
      const texts = SIDE_TEXTS.map((name) => `${wholeText(name)} AS ${name}`).join(', ');
      return db.ask<MarketSide>(
        `SELECT * REPLACE (${texts}) FROM market_sides ${bound.conditions}`,
        bound.values,
        signal,
      );
    },
    async leaderboard(filters, { limit, offset }, signal) {
      await requireTables();
      const bound = new BoundTexts();
      const where = leaderboardWhere(filters, bound.conditions);
      const order = orderOf(where);
      const part = `LIMIT ${limit} OFFSET ${offset}`;
      if (!where.wallets) {
        const sql = `SELECT ${BOARD_COLUMNS} FROM leaderboard ${where} ORDER BY ${order} ${part}`;
        const rows = await db.ask<Omit<Standing, 'rank'>>(sql, bound.values, signal);
        return rows.map((row, at) => ({ rank: offset + at + 1, ...row }));
      }
      const own = new StandingConditions(bound.add, '');
      own.oneOf('wallet', where.wallets);
      const ranked = `SELECT ${BOARD_COLUMNS}, (row_number() OVER (ORDER BY ${order}))::INTEGER AS rank FROM leaderboard ${where}`;
      return db.ask(`FROM (${ranked}) ${own} ORDER BY rank ${part}`, bound.values, signal);
    },
    async leaderboardWindow(filters, signal) {
      await requireTables();
      const [window] = await db.ask<BoardWindow>(windowOf('leaderboard_windows', filters), undefined, signal);
      return window;
    },
    async names(filter, texts, signal) {
      await requireTables();
      const bound = new BoundTexts();
      const found = await db.ask<{ name: string }>(
        `SELECT ${wholeText('name')} AS name FROM (${namesSql(filter, texts, { ...DUCKDB, literal: bound.add })})`,
        bound.values,
        signal,
      );
      return found.map(({ name }) => name);
    },
    async groupDays(filters, { limit, offset }, signal) {
      const column = sideColumn(filters);
      if (column || filters.category !== undefined || filters.event_slug !== undefined) await requireTables();
      const bound = new BoundTexts();
      const where = daysWhere(filters, bound.conditions);
      const key = column ?? (filters.by === 'market' ? 'condition_id' : 'NULL::VARCHAR');
      const label = column === 'event_slug' ? 'min(event_category)' : 'NULL::VARCHAR';
      const days = [`SELECT * FROM wallet_market_days ${where}`];
      if (countsFromFirst(filters)) days.push('SELECT *, min(day) OVER (PARTITION BY wallet) AS first_day FROM days');
      if (column) {
        days.push(`SELECT d.*, s.${column}, s.event_category FROM days d
          LEFT JOIN market_sides s ON d.condition_id = s.condition_id AND s.side = 0`);
      }
      const bucket = bucketSql(filters, MONTHS);
      const groups = ['wallet', ...(filters.granularity === 'all' ? [] : ['bucket']), 'key'].join(', ');
      const from = days.reduce((inner, outer) => outer.replace('FROM days', () => `FROM (${inner})`));
      const sql = `SELECT wallet, bucket::INTEGER AS day, ${wholeText('key')} AS key, ${wholeText('label')} AS event_category,
          invested, pnl, trades, wins, losses
        FROM (SELECT wallet, ${bucket} AS bucket, ${key} AS key, ${label} AS label, ${DAY_SUMS} FROM (${from}) GROUP BY ${groups})
        ORDER BY bucket, wallet, key NULLS LAST LIMIT ${limit} OFFSET ${offset}`;
      return db.ask<GroupDay>(sql, bound.values, signal);
    },
  };
}

/** Whether a version has the tables of positions and leaderboards, as those of earlier releases have not, or not whole. */
export async function hasStandings(db: Database): Promise<boolean> {
  const found = await db.ask<{ name: string; latest: boolean }>(
    `SELECT table_name AS name, bool_or(column_name = '${LATEST_COLUMN}') AS latest FROM duckdb_columns() GROUP BY table_name`,
  );
  return STANDING_TABLES.every((table) =>
    found.some(({ name, latest }) => name === table && (latest || table !== 'market_sides')),
  );
}

/** The column of `market_sides` that came last: a table without it is an earlier release's. */
const LATEST_COLUMN = 'close_ms';

/** Texts that are bound to a statement, so that none of a request becomes SQL. */
class BoundTexts {
  readonly values: Record<string, SqlValue> = {};
  readonly conditions = new StandingConditions((text) => this.add(text), 'market_sides');

  /** @returns The SQL that stands for the text. */
  readonly add = (text: string): string => {
    const name = `p${Object.keys(this.values).length}`;
    this.values[name] = text;
    return `$${name}`;
  };
}
