import type { Server } from 'node:http';
import type { ListenOptions, Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OddslabError, UsageError } from '../base/errors.js';
import { systemErrorCode } from '../base/whole-file.js';
import { logLeftEvents, type WrittenAudit } from './accounts/audit.js';
import { loadSecret, Signer } from './accounts/cookie-signer.js';
import { createApp } from './app.js';
import { requireFolder } from './folder/folder-layout.js';
import { Connections } from './http/connections.js';
import { clientReader, isLoopback } from './http/hosts.js';
import { createServer, handleRequests } from './http/node-server.js';
import type { RequestLine } from './http/request-record.js';
import type { Log } from './operation/log.js';
import { Metrics } from './operation/metrics.js';
import { Gate, Queries } from './query/queries.js';
import { DEFAULT_SETTINGS, type Settings } from './settings/settings.js';
import { FolderStores } from './store/folder-stores.js';
import type { DataState, ServedData } from './store/served-data.js';
import type { SheetMaker } from './web/sheets.js';
import type { WorkerPeers } from './workers/worker-peers.js';

/** How to start the service: any of its settings, and functions that are called with what happens. */
export interface ServeOptions extends Partial<Omit<Settings, 'data' | 'logLevel' | 'logClients' | 'workers'>> {
  folder: string;
  /** Called with every error that is the service's own fault; it holds no key and nothing of the request's body. */
  onError?: ((error: unknown, requestId: string) => void) | undefined;
  /** Called with every request once it is answered. */
  onRequest?: ((line: RequestLine) => void) | undefined;
  /**
   * Called with what an operator answers for, such as a new key or a sign-in, here or by a command over the folder.
   * Without it, the events of commands stay in the folder, which keeps the last thousand; with it, each is removed once
   * what it returns has settled.
   */
  onAudit?: WrittenAudit | undefined;
  /** Called when another data version is served, or a problem with the data begins or ends. */
  onData?: ((state: DataState) => void) | undefined;
  /** A server that listens already: the service takes its place, and every connection that comes from then on. */
  listener?: TcpServer | undefined;
  /** The processes of this service, if there are several. */
  peers?: WorkerPeers | undefined;
  /** Makes the wallets' pages of the dashboard; without it there are none. It is closed with the service. */
  sheets?: SheetMaker | undefined;
  /** Refuse to start where not all queries can be answered. By default what can be read is served. */
  mustBeWhole?: boolean | undefined;
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

/**
 * Starts the query service over a data folder. A later ingest into the folder is served within a second.
 *
 * @throws {UsageError} If the port needs other rights, or `open` is set for a host beyond loopback.
 * @throws {OddslabError} If the port is in use, or the host is unknown, which may pass.
 * @throws {DataError} If the folder is missing, or its data cannot be opened (see {@link openData}).
 */
export async function serve(options: ServeOptions): Promise<Service> {
  const settings = settingsOf(options);
  const { host, port } = settings;
  if (settings.open && !isLoopback(host)) {
    throw new UsageError(`A service without keys may listen on loopback alone, not on ${host}: leave out --open.`);
  }
  await requireFolder(options.folder);
  const stores = await openData(options, settings);
  try {
    const { server, stop } = assemble(options, settings, stores);
    await listening(server, options.listener ?? { host, port, backlog: BACKLOG });
    const endLook = options.onAudit && logLeftEvents(options.folder, options.onAudit);
    const close = () => {
      endLook?.();
      return stop();
    };
    return { url: urlOf(server), close };
  } catch (error) {
    stores.close();
    throw error;
  }
}

/** Puts the parts together into a server that does not listen yet, and a function that stops it. */
function assemble(options: ServeOptions, settings: Settings, stores: ServedData) {
  const { folder, onError = () => {}, onRequest = () => {}, onAudit = () => {}, showLink, peers, sheets } = options;
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
  const clients = clientReader(settings.trustProxy);
  let stopping: Promise<void> | undefined;
  const app = createApp({
    folder,
    stores,
    queries: new Queries(stores, gate),
    settings,
    clients,
    audit: onAudit,
    metrics,
    isStopping: () => stopping !== undefined,
    baseUrl: () => settings.baseUrl ?? urlOf(server),
    peers,
    sheets,
    showLink,
    onError,
  });
  const onEnd = (line: RequestLine) => {
    metrics.count(line);
    onRequest(line);
  };
  handleRequests(server, { app, settings, clients, connections, onEnd });
  const stop = async () => {
    connections.makeLast();
    await sleep(settings.drainDelaySeconds * 1000);
    const deadline = performance.now() + settings.drainSeconds * 1000;
    await connections.drain(settings.drainSeconds * 1000, peers && (() => peers.unbound()));
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

function listening(server: Server, place: TcpServer | Required<Place>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject('host' in place ? listenError(place, cause) : cause));
    server.listen(place, () => resolve());
  });
}

