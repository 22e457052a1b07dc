import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../base/errors.js';
import { systemErrorCode } from '../base/whole-file.js';
import { createApp } from './app.js';
import { requireFolder } from './folder/folder-layout.js';
import { Connections } from './http/connections.js';
import { isLoopback } from './http/hosts.js';
import { createServer, handleRequests } from './http/node-server.js';
import type { RequestLine } from './http/request-record.js';
import type { Log } from './operation/log.js';
import { Metrics } from './operation/metrics.js';
import { Gate, Queries } from './query/queries.js';
import { DEFAULT_SETTINGS, type Settings } from './settings/settings.js';
import { FolderStores } from './store/folder-stores.js';
import type { DataState, ServedData } from './store/served-data.js';
import type { WorkerPeers } from './workers/worker-peers.js';

/** How to start the service: any of its settings, and functions that are called with what happens. */
export interface ServeOptions extends Partial<Omit<Settings, 'data' | 'logLevel' | 'workers'>> {
  folder: string;
  /** Called with every error that is the service's own fault; it holds no key and nothing of the request's body. */
  onError?: ((error: unknown, requestId: string) => void) | undefined;
  /** Called with every request once it is answered. */
  onRequest?: ((line: RequestLine) => void) | undefined;
  /** Called when another data version is served, or a problem with the data begins or ends. */
  onData?: ((state: DataState) => void) | undefined;
  /** The processes of this service, if there are several. */
  peers?: WorkerPeers | undefined;
  /** Shows a sign-in link to the operator, on loopback and if no mail server is set. */
  showLink?: ((address: string, link: string) => void) | undefined;
}

/** A running service. */
export interface Service {
  /** The base address, such as `http://127.0.0.1:8787`. */
  url: string;
  /** Stops taking requests, lets those in progress end, and closes the data. */
  close(): Promise<void>;
}

/** Connections that may wait to be accepted, as after a restart; the system may allow fewer. */
const BACKLOG = 4096;

/** The queries a minute that a key may make by default, if the service listens beyond loopback. */
const RATE_PER_MINUTE = 1200;

/**
 * Starts the query service over a data folder. A later ingest into the folder is served within a second.
 *
 * @throws {UsageError} If the port is in use, the host is unknown, or `open` is set for a host beyond loopback.
 * @throws {DataError} If the folder is missing, or its data cannot be opened (see {@link openData}).
 */
export async function serve(options: ServeOptions): Promise<Service> {
  const settings = settingsOf(options);
  const { host, port } = settings;
  if (settings.open && !isLoopback(host)) {
    throw new UsageError(`A service without keys may listen on loopback alone, not on ${host}: leave out --open.`);
  }
  await requireFolder(options.folder);
  const stores = await openData(options.folder, settings, options.onData);
  try {
    const { server, stop } = assemble(options, settings, stores);
    await listening(server, host, port);
    return { url: urlOf(server), close: stop };
  } catch (error) {
    stores.close();
    throw error;
  }
}

/** Puts the parts together into a server that does not listen yet, and a function that stops it. */
function assemble(options: ServeOptions, settings: Settings, stores: ServedData) {
  const { folder, onError = () => {}, onRequest = () => {}, showLink, peers } = options;
  const server = createServer(settings);
  const connections = new Connections(server);
  const { maxConcurrent, maxQueued, querySeconds } = settings;
  const gate = new Gate({ concurrent: maxConcurrent, queued: maxQueued, timeMs: querySeconds * 1000 });
  const metrics = new Metrics({
    inFlight: () => connections.inFlight,
    queued: () => gate.queued,
    connections: () => connections.count,
    stores,
  });
  let stopping: Promise<void> | undefined;
  const app = createApp({
    folder,
    stores,
    queries: new Queries(stores, gate),
    settings,
    metrics,
    isStopping: () => stopping !== undefined,
    baseUrl: () => settings.baseUrl ?? urlOf(server),
    ratePerMinute: settings.ratePerMinute ?? (isLoopback(settings.host) ? 0 : RATE_PER_MINUTE),
    peers,
    showLink,
    onError,
  });
  const onEnd = (line: RequestLine) => {
    metrics.count(line);
    onRequest(line);
  };
  handleRequests(server, { app, settings, connections, onEnd });
  const stop = async () => {
    connections.makeLast();
    await sleep(settings.drainDelaySeconds * 1000);
    const deadline = performance.now() + settings.drainSeconds * 1000;
    await connections.drain(settings.drainSeconds * 1000);
    await app.close(deadline - performance.now());
    stores.close();
  };
  return {
    server,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

function settingsOf(options: ServeOptions): Settings {
  const given = Object.entries(options).filter(([name, value]) => name in DEFAULT_SETTINGS && value !== undefined);
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(given) };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(listenError(host, port, cause)));
    server.listen({ port, host, backlog: BACKLOG }, () => resolve());
  });
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

