import { RECORD_COLUMNS, type WalletRecord } from '../../contract/completeness.js';
import { type FilterMeanings, type Filters, type MarketDatasets, narrowed } from '../../contract/dataset.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { PNL } from '../../contract/pnl.js';
import { ProblemError } from '../http/problems.js';
import {
  type Lifetime,
  lowerCase,
  type MarketRow,
  oneMarket,
  type Slice,
  type Store,
  type WalletDay,
} from '../store/store.js';
import { type Cells, sqlLiteral } from './clickhouse-connection.js';
import { columnsOf, type ResultColumn, shardOf, tableName } from './result-tables.js';
import type { Cluster, Shard } from './shard.js';
import { ShardError } from './shard-error.js';

type StatementOf = (wallets: string[]) => string;

/**
 * The distributed store: one version's tables on the shards of a cluster. A query for wallets goes to their own shards,
 * all at once; a query for markets goes to any one shard that works.
 *
 * An answer is never partial: if a shard that it needs cannot be asked, it is a {@link ProblemError} 503.
 */
export class ClickHouseStore implements Store {
  readonly #cluster: Cluster;
  readonly #version: string;
  readonly #timeMs: number;
  #turn = 0;

  /** @param version The version's id. */
  constructor(cluster: Cluster, version: string, timeMs: number) {
    this.#cluster = cluster;
    this.#version = version;
    this.#timeMs = timeMs;
  }

