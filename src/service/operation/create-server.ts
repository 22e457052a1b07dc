import { createServer as createHttpServer, type Server } from 'node:http';
import type { Settings } from './settings/settings.js';

/** How often it is looked for requests that are too slow; at least this often within their time. */
const CHECK_MS = 1000;

/** An HTTP server, not listening yet, that cuts off clients that are too slow, too idle, too large or too many. */
export function createServer(settings: Settings): Server {
  const headersTimeout = settings.headerSeconds * 1000;
  const server = createHttpServer({
    maxHeaderSize: settings.maxHeaderBytes,
    // Node would refuse it without a word; those who handle requests refuse it by a problem.
    requireHostHeader: false,
    headersTimeout,
    // Bodies of queries have their own clock; this one is for all others.
    requestTimeout: headersTimeout + settings.bodySeconds * 1000 + CHECK_MS,
    keepAliveTimeout: settings.idleSeconds * 1000,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeout / 2),
    // Finds peers that are gone without a word, such as by a pulled cable, while nothing is sent.
    keepAlive: true,
    noDelay: true,
  });
  // A client that ends its half of the connection may still read: it is closed once its last answer is sent.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = settings.maxConnections;
  server.timeout = settings.stallSeconds * 1000;
  return server;
}
