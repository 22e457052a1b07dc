import { hash } from 'node:crypto';
import { type FigureKind, RECORD_COLUMNS } from '../../contract/completeness.js';

/** A column of a result table as ClickHouse holds it. */
export interface ResultColumn {
  readonly name: string;
  readonly type: 'Int8' | 'Int32' | 'Int64' | 'String';
  readonly nullable?: true;
  /** Its value in DuckDB's SQL, if it is not the column of the same name. */
  readonly from?: string;
}

/** A table that queries are answered from. */
export interface ResultTable {
  readonly name:
    | 'market_rows'
    | 'wallet_days'
    | 'wallet_market_days'
    | 'lifetimes'
    | 'wallet_records'
    | 'fills_by_wallet'
    | 'fills_by_token'
    | 'fill_tokens'
    | 'positions'
    | 'market_sides'
    | 'leaderboard'
    | 'leaderboard_windows';
  readonly columns: readonly ResultColumn[];
  /** The columns by which the rows are sorted and found. */
  readonly key: string;
  /** Rows between two marks of the key's index: few if one key is read at a time. */
  readonly granularity: number;
  /** The source of its rows in DuckDB's SQL, if it is not the table of the same name. */
  readonly source?: string;
  /** The text of the source by whose hash a row's shard is chosen; without one, every shard has all rows. */
  readonly shardBy?: 'wallet' | 'token_text';
  /** Whether versions of earlier releases lack it. */
  readonly isLater?: true;
}

const text = (name: string): ResultColumn => ({ name, type: 'String' });
const maybeText = (name: string): ResultColumn => ({ name, type: 'String', nullable: true });
const money = (name: string): ResultColumn => ({ name, type: 'Int64' });
const maybeMoney = (name: string): ResultColumn => ({ name, type: 'Int64', nullable: true });
const count = (name: string): ResultColumn => ({ name, type: 'Int32' });

const DAY_COLUMNS = [count('day'), money('invested'), money('pnl'), count('trades'), count('wins'), count('losses')];

const FILL_COLUMNS = [
  text('wallet'),
  count('token'),
  { name: 'sells', type: 'Int8' },
  ...['ts', 'shares', 'usd'].map(money),
  count('price'),
  maybeText('tx'),
  count('nth'),
] as const satisfies readonly ResultColumn[];

const RECORD_TYPES: Readonly<Record<FigureKind, ResultColumn['type']>> = {
  time: 'Int64',
  count: 'Int32',
  micros: 'Int64',
  truth: 'Int8',
  parts: 'String',
};