  async markets(filters: Filters<MarketDatasets>, slice: Slice, signal?: AbortSignal): Promise<MarketRow[]> {
    const sql = marketsStatement(this.#version, filters, slice);
    const { shards } = this.#cluster;
    const first = this.#turn++ % shards.length;
    const inTurn = [...shards.slice(first), ...shards.slice(0, first)];
    const sound = inTurn.filter(({ problem }) => problem === undefined);
    const asked = [...sound.filter((shard) => !shard.isSuspected), ...sound.filter((shard) => shard.isSuspected)];
    const deadline = performance.now() + this.#timeMs;
    let last: unknown = new ProblemError(503, 'No shard of the cluster can be asked now. Ask again later.', RETRY);
    for (const shard of asked) {
      const leftMs = Math.max(1, deadline - performance.now());
      // A shard that hangs must leave time to ask another.
      const timeMs = shard === asked.at(-1) ? leftMs : leftMs / 2;
      try {
        return (await this.#ask(shard, sql, timeMs, signal)).map(marketOf);
      } catch (error) {
        if (!(error instanceof ProblemError) || signal?.aborted) throw error;
        last = error;
      }
    }
    throw last;
  }

  async walletDays(filters: Filters<typeof PNL>, signal?: AbortSignal): Promise<WalletDay[]> {
    const statementOf: StatementOf = (wallet) => walletDaysStatement(this.#version, { ...filters, wallet });
    return inOrder<WalletDay>(await this.#gather(filters.wallet, statementOf, signal), DAY_COLUMNS);
  }

  async lifetimes(filters: Filters<typeof LIFETIME>, slice: Slice, signal?: AbortSignal): Promise<Lifetime[]> {
    // The rows before the page may be on any of the shards, so each must give all its rows up to the page's end.
    const end = slice.offset + slice.limit;
    const statementOf: StatementOf = (wallet_address) =>
      lifetimesStatement(this.#version, { ...filters, wallet_address }, { limit: end, offset: 0 });
    const rows = await this.#gather(filters.wallet_address, statementOf, signal);
    return inOrder<Lifetime>(rows, LIFETIME_COLUMNS).slice(slice.offset, end);
  }

  async walletRecords(wallets: readonly string[], signal?: AbortSignal): Promise<WalletRecord[]> {
    const table = tableName('wallet_records', this.#version);
    const statementOf: StatementOf = (own) =>
      `${selectStatement(namesOf(RECORD_TABLE), table, [oneOfWallets(own)], 'wallet')} ${FORMAT}`;
    return inOrder<WalletRecord>(await this.#gather(wallets, statementOf, signal), RECORD_TABLE).map(recordOfWallet);
  }

  /** Nothing to close: the connections belong to the cluster, which outlives its versions. */
  close(): void {}

  /** Asks each shard for the rows of its own wallets, all shards at once. */
  async #gather(wallets: readonly string[] = [], statementOf: StatementOf, signal?: AbortSignal): Promise<Cells[][]> {
    const { shards } = this.#cluster;
    const own = shards.map(({ place }) => wallets.filter((wallet) => shardOf(wallet, shards.length) === place));
    const needed = shards.filter(({ place }) => own[place]?.length);
    const gone = needed.find(({ problem }) => problem !== undefined);
    if (gone) throw unavailable(gone, 'cannot be asked');
    // Once one shard fails, the others need not go on.
    const rest = new AbortController();
    const either = signal ? AbortSignal.any([signal, rest.signal]) : rest.signal;
    try {
      const asked = needed.map((shard) => this.#ask(shard, statementOf(own[shard.place] ?? []), this.#timeMs, either));
      return await Promise.all(asked);
    } catch (error) {
      rest.abort(error);
      throw error;
    }
  }

  async #ask(shard: Shard, sql: string, timeMs: number, signal?: AbortSignal): Promise<Cells[]> {
    try {
      return await shard.rows(sql, { timeMs, signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : noteFault(shard, error);
    }
  }
}

const RETRY = { headers: { 'Retry-After': '1' } };

function unavailable({ name }: Shard, what: string): ProblemError {
  return new ProblemError(503, `A part of the data is not available now: ${name} ${what}. Ask again later.`, RETRY);
}

/** The error that a client gets for a failed statement. A shard that is gone is marked, and not asked until it is back. */
function noteFault(shard: Shard, error: unknown): unknown {
  if (!(error instanceof ShardError) || error.fault === 'failed') return error;
  if (error.fault !== 'busy') shard.mark(error.message);
  else if (shard.problem === undefined) return unavailable(shard, 'takes too long');
  return unavailable(shard, 'cannot be asked');
}

/** Reads the rows of several shards, each sorted by wallet, into one list sorted by wallet. */
function inOrder<Row extends { wallet: string }>(parts: readonly Cells[][], columns: readonly ResultColumn[]): Row[] {
  const rows = parts.flatMap((part) => part.map((cells) => recordOf<Row>(columns, cells)));
  if (parts.length < 2) return rows;
  return rows.sort((a, b) => (a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0));
}

function marketOf(cells: Cells): MarketRow {
  const record = recordOf<MarketRow>(MARKET_COLUMNS, cells);
  return { ...record, closed: Boolean(record.closed) };
}

/** A record as the other engine gives it: what is true or false is no number. */
function recordOfWallet(record: WalletRecord): WalletRecord {
  const truths = RECORD_COLUMNS.filter(({ kind }) => kind === 'truth').map(({ column }) => column);
  const booleans = truths.map((column) => [column, record[column] === null ? null : Boolean(record[column])]);
  return { ...record, ...Object.fromEntries(booleans) };
}

const READERS = { String, Int8: Number, Int32: Number, Int64: BigInt };

/**
 * Makes a record of a row. A text may be null despite the record's type, as with the other engine: a source may lack a
 * token or an outcome.
 */
function recordOf<Row>(columns: readonly ResultColumn[], cells: Cells): Row {
  const values = columns.map(({ name, type, nullable }, at) => {
    const cell = cells[at] ?? null;
    if (cell !== null) return [name, READERS[type](cell)];
    if (type !== 'String' && !nullable) throw new RangeError('A row of ClickHouse lacks a number');
    return [name, null];
  });
  return Object.fromEntries(values) as Row;
}

const FORMAT = 'FORMAT TabSeparated';

const MARKET_COLUMNS = columnsOf('market_rows').filter(({ name }) => !/^place$|searched$/.test(name));
const DAY_COLUMNS = columnsOf('wallet_days');
const LIFETIME_COLUMNS = columnsOf('lifetimes');
const RECORD_TABLE = columnsOf('wallet_records');

const MARKET_CONDITIONS: FilterMeanings<MarketDatasets, string[]> = {
  closed: (isClosed, all) => all.push(`closed = ${Number(isClosed)}`),
  min_volume: (micros, all) => all.push(`volume >= ${micros}`),
  market_slug: (text, all) => all.push(`position(searched, ${sqlLiteral(lowerCase(text))}) > 0`),
  end_date_min: (seconds, all) => all.push(`end_ms >= ${BigInt(seconds) * 1000n}`),
  end_date_max: (seconds, all) => all.push(`end_ms <= ${BigInt(seconds) * 1000n}`),
  condition_id: addMarket,
  event_slug: (text, all) => all.push(`event_searched = ${sqlLiteral(lowerCase(text))}`),
};

const DAY_CONDITIONS: FilterMeanings<typeof PNL, string[]> = {
  wallet: (wallets, all) => all.push(oneOfWallets(wallets)),
  start_time: (day, all) => all.push(`day >= ${day}`),
  end_time: (day, all) => all.push(`day <= ${day}`),
  condition_id: addMarket,
  // It leaves the days as they are.
  granularity: () => {},
};

const LIFETIME_CONDITIONS: FilterMeanings<typeof LIFETIME, string[]> = {
  wallet_address: (wallets, all) => all.push(oneOfWallets(wallets)),
};

function addMarket(conditionId: string, all: string[]): void {
  const market = oneMarket(conditionId);
  if (market !== undefined) all.push(`condition_id = ${sqlLiteral(market)}`);
}

/** The statement for the markets that pass every filter, by volume descending, then condition id. */
function marketsStatement(version: string, filters: Filters<MarketDatasets>, slice: Slice): string {
  const table = tableName('market_rows', version);
  const places = selectStatement('place', table, narrowed(MARKET_CONDITIONS, filters, []), 'place', slice);
  return `${selectStatement(namesOf(MARKET_COLUMNS), table, [`place IN (${places})`], 'place')} ${FORMAT}`;
}

/** The statement for days with an event, by wallet, then day. */
function walletDaysStatement(version: string, filters: Filters<typeof PNL>): string {
  const isWhole = oneMarket(filters.condition_id) === undefined;
  const table = tableName(isWhole ? 'wallet_days' : 'wallet_market_days', version);
  const conditions = narrowed(DAY_CONDITIONS, filters, []);
  return `${selectStatement(namesOf(DAY_COLUMNS), table, conditions, 'wallet, day')} ${FORMAT}`;
}

/** The statement for wallets with an event, by address. */
function lifetimesStatement(version: string, filters: Filters<typeof LIFETIME>, slice: Slice): string {
  const table = tableName('lifetimes', version);
  const conditions = narrowed(LIFETIME_CONDITIONS, filters, []);
  return `${selectStatement(namesOf(LIFETIME_COLUMNS), table, conditions, 'wallet', slice)} ${FORMAT}`;
}

function oneOfWallets(wallets: readonly string[]): string {
  const literals = wallets.map(sqlLiteral);
  return literals.length === 1 ? `wallet = ${literals[0]}` : `wallet IN (${literals.join(', ')})`;
}

function selectStatement(columns: string, table: string, conditions: readonly string[], order: string, slice?: Slice) {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const part = slice ? ` LIMIT ${slice.offset}, ${slice.limit}` : '';
  return `SELECT ${columns} FROM ${table}${where} ORDER BY ${order}${part}`;
}

function namesOf(columns: readonly ResultColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}
