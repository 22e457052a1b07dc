import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { CANDLES } from '../contract/candles.js';
import {
  answeredDataset,
  type Dataset,
  type DatasetRecord,
  findDataset,
  type QueryOptions,
  unknownDataset,
} from '../contract/dataset.js';
import { LEADERBOARD } from '../contract/leaderboard.js';
import { LIFETIME } from '../contract/lifetime.js';
import { MARKETS } from '../contract/markets.js';
import { PNL, type PNL_BY } from '../contract/pnl.js';
import { POSITIONS } from '../contract/positions.js';
import { TRADES } from '../contract/trades.js';
import { leaderboardLine } from '../frame/tabular/leaderboard-line.js';
import type { Provenance } from '../frame/tabular/provenance.js';
import { CONNECT_OPTION_NAMES, type ConnectOptions, readConnectOptions } from './connect-options.js';
import { Query } from './dataset-query.js';
import { servicePages } from './paging/service-pages.js';
import type { Connection } from './query-run.js';
import { checkCount, type RunOptions } from './run-options.js';
import { readSnapshotOptions } from './snapshot/snapshot-options.js';
import { snapshotPages } from './snapshot/snapshot-pages.js';
import { hideKey } from './transport/server-text.js';
import { openTransport, type Transport } from './transport/transport.js';

/** A market record as it is in a frame; the README describes its fields. */
export type MarketRecord = DatasetRecord<typeof MARKETS>;
/** A profit-and-loss record as it is in a frame; the README describes its fields. */
export type PnlRecord = DatasetRecord<typeof PNL>;
/** A profit-and-loss record by market, event or category as it is in a frame; the README describes its fields. */
export type PnlByRecord = DatasetRecord<typeof PNL_BY>;
/** A place in the leaderboard as it is in a frame; the README describes its fields. */
export type LeaderboardPlace = DatasetRecord<typeof LEADERBOARD>;
/** A position as it is in a frame; the README describes its fields. */
export type PositionRecord = DatasetRecord<typeof POSITIONS>;
/** A lifetime record as it is in a frame; the README describes its fields. */
export type LifetimeRecord = DatasetRecord<typeof LIFETIME>;
/** A trade as it is in a frame; the README describes its fields. */
export type TradeRecord = DatasetRecord<typeof TRADES>;
/** A candle as it is in a frame; the README describes its fields. */
export type CandleRecord = DatasetRecord<typeof CANDLES>;

// Mapped here: errors about an alias or an interface without members name the type behind it instead.
/** Filters of {@link Client.markets}; `oddslab query --help` describes each. */
export type MarketFilters = { [K in keyof QueryOptions<typeof MARKETS>]: QueryOptions<typeof MARKETS>[K] };
/** What profit and loss can be told by. */
export type PnlGroup = Exclude<QueryOptions<typeof PNL>['by'], undefined>;
/** Filters of {@link Client.pnl}, which follow from what it is told by; `oddslab query --help` describes each. */
export type PnlFilters<By extends PnlGroup | undefined = PnlGroup | undefined> = {
  [K in keyof QueryOptions<typeof PNL> as Exclude<K, 'by'>]: QueryOptions<typeof PNL>[K];
} & { readonly by?: By };
/** A record of {@link Client.pnl}: with `by`, one of a market, event or category. */
export type PnlRow<By extends PnlGroup | undefined> = [By] extends [PnlGroup] ? PnlByRecord : PnlRecord;
/** Filters of {@link Client.leaderboard}; `oddslab query --help` describes each. */
export type LeaderboardFilters = {
  [K in keyof QueryOptions<typeof LEADERBOARD>]: QueryOptions<typeof LEADERBOARD>[K];
};
/** Filters of {@link Client.positions}; `oddslab query --help` describes each. */
export type PositionFilters = { [K in keyof QueryOptions<typeof POSITIONS>]: QueryOptions<typeof POSITIONS>[K] };
/** Filters of {@link Client.lifetime}; `oddslab query --help` describes each. */
export type LifetimeFilters = { [K in keyof QueryOptions<typeof LIFETIME>]: QueryOptions<typeof LIFETIME>[K] };
/** Filters of {@link Client.trades}; `oddslab query --help` describes each. */
export type TradeFilters = { [K in keyof QueryOptions<typeof TRADES>]: QueryOptions<typeof TRADES>[K] };
/** Filters of {@link Client.candles}; `oddslab query --help` describes each. */
export type CandleFilters = { [K in keyof QueryOptions<typeof CANDLES>]: QueryOptions<typeof CANDLES>[K] };

/** Options of {@link Client.wallets}: filters of the leaderboard, its order and how many. */
export type WalletsOptions = LeaderboardFilters & {
  readonly by?: LeaderboardFilters['sortBy'];
  readonly top?: number | undefined;
};

/** What the queries of a client run on. */
export let connectionOf: (client: Client) => Connection;

/** A connection to one query service. Its methods make queries; nothing is sent before a query is used. */
export class Client {
  readonly #connection: Connection;
  readonly #transport: Transport | undefined;
  /** Base address of the service; empty if a snapshot is replayed without one. */
  readonly baseUrl: string;

