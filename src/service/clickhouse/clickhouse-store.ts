import type { NamedFilter } from '../../contract/answer-notes.js';
import type { CANDLES } from '../../contract/candles.js';
import { RECORD_COLUMNS, type WalletRecord } from '../../contract/completeness.js';
import { type FilterMeanings, type Filters, type MarketDatasets, narrowed } from '../../contract/dataset.js';
import type { LEADERBOARD } from '../../contract/leaderboard.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { PNL } from '../../contract/pnl.js';
import type { POSITIONS } from '../../contract/positions.js';
import type { TRADES } from '../../contract/trades.js';
import { ProblemError } from '../http/problems.js';
import { lowerCase } from '../store/lower-case.js';
import { windowOf } from '../store/standings.js';
import {
  type BoardWindow,
  type CandlesOf,
  type FillRow,
  type GroupDay,
  type Lifetime,
  type MarketRow,
  type MarketSide,
  NotBuilt,
  oneMarket,
  type PositionRow,
  type Slice,
  type Standing,
  type Store,
  type WalletDay,
} from '../store/store.js';
import { type Cells, sqlLiteral } from './clickhouse-connection.js';
import {
  candlesOf,
  fillsOf,
  fillsStatement,
  latestFills,
  pricesStatement,
  tokenStatement,
  tokensStatement,
  volumesStatement,
} from './fill-statements.js';
import { columnsOf, type ResultColumn, shardOf, tableName } from './result-tables.js';
import type { Cluster, Shard } from './shard.js';
import { ShardError, tellsNotBuilt } from './shard-error.js';
import {
  aheadStatement,
  BOARD_COLUMNS,
  byPlace,
  GROUP_DAY_COLUMNS,
  groupDaysStatement,
  leaderboardStatement,
  namesStatement,
  POSITION_COLUMNS,
  positionsStatement,
  SIDE_COLUMNS,
  sidesStatement,
} from './standing-statements.js';

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
    return (await this.#askAny(marketsStatement(this.#version, filters, slice), signal)).map(marketOf);
  }

  /** Asks any one shard that works for what all have. */
  async #askAny(sql: string, signal?: AbortSignal): Promise<Cells[]> {
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
        return await this.#ask(shard, sql, timeMs, signal);
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
    // Whatever columns a shard has, since one that an earlier release pushed lacks those that came later.
    const statementOf: StatementOf = (own) =>
      `${selectStatement('*', table, [oneOfWallets(own)], 'wallet')} FORMAT TabSeparatedWithNames`;
    const parts = (await this.#gather(wallets, statementOf, signal)).map((part) => inColumns(part, RECORD_TABLE));
    return inOrder<WalletRecord>(parts, RECORD_TABLE).map(recordOfWallet);
  }

  async groupDays(filters: Filters<typeof PNL>, slice: Slice, signal?: AbortSignal): Promise<GroupDay[]> {
    // As with lifetimes, each shard must give its rows up to the page's end.
    const end = slice.offset + slice.limit;
    const statementOf: StatementOf = (wallet) => groupDaysStatement(this.#version, { ...filters, wallet }, end);
    const rows = inOrder<GroupDay>(await this.#gather(filters.wallet, statementOf, signal), GROUP_DAY_COLUMNS);
    return rows.sort((a, b) => a.day - b.day).slice(slice.offset, end);
  }

  async positions(filters: Filters<typeof POSITIONS>, slice: Slice, signal?: AbortSignal): Promise<PositionRow[]> {
    // As with lifetimes, each shard must give its rows up to the page's end.
    const end = slice.offset + slice.limit;
    const statementOf: StatementOf = (wallet) => positionsStatement(this.#version, { ...filters, wallet }, end);
    const rows = await this.#gather(filters.wallet, statementOf, signal);
    return inOrder<PositionRow>(rows, POSITION_COLUMNS).slice(slice.offset, end);
  }

  async marketSides(ids: readonly string[], signal?: AbortSignal): Promise<MarketSide[]> {
    if (ids.length === 0) return [];
    const rows = await this.#askAny(sidesStatement(this.#version, ids), signal);
    return rows.map((cells) => recordOf<MarketSide>(SIDE_COLUMNS, cells));
  }

  async leaderboard(filters: Filters<typeof LEADERBOARD>, slice: Slice, signal?: AbortSignal): Promise<Standing[]> {
    const { shards } = this.#cluster;
    const end = slice.offset + slice.limit;
    const { wallet_address: wallets } = filters;
    const statementOf = (own?: string[]) => leaderboardStatement(this.#version, filters, own, end);
    const asked = wallets
      ? this.#gather(wallets, statementOf, signal)
      : this.#askEach(shards, () => statementOf(), signal);
    const standings = (await asked).flatMap((part) =>
      part.map((cells) => recordOf<Omit<Standing, 'rank'>>(BOARD_COLUMNS, cells)),
    );
    const page = byPlace(standings, filters).slice(slice.offset, end);
    if (!wallets) return page.map((row, at) => ({ rank: slice.offset + at + 1, ...row }));
    if (page.length === 0) return [];
    // Who is ahead of a wallet may be on any shard.
    const ahead = await this.#askEach(shards, () => aheadStatement(this.#version, filters, page), signal);
    return page.map((row, at) => ({ rank: 1 + ahead.reduce((sum, [cells]) => sum + Number(cells?.[at]), 0), ...row }));
  }

  async leaderboardWindow(
    filters: Filters<typeof LEADERBOARD>,
    signal?: AbortSignal,
  ): Promise<BoardWindow | undefined> {
    const sql = `${windowOf(tableName('leaderboard_windows', this.#version), filters)} ${FORMAT}`;
    const [cells] = await this.#askAny(sql, signal);
    return cells && recordOf<BoardWindow>(WINDOW_COLUMNS, cells);
  }

  async names(filter: NamedFilter, texts: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const rows = await this.#askAny(namesStatement(this.#version, filter, texts), signal);
    return rows.map(([, name]) => name ?? '');
  }

  async fills(filters: Filters<typeof TRADES>, slice: Slice, signal?: AbortSignal): Promise<FillRow[]> {
    // As with lifetimes, each shard must give its rows up to the page's end.
    const end = slice.offset + slice.limit;
    const { proxy_wallet: wallets } = filters;
    const statementOf = (own?: string[]) =>
      fillsStatement(this.#version, own ? { ...filters, proxy_wallet: own } : filters, end);
    const parts = await (wallets
      ? this.#gather(wallets, statementOf, signal)
      : this.#askEach(this.#cluster.shards, () => statementOf(), signal));
    const page = latestFills(parts).slice(slice.offset, end);
    if (page.length === 0) return [];
    const tokens = await this.#askAny(tokensStatement(this.#version, page), signal);
    return fillsOf(page, tokens);
  }

  async candles(filters: Filters<typeof CANDLES>, slice: Slice, signal?: AbortSignal): Promise<CandlesOf> {
    const { shards } = this.#cluster;
    const own = shards.filter(({ place }) => place === shardOf(filters.token_id ?? '', shards.length));
    const ask = async (sql: string) => (await this.#askEach(own, () => sql, signal))[0] ?? [];
    const [token] = await ask(tokenStatement(this.#version, filters));
    if (!token) return undefined;
    const prices = await ask(pricesStatement(this.#version, filters, slice));
    const [first, last] = [prices[0]?.[0], prices.at(-1)?.[0]];
    const volumes =
      first && last ? await ask(volumesStatement(this.#version, filters, BigInt(first), BigInt(last))) : [];
    return candlesOf(token, prices, volumes);
  }

  /** Nothing to close: the connections belong to the cluster, which outlives its versions. */
  close(): void {}

  /** Asks each shard for the rows of its own wallets, all shards at once. */
  #gather(wallets: readonly string[] = [], statementOf: StatementOf, signal?: AbortSignal): Promise<Cells[][]> {
    const { shards } = this.#cluster;
    const own = shards.map(({ place }) => wallets.filter((wallet) => shardOf(wallet, shards.length) === place));
    const needed = shards.filter(({ place }) => own[place]?.length);
    return this.#askEach(needed, ({ place }) => statementOf(own[place] ?? []), signal);
  }

  /** Asks several shards at once for what only they have. */
  async #askEach(
    needed: readonly Shard[],
    statementOf: (shard: Shard) => string,
    signal?: AbortSignal,
  ): Promise<Cells[][]> {
    const gone = needed.find(({ problem }) => problem !== undefined);
    if (gone) throw unavailable(gone, 'cannot be asked');
    // Once one shard fails, the others need not go on.
    const rest = new AbortController();
    const either = signal ? AbortSignal.any([signal, rest.signal]) : rest.signal;
    try {
      const asked = needed.map((shard) => this.#ask(shard, statementOf(shard), this.#timeMs, either));
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
      // Such a shard is sound: if it had lost the table, the next look at it would tell.
      if (tellsNotBuilt(error)) throw new NotBuilt();
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
  // Rows of a wallet are all on one shard, and stay in its order.
  return rows.sort((a, b) => (a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0));
}

/** Rows below the names of their columns, as rows of other columns: those that they lack are null. */
function inColumns([names = [], ...rows]: readonly Cells[], columns: readonly ResultColumn[]): Cells[] {
  const places = columns.map(({ name }) => names.indexOf(name));
  return rows.map((cells) => places.map((place) => cells[place] ?? null));
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
const WINDOW_COLUMNS = columnsOf('leaderboard_windows').filter(({ name }) => name !== 'period');
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
  // Queries of single markets are answered by `groupDays`.
  condition_id: () => {},
  event_slug: () => {},
  category: () => {},
  by: () => {},
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
  const table = tableName('wallet_days', version);
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
