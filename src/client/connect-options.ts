import { UsageError } from '../base/errors.js';
import { shownValue } from '../base/option-types.js';
import { DEFAULT_LIMIT, MAX_LIMIT, QUERY_PATH } from '../contract/envelope.js';
import type { SnapshotMode } from './snapshot/snapshot-options.js';
import { DEFAULTS, type TransportOptions } from './transport/transport-options.js';

/** Options of `connect`: which service to use, and how. */
export interface ConnectOptions extends Omit<TransportOptions, 'onWarning'> {
  /** Base address, such as `http://127.0.0.1:8787`. Required, except to replay a snapshot. */
  baseUrl?: string | undefined;
  /**
   * The key, from the service's dashboard or `oddslab keys create`. Not needed for a service that runs with `--open` on
   * loopback.
   */
  apiKey?: string | undefined;
  /** Path of the query endpoint below the base address. Default `/v2/semantic/retrieve/parameterized`. */
  path?: string | undefined;
  /** Records per request, 1 to 1,000. Default 200. A server may send fewer; the rest is then requested as well. */
  pageSize?: number | undefined;
  /** Simultaneous requests, over all queries of the client, 1 to 64. Default 4; 1 requests one page after the other. */
  concurrency?: number | undefined;
  /** Called with a description of answers that were odd but did no harm. Default: a warning of the Node.js process. */
  onWarning?: ((text: string) => void) | undefined;
  /** Whether a query that takes over a second shows its progress on stderr, if that is a terminal. Default true. */
  progress?: boolean | undefined;
  /**
   * Folder of recorded answers, so that a study can be repeated on the same data and without the service. Default: the
   * environment variable `ODDSLAB_SNAPSHOT`, else none.
   */
  snapshot?: string | undefined;
  /**
   * What the snapshot does: `auto` answers from it, requests the rest from the service and records that; `record`
   * requests and records everything anew; `replay` never contacts the service; `live` ignores the snapshot. Default:
   * the environment variable `ODDSLAB_SNAPSHOT_MODE`, else `auto`.
   */
  mode?: SnapshotMode | undefined;
}

/** The names of all options of a connection. */
export const CONNECT_OPTION_NAMES: readonly string[] = Object.keys({
  baseUrl: true,
  apiKey: true,
  path: true,
  pageSize: true,
  concurrency: true,
  onWarning: true,
  onWait: true,
  progress: true,
  snapshot: true,
  mode: true,
  ...DEFAULTS,
} satisfies Record<keyof ConnectOptions, unknown>);

/** Checked connect options, with their defaults. */
export interface ReadConnectOptions {
  /** Base address; empty if no service is needed. */
  readonly baseUrl: string;
  readonly url: string;
  readonly pageSize: number;
  readonly concurrency: number;
  readonly warn: (text: string) => void;
}

const MAX_CONCURRENCY = 64;

/**
 * Checks the options of a connection, except those of the transport and the snapshot, which check their own.
 *
 * @param isReplay Whether no service is asked, so that no address is needed.
 * @throws {UsageError} If the address, its path, the key or a number is invalid.
 */
export function readConnectOptions(options: ConnectOptions, isReplay: boolean): ReadConnectOptions {
  const { apiKey, path = QUERY_PATH, pageSize = DEFAULT_LIMIT, concurrency = 4 } = options;
  const baseUrl = options.baseUrl === undefined && isReplay ? '' : readBaseUrl(options.baseUrl);
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new UsageError('The API key is empty, or holds characters that no key has (a space or line break, perhaps).');
  }
  checkWhole('pageSize', pageSize, MAX_LIMIT);
  checkWhole('concurrency', concurrency, MAX_CONCURRENCY);
  const { onWarning: warn = (text) => process.emitWarning(text, 'OddslabWarning') } = options;
  return { baseUrl, url: baseUrl + readPath(path), pageSize, concurrency, warn };
}

function checkWhole(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new UsageError(`${name} must be a whole number from 1 to ${most}; got ${value}.`);
}

function readPath(path: string): string {
  if (typeof path !== 'string')
    throw new UsageError(`path must be text such as ${QUERY_PATH}; got ${shownValue(path)}.`);
  return path === '' || path.startsWith('/') ? path : `/${path}`;
}

function readBaseUrl(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    const got = JSON.stringify(text) ?? 'none';
    throw new UsageError(`baseUrl must be an http or https address such as http://127.0.0.1:8787; got ${got}.`);
  }
  if (url.username || url.password)
    throw new UsageError('baseUrl must not hold a user or password: give apiKey instead.');
  const base = (url.origin + url.pathname).replace(/\/+$/, '');
  if (url.search || url.hash) {
    throw new UsageError(`baseUrl must not have a part behind a ? or #, since paths are added to it: write ${base}.`);
  }
  return base;
}
