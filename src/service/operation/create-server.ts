import { createServer as createHttpServer, type Server } from 'node:http';
import type { Settings } from './settings/settings.js';

/** Requests that are too slow are looked for at least this often. */
const CHECK_MS = 1000;

/** Makes an HTTP server, not listening yet, that limits the time, idleness, header size and number of its clients. */
export function createServer(settings: Settings): Server {
  const headersTimeout = settings.headerSeconds * 1000;
  const server = createHttpServer({
    maxHeaderSize: settings.maxHeaderBytes,
    // A missing Host header is refused by a problem later; Node would refuse it without an explanation.
    requireHostHeader: false,
    headersTimeout,
    // Bodies of queries and forms have a limit of their own; this one is for all others.
    requestTimeout: headersTimeout + settings.bodySeconds * 1000 + CHECK_MS,
    keepAliveTimeout: settings.idleSeconds * 1000,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeout / 2),
    // Finds clients that are gone without closing, such as by a pulled cable, while nothing is sent.
    keepAlive: true,
    noDelay: true,
  });
  // A client that has ended its half may still read: the connection is closed once its last answer is sent.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = settings.maxConnections;
  server.timeout = settings.stallSeconds * 1000;
  return server;
}
