import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import {
  type Dataset,
  type DatasetRecord,
  findDataset,
  type QueryOptions,
  unknownDataset,
} from '../contract/dataset.js';
import { LIFETIME } from '../contract/lifetime.js';
import { MARKETS } from '../contract/markets.js';
import { PNL } from '../contract/pnl.js';
import { CONNECT_OPTION_NAMES, type ConnectOptions, readConnectOptions } from './connect-options.js';
import { Query } from './dataset-query.js';
import { servicePages } from './paging/service-pages.js';
import type { Connection } from './query-run.js';
import type { RunOptions } from './run-options.js';
import { readSnapshotOptions } from './snapshot/snapshot-options.js';
import { snapshotPages } from './snapshot/snapshot-pages.js';
import { hideKey } from './transport/server-text.js';
import { openTransport, type Transport } from './transport/transport.js';

/** A market record as it is in a frame; the README describes its fields. */
export type MarketRecord = DatasetRecord<typeof MARKETS>;
/** A profit-and-loss record as it is in a frame; the README describes its fields. */
export type PnlRecord = DatasetRecord<typeof PNL>;
/** A lifetime record as it is in a frame; the README describes its fields. */
export type LifetimeRecord = DatasetRecord<typeof LIFETIME>;

// Mapped here: errors about an alias or an interface without members name the type behind it instead.
/** Filters of {@link Client.markets}; `oddslab query --help` describes each. */
export type MarketFilters = { [K in keyof QueryOptions<typeof MARKETS>]: QueryOptions<typeof MARKETS>[K] };
/** Filters of {@link Client.pnl}; `oddslab query --help` describes each. */
export type PnlFilters = { [K in keyof QueryOptions<typeof PNL>]: QueryOptions<typeof PNL>[K] };
/** Filters of {@link Client.lifetime}; `oddslab query --help` describes each. */
export type LifetimeFilters = { [K in keyof QueryOptions<typeof LIFETIME>]: QueryOptions<typeof LIFETIME>[K] };

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
   * Realized profit and loss of wallets over time (dataset 569): one record for each bucket. Several wallets give one
   * frame.
   *
   * @param filters Needs `wallet`: an address, or a list of them.
   * @example await client.pnl({ wallet, granularity: '1w', startTime: '2025-06-01' }).frame();
   */
  pnl(filters: PnlFilters, run: RunOptions = {}): Query<PnlRecord> {
    return this.#query<PnlRecord>(PNL, filters, run);
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
    return new Query<Row>(this.#connection, { dataset, filters: { ...filters }, run });
  }
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