/** The tables and columns of a version that are pushed to a cluster: only what queries read. */
export const RESULT_TABLES: readonly ResultTable[] = [
  {
    name: 'market_rows',
    columns: [
      count('place'),
      text('condition_id'),
      ...['question', 'slug', 'event_slug'].map(maybeText),
      { name: 'closed', type: 'Int8', from: 'closed::TINYINT' },
      money('volume'),
      ...['start_ms', 'end_ms', 'close_ms'].map((name): ResultColumn => ({ name, type: 'Int64', nullable: true })),
      ...['token_a', 'token_b', 'outcome_a', 'outcome_b'].map(maybeText),
      { name: 'winner', type: 'Int8', nullable: true },
      // In DuckDB's lower case: engines differ in the letters that they know.
      text('searched'),
      { name: 'event_searched', type: 'String', nullable: true, from: 'lower(event_slug)' },
    ],
    key: 'place',
    granularity: 128,
    // `place` is the order of answers: a page is found by these numbers, and only its own rows are read whole.
    source: `(SELECT m.*, p.place FROM market_rows m JOIN (
      SELECT rowid AS row, row_number() OVER (ORDER BY volume DESC, condition_id) AS place FROM market_rows) p
      ON m.rowid = p.row)`,
  },
  {
    name: 'wallet_days',
    columns: [text('wallet'), ...DAY_COLUMNS],
    key: 'wallet, day',
    granularity: 1024,
    shardBy: 'wallet',
  },
  {
    name: 'wallet_market_days',
    columns: [text('wallet'), text('condition_id'), ...DAY_COLUMNS],
    key: 'wallet, condition_id, day',
    granularity: 1024,
    shardBy: 'wallet',
  },
  {
    name: 'lifetimes',
    columns: [text('wallet'), count('trades'), money('traded'), money('invested'), money('pnl'), money('last_ts')],
    key: 'wallet',
    granularity: 1024,
    shardBy: 'wallet',
  },
  {
    name: 'wallet_records',
    columns: [
      text('wallet'),
      ...RECORD_COLUMNS.map(({ column, kind }): ResultColumn => {
        const from = kind === 'truth' ? { from: `${column}::TINYINT` } : {};
        return { name: column, type: RECORD_TYPES[kind], nullable: true, ...from };
      }),
    ],
    key: 'wallet',
    granularity: 1024,
    shardBy: 'wallet',
  },
  {
    name: 'fills_by_wallet',
    columns: FILL_COLUMNS,
    key: 'wallet, ts',
    granularity: 1024,
    source: '(SELECT f.* EXCLUDE (wallet), w.wallet FROM fills_by_wallet f JOIN fill_wallets w ON f.wallet = w.id)',
    shardBy: 'wallet',
    isLater: true,
  },
  {
    name: 'fills_by_token',
    columns: [...FILL_COLUMNS, count('place')],
    key: 'token, ts',
    granularity: 1024,
    // `place` is the order of a token's fills, the latest first.
    source: `(SELECT f.* EXCLUDE (wallet), f.rowid AS place, w.wallet, t.token AS token_text
      FROM fills_by_token f JOIN fill_wallets w ON f.wallet = w.id JOIN fill_tokens t ON f.token = t.id)`,
    shardBy: 'token_text',
    isLater: true,
  },
  {
    name: 'fill_tokens',
    columns: [
      count('id'),
      ...['token', 'condition_id'].map(text),
      ...['slug', 'event_slug', 'category', 'outcome', 'slug_key', 'event_key', 'category_key'].map(maybeText),
    ],
    key: 'token',
    granularity: 128,
    isLater: true,
  },
  {
    name: 'positions',
    columns: [
      text('wallet'),
      text('condition_id'),
      { name: 'side', type: 'Int8' },
      ...['shares', 'cost'].map(money),
      maybeMoney('average'),
      ...['realized', 'invested', 'opened', 'last_traded'].map(money),
    ],
    key: 'wallet, condition_id, side',
    granularity: 1024,
    shardBy: 'wallet',
    isLater: true,
  },
  {
    name: 'market_sides',
    columns: [
      text('condition_id'),
      { name: 'side', type: 'Int8' },
      ...['token', 'outcome', 'slug', 'question', 'event_slug', 'category', 'event_category'].map(maybeText),
      { name: 'last_price', type: 'Int32', nullable: true },
      { name: 'winner', type: 'Int8', nullable: true },
      { name: 'closed', type: 'Int8' },
      { name: 'close_ms', type: 'Int64', nullable: true },
      // In DuckDB's lower case, as `searched` above.
      ...['event_key', 'category_key'].map(maybeText),
    ],
    key: 'condition_id, side',
    granularity: 128,
    isLater: true,
  },
  {
    name: 'leaderboard',
    columns: [
      count('period'),
      text('wallet'),
      ...['pnl', 'traded'].map(money),
      ...['trades', 'markets'].map(count),
      ...['roi', 'win_rate', 'sharpe'].map(maybeMoney),
    ],
    key: 'period, wallet',
    granularity: 1024,
    shardBy: 'wallet',
    isLater: true,
  },
  {
    name: 'leaderboard_windows',
    columns: ['period', 'first_day', 'last_day', 'wallets', 'others'].map(count),
    key: 'period',
    granularity: 128,
    isLater: true,
  },
];

export function columnsOf(table: ResultTable['name']): readonly ResultColumn[] {
  return RESULT_TABLES.find(({ name }) => name === table)?.columns ?? [];
}

/** The beginning of the names of all tables of this service, in a database that others may use, too. */
export const TABLE_PREFIX = 'oddslab_';

/**
 * The name of a version's table.
 *
 * @example tableName('lifetimes', '000012-1b9f03ac'); // 'oddslab_000012_1b9f03ac_lifetimes'
 */
export function tableName(table: ResultTable['name'], version: string): string {
  return `${TABLE_PREFIX}${version.replace('-', '_')}_${table}`;
}

export function createTable({ name, columns, key, granularity }: ResultTable, version: string): string {
  const declared = columns.map(
    (column) => `${column.name} ${column.nullable ? `Nullable(${column.type})` : column.type}`,
  );
  return (
    `CREATE TABLE ${tableName(name, version)} (${declared.join(', ')}) ENGINE = MergeTree ORDER BY (${key}) ` +
    `SETTINGS index_granularity = ${granularity}`
  );
}

/**
 * The shard that holds the rows of a wallet or a token, by a hash of its text: addresses themselves are not evenly
 * spread, as people may choose them. {@link shardOfColumn} is the same in DuckDB's SQL.
 *
 * @returns The shard's place, from 0.
 */
export function shardOf(id: string, shards: number): number {
  return Number(Buffer.from(hash('md5', id, 'hex').slice(0, 16), 'hex').readBigUInt64LE(0) % BigInt(shards));
}

/** {@link shardOf} as SQL over a column. */
export function shardOfColumn(column: string, shards: number): string {
  return `(md5_number_upper(${column}) % ${shards})::INTEGER`;
}
