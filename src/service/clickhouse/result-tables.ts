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
  readonly name: 'market_rows' | 'wallet_days' | 'wallet_market_days' | 'lifetimes' | 'wallet_records';
  readonly columns: readonly ResultColumn[];
  /** The columns by which the rows are sorted and found. */
  readonly key: string;
  /** Rows between two marks of the key's index: few if one key is read at a time. */
  readonly granularity: number;
  /** The source of its rows in DuckDB's SQL, if it is not the table of the same name. */
  readonly source?: string;
  /** Whether each shard has only the rows of its own wallets; otherwise every shard has all rows. */
  readonly byWallet: boolean;
}

const text = (name: string): ResultColumn => ({ name, type: 'String' });
const maybeText = (name: string): ResultColumn => ({ name, type: 'String', nullable: true });
const money = (name: string): ResultColumn => ({ name, type: 'Int64' });
const count = (name: string): ResultColumn => ({ name, type: 'Int32' });

const DAY_COLUMNS = [count('day'), money('invested'), money('pnl'), count('trades'), count('wins'), count('losses')];

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
    byWallet: false,
  },
  {
    name: 'wallet_days',
    columns: [text('wallet'), ...DAY_COLUMNS],
    key: 'wallet, day',
    granularity: 1024,
    byWallet: true,
  },
  {
    name: 'wallet_market_days',
    columns: [text('wallet'), text('condition_id'), ...DAY_COLUMNS],
    key: 'wallet, condition_id, day',
    granularity: 1024,
    byWallet: true,
  },
  {
    name: 'lifetimes',
    columns: [text('wallet'), count('trades'), money('traded'), money('invested'), money('pnl'), money('last_ts')],
    key: 'wallet',
    granularity: 1024,
    byWallet: true,
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
    byWallet: true,
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
 * The shard that holds a wallet's rows, by a hash of its address: addresses themselves are not evenly spread, as people
 * may choose them. {@link shardOfWallet} is the same in DuckDB's SQL.
 *
 * @returns The shard's place, from 0.
 */
export function shardOf(wallet: string, shards: number): number {
  return Number(Buffer.from(hash('md5', wallet, 'hex').slice(0, 16), 'hex').readBigUInt64LE(0) % BigInt(shards));
}

/** {@link shardOf} as SQL over the column `wallet`. */
export function shardOfWallet(shards: number): string {
  return `(md5_number_upper(wallet) % ${shards})::INTEGER`;
}
