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
import { shardOf, tableName } from './result-tables.js';
import type { Cluster, Shard } from './shard.js';
import { ShardError } from './shard-error.js';

/** The statement for the rows of some wallets. */
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

  /**
   * @param version The version's id.
   * @param timeMs Milliseconds that a statement may take.
   */
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
        return (await this.#ask(shard, sql, timeMs, signal)).map(readMarketRow);
      } catch (error) {
        if (!(error instanceof ProblemError) || signal?.aborted) throw error;
        last = error;
      }
    }
    throw last;
  }

  async walletDays(filters: Filters<typeof PNL>, signal?: AbortSignal): Promise<WalletDay[]> {
    const statementOf: StatementOf = (wallet) => walletDaysStatement(this.#version, { ...filters, wallet });
    return inOrder(await this.#gather(filters.wallet, statementOf, signal), readWalletDay);
  }

  async lifetimes(filters: Filters<typeof LIFETIME>, slice: Slice, signal?: AbortSignal): Promise<Lifetime[]> {
    // The rows before the page may be on any of the shards, so each must give all its rows up to the page's end.
    const end = slice.offset + slice.limit;
    const statementOf: StatementOf = (wallet_address) =>
      lifetimesStatement(this.#version, { ...filters, wallet_address }, { limit: end, offset: 0 });
    return inOrder(await this.#gather(filters.wallet_address, statementOf, signal), readLifetime).slice(
      slice.offset,
      end,
    );
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

/**
 * The error that a client gets for a failed statement. A shard that is gone is marked, and not asked until it is back.
 */
function noteFault(shard: Shard, error: unknown): unknown {
  if (!(error instanceof ShardError) || error.fault === 'failed') return error;
  if (error.fault !== 'busy') shard.mark(error.message);
  else if (shard.problem === undefined) return unavailable(shard, 'takes too long');
  return unavailable(shard, 'cannot be asked');
}

/** Merges the rows of several shards, each sorted by wallet, into one list sorted by wallet. */
function inOrder<Row extends { wallet: string }>(parts: readonly Cells[][], read: (cells: Cells) => Row): Row[] {
  const rows = parts.flatMap((part) => part.map(read));
  if (parts.length < 2) return rows;
  return rows.sort((a, b) => (a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0));
}

const FORMAT = 'FORMAT TabSeparated';

/** Columns of a market, in the order in which {@link marketRow} reads them. */
const MARKET_COLUMNS =
  'condition_id, question, slug, event_slug, closed, volume, start_ms, end_ms, close_ms, token_a, token_b, ' +
  'outcome_a, outcome_b, winner';

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
  return `${selectStatement(MARKET_COLUMNS, table, [`place IN (${places})`], 'place')} ${FORMAT}`;
}

/** The statement for days with an event, by wallet, then day. */
function walletDaysStatement(version: string, filters: Filters<typeof PNL>): string {
  const isWhole = oneMarket(filters.condition_id) === undefined;
  const table = tableName(isWhole ? 'wallet_days' : 'wallet_market_days', version);
  const columns = 'wallet, day, invested, pnl, trades, wins, losses';
  return `${selectStatement(columns, table, narrowed(DAY_CONDITIONS, filters, []), 'wallet, day')} ${FORMAT}`;
}

/** The statement for wallets with an event, by address. */
function lifetimesStatement(version: string, filters: Filters<typeof LIFETIME>, slice: Slice): string {
  const columns = 'wallet, trades, traded, invested, pnl, last_ts';
  const conditions = narrowed(LIFETIME_CONDITIONS, filters, []);
  return `${selectStatement(columns, tableName('lifetimes', version), conditions, 'wallet', slice)} ${FORMAT}`;
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

/** Reads a row of {@link marketsStatement}. */
function readMarketRow(cells: Cells): MarketRow {
  const [condition_id, question, slug, event_slug, closed, volume, start, end, close, ...rest] = cells;
  const [token_a, token_b, outcome_a, outcome_b, winner] = rest;
  return {
    condition_id: textCell(condition_id),
    question: textCell(question),
    slug: textCell(slug),
    event_slug: event_slug ?? null,
    closed: closed === '1',
    volume: integerCell(volume),
    start_ms: millisCell(start),
    end_ms: millisCell(end),
    close_ms: millisCell(close),
    token_a: textCell(token_a),
    token_b: textCell(token_b),
    outcome_a: textCell(outcome_a),
    outcome_b: textCell(outcome_b),
    winner: winner === null || winner === undefined ? null : Number(winner),
  };
}

/** Reads a row of {@link walletDaysStatement}. */
function readWalletDay([wallet, day, invested, pnl, trades, wins, losses]: Cells): WalletDay {
  return {
    wallet: textCell(wallet),
    day: Number(day),
    invested: integerCell(invested),
    pnl: integerCell(pnl),
    trades: Number(trades),
    wins: Number(wins),
    losses: Number(losses),
  };
}

/** Reads a row of {@link lifetimesStatement}. */
function readLifetime([wallet, trades, traded, invested, pnl, last]: Cells): Lifetime {
  return {
    wallet: textCell(wallet),
    trades: Number(trades),
    traded: integerCell(traded),
    invested: integerCell(invested),
    pnl: integerCell(pnl),
    last_ts: integerCell(last),
  };
}

/** Lets null pass despite the type, as the other engine does: a source may lack a token or an outcome. */
function textCell(cell: string | null | undefined): string {
  return cell as string;
}

function integerCell(cell: string | null | undefined): bigint {
  if (cell === null || cell === undefined) throw new RangeError('A row of ClickHouse lacks a number');
  return BigInt(cell);
}

function millisCell(cell: string | null | undefined): bigint | null {
  return cell === null || cell === undefined ? null : BigInt(cell);
}
