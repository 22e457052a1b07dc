import { stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { serve as listen } from '@hono/node-server';
import { DataError, UsageError } from '../errors.js';
import { codeOf } from '../whole-file.js';
import { createApp } from './app.js';
import { Stores } from './stores.js';

/** How the service is started. */
export interface ServeOptions {
  /** The data folder. */
  folder: string;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Port to listen on; 0 picks a free one. Default 8787. */
  port?: number;
  /** Answer without a key; refused beyond loopback. Default false. */
  open?: boolean;
  onError?: (error: unknown, requestId: string) => void;
}

/** A running service. */
export interface Service {
  /** Base address, such as `http://127.0.0.1:8787`. */
  url: string;
  /** Stops taking requests, lets those under way end, and closes the data. */
  close(): Promise<void>;
}

/**
 * Starts the query service over a data folder; a later ingest into the folder is served within a second.
 *
 * @throws {UsageError} If the port is in use, the host unknown, or `open` is asked for beyond loopback.
 * @throws {DataError} If the folder is missing, or its current version damaged.
 */
export async function serve(options: ServeOptions): Promise<Service> {
  const { folder, host = '127.0.0.1', port = 8787, open = false, onError = () => {} } = options;
  if (open && !isLoopback(host)) {
    throw new UsageError(`A service without keys may listen on loopback alone, not on ${host}: leave out --open.`);
  }
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new DataError(
      `There is no data folder ${folder}: load your own data with "oddslab ingest --data ${folder} FILE…", or make the ` +
        `sample market there with "oddslab demo --data ${folder}".`,
    );
  }
  const stores = new Stores(folder);
  await stores.use(async () => {});
  const app = createApp({ folder, stores, open, onError });
  const server = await new Promise<Server>((resolve, reject) => {
    const starting = listen({ fetch: app.fetch, hostname: host, port }, () => resolve(starting as Server));
    starting.once('error', (cause) => reject(listenError(host, port, cause)));
  }).catch((error) => {
    stores.close();
    throw error;
  });
  return { url: urlOf(server), close: () => stop(server, stores) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

function listenError(host: string, port: number, cause: unknown): Error {
  const code = codeOf(cause);
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use: stop what uses it, or take another with --port (0 picks a free one)`,
    EACCES: `port ${port} is not allowed to this user: take one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is no address of this machine: take one with --host`,
    ENOTFOUND: `the host ${host} is not known: take an address of this machine with --host`,
  };
  return new UsageError(`Cannot listen on ${host}:${port}: ${why[code ?? ''] ?? String(cause)}.`, { cause });
}

/** How long requests under way may still take once the service is told to stop. */
const DRAIN_MS = 5000;

async function stop(server: Server, stores: Stores): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(late);
  stores.close();
}