function listenError(host: string, port: number, cause: unknown): Error {
  const code = systemErrorCode(cause);
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use: stop what uses it, or take another with --port (0 picks a free one)`,
    EACCES: `port ${port} is not allowed to this user: take one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is no address of this machine: take one with --host`,
    ENOTFOUND: `the host ${host} is not known: take an address of this machine with --host`,
  };
  return new UsageError(`Cannot listen on ${host}:${port}: ${why[code ?? ''] ?? String(cause)}.`, { cause });
}

/**
 * Opens the data on the engine that the settings name.
 *
 * @throws {UsageError} If the engine is a cluster and its addresses are missing or wrong.
 * @throws {DataError} If no version is whole, or if an address leads to another shard than it should.
 */
async function openData(
  folder: string,
  settings: Settings,
  onChange?: (state: DataState) => void,
): Promise<ServedData> {
  if (settings.engine === 'clickhouse') return openCluster(settings, onChange);
  const stores = new FolderStores(folder, onChange ? { onChange } : {});
  try {
    await stores.use(async () => {});
    return stores;
  } catch (error) {
    stores.close();
    throw error;
  }
}

async function openCluster(settings: Settings, onChange?: (state: DataState) => void): Promise<ServedData> {
  const { clickhouse, clickhouseUser: user, clickhousePassword: password } = settings;
  if (clickhouse === undefined) {
    throw new UsageError(
      'The engine clickhouse needs the addresses of its shards: --clickhouse http://10.0.0.1:8123, commas between.',
    );
  }
  const [{ readShardUrls }, { Cluster }, { ClusterStores }] = await Promise.all([
    import('./clickhouse/clickhouse-connection.js'),
    import('./clickhouse/shard.js'),
    import('./cluster/cluster-stores.js'),
  ]);
  const cluster = new Cluster(readShardUrls(clickhouse), { user, password });
  const { querySeconds, maxConcurrent } = settings;
  // Queries to a shard that hangs may take half of the places, never all.
  const mostSuspected = Math.floor(maxConcurrent / 2);
  return ClusterStores.open(cluster, { timeMs: querySeconds * 1000, mostSuspected, onChange });
}

/** What a process that only serves needs besides its settings. */
export interface ServeLoggedOptions {
  readonly log: Log;
  /** Whether stderr is a terminal. Only there are sign-in links shown, as they let in whoever reads them. */
  readonly isTerminal: boolean;
  /** The other processes of the service, if there are any. */
  readonly peers?: WorkerPeers;
}

/** Starts the service in this process, as {@link serve}, and logs its events. */
export async function serveLogged(settings: Settings, options: ServeLoggedOptions): Promise<Service> {
  const { log, isTerminal, peers } = options;
  const { data, logLevel, workers, ...rest } = settings;
  return serve({
    ...rest,
    folder: data,
    peers,
    onError: log.failure,
    onRequest: log.request,
    onData: log.data,
    showLink: isTerminal ? showLink : undefined,
  });
}

function showLink(address: string, link: string): void {
  process.stderr.write(`Sign-in link for ${address}:\n  ${link}\n`);
}