  /** @internal Use {@link connect}. */
  constructor(baseUrl: string, connection: Connection, transport: Transport | undefined) {
    this.baseUrl = baseUrl;
    this.#connection = connection;
    this.#transport = transport;
  }

  static {
    connectionOf = (client) => client.#connection;
  }

  /**
   * Markets (dataset 574). Oddslab's service sends them by volume, the largest first.
   *
   * @example await client.markets({ closed: true, minVolume: 1e5, endDateMin: '2026-01-01' }, { maxRecords: 500 }).frame();
   */
  markets(filters: MarketFilters = {}, run: RunOptions = {}): Query<MarketRecord> {
    return this.#query<MarketRecord>(MARKETS, filters, run);
  }

  /**
   * Realized profit and loss of wallets over time (dataset 569): one record for each bucket, or with `by` one for each
   * market, event or category and bucket, with columns that name it. Several wallets give one frame.
   *
   * @param filters Needs `wallet`: an address, or a list of them.
   * @example
   * await client.pnl({ wallet, granularity: '1w', startTime: '2025-06-01' }).frame();
   * await client.pnl({ wallet, by: 'market', granularity: 'all' }).frame();
   */
  pnl<By extends PnlGroup | undefined = undefined>(filters: PnlFilters<By>, run: RunOptions = {}): Query<PnlRow<By>> {
    return this.#query<PnlRow<By>>(PNL, filters, run);
  }

  /**
   * Wallets by what they realized in a period (dataset 579), the best first; no wallet has to be named.
   *
   * @param filters `wallet` narrows the answer to wallets, each with its place among all.
   * @example await client.leaderboard({ period: '30d', minTrades: 50, sortBy: 'roi' }, { maxRecords: 20 }).frame();
   */
  leaderboard(filters: LeaderboardFilters = {}, run: RunOptions = {}): Query<LeaderboardPlace> {
    return this.#query<LeaderboardPlace>(LEADERBOARD, filters, run);
  }

  /**
   * What wallets hold and held, by market and outcome (dataset 9001): shares, cost, realized and unrealized profit.
   *
   * @param filters Needs `wallet`: an address, or a list of them.
   * @example await client.positions({ wallet, status: 'open' }).frame();
   */
  positions(filters: PositionFilters, run: RunOptions = {}): Query<PositionRecord> {
    return this.#query<PositionRecord>(POSITIONS, filters, run);
  }

  /**
   * The addresses of wallets that the service knows, the first of its leaderboard first.
   *
   * @param options.by What they are ordered by: `pnl` (the default), `roi`, `win_rate`, `volume`, `trades` or `sharpe`.
   * @param options.top How many: a whole number of 1 or more. Default: all.
   * @param options The other filters of {@link leaderboard}, too.
   * It warns in one line if records of these wallets are not complete: what days the leaderboard counts, of how many
   * wallets, and how many records lack something. It also warns if there is no wallet.
   *
   * @returns The addresses in lower case; none if no wallet passes the filters.
   * @throws As a query does; a UsageError if `top` is no such number, or an order is given twice.
   * @example
   * const wallets = await client.wallets({ by: 'volume', top: 20, minTrades: 50 });
   * await client.pnl({ wallet: wallets }).frame();
   */
  async wallets(options: WalletsOptions = {}): Promise<string[]> {
    const { by, top, ...filters } = options;
    if (top !== undefined) checkCount('top', top);
    if (by !== undefined && filters.sortBy !== undefined) {
      throw new UsageError('by and sortBy are one option, given twice: leave one of them out.');
    }
    let told: readonly Provenance[] = [];
    const onProvenance = (queries: readonly Provenance[]) => {
      told = queries;
    };
    const asked = { ...filters, ...(by === undefined ? {} : { sortBy: by }) };
    const query = this.leaderboard(asked, { maxRecords: top, onProvenance });
    const wallets: string[] = [];
    try {
      for await (const { address } of query.records()) wallets.push(address);
    } catch (error) {
      const isOfOrder = error instanceof UsageError && by !== undefined && error.message.startsWith('sortBy ');
      throw isOfOrder ? new UsageError(error.message.replace('sortBy', 'by'), { cause: error }) : error;
    }
    if (wallets.length === 0) this.#connection.warn(noWallets(filters));
    const line = leaderboardLine(told, wallets);
    if (line.isLacking) {
      const where = 'completenessOf(await lab.leaderboard(…).frame()) says what they lack';
      this.#connection.warn(`Wallets of the leaderboard: ${line.text} (${where}).`);
    }
    return wallets;
  }

  /**
   * Lifetime performance of wallets (dataset 586): one record for each wallet.
   *
   * @param filters Needs `wallet`: an address, or a list of them.
   * @example await client.lifetime({ wallet }).frame();
   */
  lifetime(filters: LifetimeFilters, run: RunOptions = {}): Query<LifetimeRecord> {
    return this.#query<LifetimeRecord>(LIFETIME, filters, run);
  }

