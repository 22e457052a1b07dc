import { type Dataset, type DatasetRecord, findDataset, type QueryOptions } from '../contract/dataset.js';
import { DEFAULT_LIMIT, MAX_LIMIT, QUERY_PATH } from '../contract/envelope.js';
import { LIFETIME } from '../contract/lifetime.js';
import { MARKETS } from '../contract/markets.js';
import { PNL } from '../contract/pnl.js';
import { UsageError } from '../errors.js';
import { encodeParams } from './encode.js';
import { followPages, type RawPage } from './pages.js';
import { Query } from './query.js';
import { openTransport, type Transport } from './transport.js';

/** Which service to speak to, and how. */
export interface ConnectOptions {
  /** Base address, such as `http://127.0.0.1:8787`. */
  baseUrl: string;
  /** From the service's dashboard or `oddslab keys create`. Absent for a service that is open on loopback. */
  apiKey?: string | undefined;
  /** Path of the query endpoint below the base address. Default `/v2/semantic/retrieve/parameterized`. */
  path?: string;
  /** Records asked for at a time, 1 to 1,000. Default 200. A server that sends fewer is followed all the same. */
  pageSize?: number;
  /** Told of answers that were odd but did no harm. Default: a Node.js process warning. */
  onWarning?: (text: string) => void;
}

/** A market record, decoded. */
export type MarketRecord = DatasetRecord<typeof MARKETS>;
/** A profit-and-loss record, decoded. */
export type PnlRecord = DatasetRecord<typeof PNL>;
/** A lifetime record, decoded. */
export type LifetimeRecord = DatasetRecord<typeof LIFETIME>;

/** A connection to one query service. */
export class Client {
  readonly #options: Required<Pick<ConnectOptions, 'pageSize' | 'onWarning'>>;
  readonly #transport: Transport;
  /** Base address of the service. */
  readonly baseUrl: string;

  /** @internal Use {@link connect}. */
  constructor(
    baseUrl: string,
    transport: Transport,
    options: Required<Pick<ConnectOptions, 'pageSize' | 'onWarning'>>,
  ) {
    this.baseUrl = baseUrl;
    this.#transport = transport;
    this.#options = options;
  }

  /**
   * Markets (dataset 574), by volume descending on our service.
   *
   * @example await client.markets({ closed: true, minVolume: 1e5, endDateMin: '2026-01-01' }).frame();
   */
  markets(options: QueryOptions<typeof MARKETS> = {}): Query<MarketRecord> {
    return this.#query<MarketRecord>(MARKETS, options);
  }

  /**
   * A wallet's realized profit and loss over time (dataset 569), a record a bucket. Several wallets make one frame.
   *
   * @example await client.pnl({ wallet, granularity: '1w', startTime: '2025-06-01' }).frame();
   */
  pnl(options: QueryOptions<typeof PNL>): Query<PnlRecord> {
    return this.#query<PnlRecord>(PNL, options);
  }

  /** A wallet's lifetime performance (dataset 586), a record a wallet. */
  lifetime(options: QueryOptions<typeof LIFETIME>): Query<LifetimeRecord> {
    return this.#query<LifetimeRecord>(LIFETIME, options);
  }

  /**
   * Any dataset by its number. One that the contract does not know gets its columns from all the records that come.
   *
   * @param params By the wire's names.
   * @example await client.dataset(555, { closed: 'True' }).frame();
   */
  dataset(id: number, params: Readonly<Record<string, unknown>> = {}): Query {
    const unknown: Dataset = { id, name: String(id), title: '', key: [], order: '', columns: [], parameters: [] };
    return this.#query(findDataset(id) ?? unknown, params);
  }

  /** Ends the kept connections; queries under way come to their end first. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  #query<Row extends object>(dataset: Dataset, options: Readonly<Record<string, unknown>>): Query<Row> {
    const [transport, { pageSize, onWarning: warn }] = [this.#transport, this.#options];
    async function* run(): AsyncGenerator<RawPage> {
      for (const params of encodeParams(dataset, options))
        yield* followPages(transport, { dataset, params, pageSize, warn });
    }
    return new Query<Row>(dataset.columns, run);
  }
}

/**
 * Connects to a query service. Nothing is sent before the first query.
 *
 * @throws {UsageError} If the address, the key or the page size cannot be right.
 * @example const client = connect({ baseUrl: 'http://127.0.0.1:8787', apiKey: process.env.ODDSLAB_API_KEY });
 */
export function connect(options: ConnectOptions): Client {
  const { apiKey, path = QUERY_PATH, pageSize = DEFAULT_LIMIT } = options;
  const baseUrl = readBaseUrl(options.baseUrl);
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new UsageError('The API key is empty, or holds characters that no key has (a space or line break, perhaps).');
  }
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_LIMIT) {
    throw new UsageError(`pageSize must be a whole number from 1 to ${MAX_LIMIT}; got ${pageSize}.`);
  }
  const { onWarning = (text) => process.emitWarning(text, 'OddslabWarning') } = options;
  return new Client(baseUrl, openTransport(baseUrl + path, apiKey), { pageSize, onWarning });
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new UsageError(
      `baseUrl must be an http or https address such as http://127.0.0.1:8787; got ${JSON.stringify(text)}.`,
    );
  }
  if (url.username || url.password)
    throw new UsageError('baseUrl must not hold a user or password: give apiKey instead.');
  return url.href.replace(/\/+$/, '');
}
