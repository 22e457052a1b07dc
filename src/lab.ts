import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { DataError, ServiceError, UsageError } from './base/errors.js';
import { knownOptions } from './base/nearest.js';
import { packageRoot } from './base/packages.js';
import { type Client, connect } from './client/connect.js';
import { CONNECT_OPTION_NAMES, type ConnectOptions } from './client/connect-options.js';
import { readSnapshotOptions } from './client/snapshot/snapshot-options.js';
import { openTransport } from './client/transport/transport.js';
import { MAX_LIMIT, QUERY_PATH } from './contract/envelope.js';
import { MARKETS } from './contract/markets.js';

/** Options of `openLab`: where the data come from, and those of the client. */
export interface LabOptions extends Omit<ConnectOptions, 'baseUrl'> {
  /** The service to use. Default: the environment variable `ODDSLAB_URL`; without it an embedded service is started. */
  url?: string | undefined;
  /** The key of the service. Default: the environment variable `ODDSLAB_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * Data folder of an embedded service, which is then started even if `ODDSLAB_URL` is set. Default: the environment
   * variable `ODDSLAB_DATA`, else `./data`.
   */
  data?: string | undefined;
}

const LAB_OPTION_NAMES = [...CONNECT_OPTION_NAMES.filter((name) => name !== 'baseUrl'), 'url', 'data'];

/** A client, and the embedded service behind it if one was started. */
export interface Lab extends Client {
  /** Closes the connections, and stops the embedded service if one was started. */
  close(): Promise<void>;
}

/**
 * Opens a lab: a client of the service that the options or the environment name, or of an embedded service over a data
 * folder, which it starts on a free loopback port. The embedded service ends with the lab, or at the latest with this
 * process. To replay a snapshot (see {@link ConnectOptions}), no service is needed or started. If the data of an
 * embedded service lack the markets of many of its trades, so that profits are unreliable, a warning says so.
 *
 * @throws {UsageError} If an option is unknown or has a value that it cannot have, or both `url` and `data` are given.
 * @throws {DataError} If the embedded service does not start, because the folder is missing or damaged; or if no data
 * have been ingested yet, unless a snapshot in mode `auto` may answer instead.
 * @example
 * const lab = await openLab();
 * const markets = await lab.markets({ closed: true, minVolume: 1e5 }).frame();
 */
export async function openLab(options: LabOptions = {}): Promise<Lab> {
  knownOptions('openLab', options, LAB_OPTION_NAMES);
  const { url: address, data, ...given } = options;
  const url = address ?? (data === undefined ? process.env.ODDSLAB_URL || undefined : undefined);
  const apiKey = options.apiKey ?? (process.env.ODDSLAB_API_KEY || undefined);
  if (url !== undefined && data !== undefined) {
    throw new UsageError(
      'openLab takes a url or a data folder, not both: the embedded service has no address of yours.',
    );
  }
  if (url !== undefined) return connect({ ...given, baseUrl: url, apiKey });
  const mode = readSnapshotOptions(options, process.env)?.mode;
  if (mode === 'replay') return connect({ ...given, apiKey: undefined });
  const folder = resolve(data ?? (process.env.ODDSLAB_DATA || 'data'));
  if (!existsSync(folder)) throw new DataError(noData(folder, `is missing${data === undefined ? relativeTo() : ''}`));
  const service = await startEmbedded(folder);
  const client = await connectEmbedded(
    service,
    { pageSize: MAX_LIMIT, ...given },
    mode === 'auto' ? undefined : folder,
  );
  const closeClient = client.close.bind(client);
  return Object.assign(client, {
    async close() {
      await closeClient();
      await service.stop();
    },
  });
}

/** Connects to an embedded service. Stops it if the options are refused, or if `folder` is given and holds no data. */
async function connectEmbedded(
  service: Embedded,
  options: ConnectOptions,
  folder: string | undefined,
): Promise<Client> {
  try {
    const client = connect({ ...options, baseUrl: service.url, apiKey: undefined, path: undefined });
    if (folder !== undefined) await checkLoaded(service.url, folder);
    return client;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/**
 * Asks for one record, to fail at once if there are no data: a client would wait for data that nobody will load. The
 * first query reports any other fault.
 */
async function checkLoaded(url: string, folder: string): Promise<void> {
  const transport = openTransport(url + QUERY_PATH, { retries: 0 });
  try {
    await transport.post({ agent_id: MARKETS.id, params: {}, pagination: { limit: 1, offset: 0 } });
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.details.status !== 503) return;
    throw new DataError(noData(folder, 'holds no data yet'), { cause });
  } finally {
    await transport.close();
  }
}

/** The message for a folder without data. The reader has data elsewhere, perhaps from `oddslab lab`, or none yet. */
function noData(folder: string, what: string): string {
  return `The data folder ${folder} ${what}.
If your data are elsewhere, say where: ODDSLAB_DATA=FOLDER, or ODDSLAB_URL=ADDRESS for a service that runs.
If you have none yet: "oddslab fetch wallet 0x… --data ${folder}" fetches a wallet's record, "oddslab ingest --data ${folder} FILE…" loads files, "oddslab demo --data ${folder}" makes the sample market.`;
}

/** Says from where a relative ODDSLAB_DATA counts: not from where the notebook was run, if Jupyter ran it. */
function relativeTo(): string {
  const named = process.env.ODDSLAB_DATA;
  return named && !isAbsolute(named) ? `: ODDSLAB_DATA=${named} counts from ${process.cwd()}; give the full path` : '';
}

interface Embedded {
  url: string;
  stop(): Promise<void>;
}

/** The message that the service sends to its parent process once it is ready. */
interface Ready {
  url: string;
  /** A warning about the data; empty if there is none. */
  doubts: string;
}

/** Tells the service's message from others on the channel: under `--watch`, Node reports there what a child loads. */
function isReady(message: unknown): message is Ready {
  return typeof message === 'object' && message !== null && 'url' in message && 'doubts' in message;
}

/** Starts `oddslab serve` as a child, which ends with this process since its channel closes then. */
async function startEmbedded(folder: string): Promise<Embedded> {
  const main = join(packageRoot(), 'dist', 'cli', 'main.js');
  const child = spawn(process.execPath, [main, 'serve', '--open', '--port', '0', '--data', folder], {
    // The address does not come by stdout, since modules that NODE_OPTIONS loads may print there.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ready = new Promise<Ready>((told) => {
    child.on('message', (message) => isReady(message) && told(message));
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const { url, doubts } = await Promise.race([ready, failureOf(child, folder)]);
  if (doubts !== '') console.warn(doubts);
  child.unref();
  child.channel?.unref();
  child.stderr?.removeAllListeners('data').resume();
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
  return {
    url,
    async stop() {
      if (child.connected) child.disconnect();
      child.ref();
      await exited;
    },
  };
}

/** Rejects with the service's own words if it does not start, or once it ends; never fulfils. */
function failureOf(child: ChildProcess, folder: string): Promise<never> {
  let complaint = '';
  return new Promise((_, fail) => {
    child.stderr?.on('data', (text) => {
      complaint += text;
    });
    child.once('error', (cause) =>
      fail(new DataError(`The embedded service did not start: ${cause.message}.`, { cause })),
    );
    child.once('close', (code) => {
      const said = complaint.trim().replace(/^oddslab: /, '') || `it ended with exit code ${code}`;
      fail(new DataError(`The embedded service over ${folder} did not start: ${said}`));
    });
  });
}