  /**
   * Single fills (dataset 556), the latest first: of wallets, of markets, of a token, of an event or a category, or all.
   * Several wallets give one frame, one wallet after the other.
   *
   * @param filters Each may be left out; together they narrow.
   * @example await client.trades({ wallet, side: 'BUY', startTime: '2025-06-01' }, { maxRecords: 1000 }).frame();
   */
  trades(filters: TradeFilters = {}, run: RunOptions = {}): Query<TradeRecord> {
    return this.#query<TradeRecord>(TRADES, filters, run);
  }

  /**
   * Candles of a token from its fills (dataset 568): first, highest, lowest, last and mean price of each interval, and
   * the shares that were traded. An interval without a fill has no record.
   *
   * @param filters Needs `tokenId`, such as a market's `side_a_token_id`. `interval` is `1h` if it is left out.
   * @example await client.candles({ tokenId: market.side_a_token_id, interval: '1d' }).frame();
   */
  candles(filters: CandleFilters, run: RunOptions = {}): Query<CandleRecord> {
    return this.#query<CandleRecord>(CANDLES, filters, run);
  }

  /**
   * Any dataset by its number. The columns of a dataset that the toolkit does not know are inferred from all its
   * records.
   *
   * @param params Filters, by their names on the wire.
   * @throws {UsageError} If the number is not a whole number of 0 or more.
   * @example await client.dataset(555, { closed: 'True' }).frame();
   */
  dataset(id: number, params: Readonly<Record<string, unknown>> = {}, run: RunOptions = {}): Query {
    if (!Number.isSafeInteger(id) || id < 0) {
      throw new UsageError(`The number of a dataset must be a whole number of 0 or more; got ${shownId(id)}.`);
    }
    return this.#query(findDataset(id) ?? unknownDataset(id), params, run);
  }

  /**
   * Closes the connections that are kept open. Requests that have been sent are still answered; a query that needs
   * further pages then fails with a UsageError that says that this connection was closed.
   */
  async close(): Promise<void> {
    await this.#transport?.close();
  }

  /** @throws {UsageError} If the filters are no object: spread, a text would become filters by the names 0, 1, … */
  #query<Row extends object>(dataset: Dataset, filters: object, run: RunOptions): Query<Row> {
    const given: unknown = filters;
    if (Array.isArray(given) || !['object', 'undefined'].includes(typeof given)) {
      const got = Array.isArray(given) ? 'a list' : `a value of type ${typeof given}`;
      const example = dataset.parameters[0]?.option ?? 'name';
      throw new UsageError(
        `The filters of ${dataset.name} must be an object that names them, as in { ${example}: … }; got ${got}.`,
      );
    }
    const own = { ...filters };
    return new Query<Row>(this.#connection, { dataset: answeredDataset(dataset, own), filters: own, run });
  }
}

/** What is said of a leaderboard without a wallet: by which filters it has none. */
function noWallets(filters: object): string {
  const given = Object.entries(filters).filter(([name, value]) => name !== 'sortBy' && value !== undefined);
  if (given.length === 0) return 'The leaderboard has no wallet, so the list is empty.';
  return `No wallet of the leaderboard passes ${given.map(([name, value]) => `${name} ${String(value)}`).join(', ')}, so the list is empty.`;
}

function shownId(id: unknown): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id);
}

/**
 * Connects to a query service, and to a snapshot of its answers if one is named. Nothing is sent before the first
 * query.
 *
 * @throws {UsageError} If an option is unknown or has a value that it cannot have, such as an address that is none.
 * @example const client = connect({ baseUrl: 'http://127.0.0.1:8787', apiKey: process.env.ODDSLAB_API_KEY });
 */
export function connect(options: ConnectOptions): Client {
  knownOptions('connect', options, CONNECT_OPTION_NAMES);
  const snapshot = readSnapshotOptions(options, process.env);
  const read = readConnectOptions(options, snapshot?.mode === 'replay');
  const { baseUrl, url, pageSize, concurrency, warn } = read;
  const hide = hideKey(options.apiKey);
  const transport = baseUrl === '' ? undefined : openTransport(url, { ...options, onWarning: warn });
  const service = transport && servicePages(transport, { ...read, service: baseUrl, hide: hide.text });
  const source = snapshot ? snapshotPages(service, snapshot, hide) : service;
  if (!source) throw new UsageError('baseUrl is missing: name the service, such as http://127.0.0.1:8787.');
  const records = snapshot !== undefined && snapshot.mode !== 'replay';
  return new Client(
    baseUrl,
    { source, url, pageSize, concurrency, warn, showsProgress: options.progress ?? true, records, hide },
    transport,
  );
}

/**
 * A client whose requests something else carries than HTTP, such as a channel to the process that answers them.
 *
 * @param service What the provenance of frames calls what answers, in place of an address.
 * @internal
 */
export function connectBy(service: string, post: Transport['post']): Client {
  const { url, pageSize, concurrency, warn } = readConnectOptions({ baseUrl: 'http://localhost' }, false);
  const hide = hideKey(undefined);
  const source = servicePages({ post }, { service, url, pageSize, concurrency, hide: hide.text, warn });
  const shared = { source, url, pageSize, concurrency, warn, hide };
  return new Client('', { ...shared, showsProgress: false, records: false }, undefined);
}