/** Where a service listens. */
type Place = Pick<ListenOptions, 'host' | 'port' | 'backlog'>;

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** The error where the service cannot listen. Only what time cannot mend is wrong usage, after which nobody tries again. */
function listenError({ host, port }: Place, cause: unknown): Error {
  const code = systemErrorCode(cause);
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use: stop what uses it, or take another with --port (0 picks a free one)`,
    EACCES: `port ${port} is not allowed to this user: take one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is no address of this machine: take one with --host`,
    ENOTFOUND: `the host ${host} is not known: take an address of this machine with --host`,
  };
  const ListenError = code === 'EACCES' ? UsageError : OddslabError;
  return new ListenError(`Cannot listen on ${host}:${port}: ${why[code ?? ''] ?? String(cause)}.`, { cause });
}

/**
 * Opens the data on the engine that the settings name.
 *
 * @throws {UsageError} If the engine is a cluster and its addresses are missing or wrong.
 * @throws {DataError} If no version can be read, or if an address leads to another shard than it should.
 */
async function openData({ folder, onData, mustBeWhole }: ServeOptions, settings: Settings): Promise<ServedData> {
  if (settings.engine === 'clickhouse') return openCluster(settings, onData);
  return FolderStores.open(folder, onData ? { onChange: onData } : {}, mustBeWhole);
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
  /** See {@link ServeOptions.mustBeWhole}. */
  readonly mustBeWhole?: boolean | undefined;
  /** The other processes of the service, if there are any. */
  readonly peers?: WorkerPeers;
  /** Makes the wallets' pages of the dashboard. */
  readonly sheets?: SheetMaker | undefined;
}

/** Starts the service in this process, as {@link serve}, and logs its events. */
export async function serveLogged(settings: Settings, options: ServeLoggedOptions): Promise<Service> {
  const { log, isTerminal, peers, sheets, mustBeWhole } = options;
  const { data, logLevel, logClients, workers, ...rest } = settings;
  await requireFolder(data);
  const named = await clientNames(settings);
  return serve({
    ...rest,
    folder: data,
    peers,
    sheets,
    mustBeWhole,
    onError: log.failure,
    onRequest: (line) => log.request(named(line)),
    // A silent log would drop what commands have done.
    onAudit:
      logLevel === 'silent'
        ? undefined
        : (event, details) => {
            log.audit(event, named(details));
            return details.by === 'command' ? log.written() : undefined;
          },
    onData: (state) => {
      log.data(state);
      peers?.tellData(state.served !== undefined || state.problem === undefined);
    },
    showLink: isTerminal ? showLink : undefined,
  });
}

/** Makes a function that names clients as the log shall. @throws {DataError} If the secret cannot be read or made. */
async function clientNames({
  data,
  logClients,
}: Settings): Promise<<T extends { client?: string | undefined }>(told: T) => T> {
  if (logClients === 'address') return (told) => told;
  const signer = new Signer(await loadSecret(data));
  return (told) => {
    if (told.client === undefined) return told;
    return { ...told, client: signer.logCodeOf('client', told.client) };
  };
}

function showLink(address: string, link: string): void {
  process.stderr.write(`Sign-in link for ${address}:\n  ${link}\n`);
}
