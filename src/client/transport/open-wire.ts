import { isIP, type Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici/index.js';
import { UsageError } from '../../errors.js';
import { type Proxies, proxiesOf } from './proxies-of.js';
import { knownCodings } from './unpack.js';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The kept connections to one service. */
export interface Wire {
  readonly dispatcher: Dispatcher;
  /** Whether the environment names a proxy for it. */
  readonly proxied: boolean;
  /** The compressions that are asked for, as `Accept-Encoding` names them. */
  readonly codings: string;
  /** Gives up the connections that do not stand yet. */
  dropUnconnected(): void;
  /** Ends the kept connections once the requests on them have come to their end. */
  close(): Promise<void>;
}

/**
 * Opens a pool of kept connections, through a proxy where the environment names one. Nothing is sent yet; an idle
 * connection keeps no process alive.
 *
 * @throws {UsageError} If a proxy variable holds no address.
 */
export async function openWire(url: URL, connectTimeoutMs: number): Promise<Wire> {
  // Bun has a stand-in of its own under the plain name, which cannot do what is asked of it here.
  const undici = await import('undici/index.js');
  const proxies = proxiesOf(url, process.env);
  const unconnected = new Set<Socket>();
  const dispatcher = openDispatcher(undici, url, proxies, connectTimeoutMs, unconnected);
  // To compress takes longer than to send within a machine.
  const isNear = !proxies && LOOPBACK.test(url.hostname);
  return {
    dispatcher,
    proxied: proxies !== undefined,
    codings: isNear ? 'identity' : await knownCodings(),
    dropUnconnected() {
      for (const socket of unconnected) socket.destroy(new Error('The request was given up.'));
    },
    close: () => dispatcher.close(),
  };
}

function openDispatcher(
  { EnvHttpProxyAgent, Pool, buildConnector }: typeof import('undici/index.js'),
  url: URL,
  proxies: Proxies | undefined,
  timeout: number,
  unconnected: Set<Socket>,
): Dispatcher {
  const connect = watched(buildConnector({ timeout }), unconnected);
  if (!proxies) return new Pool(url.origin, { connect });
  const poolOf = (origin: string | URL, options: object) => new Pool(origin, watchedOptions(options, unconnected));
  const pools = { connect, factory: poolOf, clientFactory: poolOf, proxyTls: { timeout }, requestTls: { timeout } };
  try {
    // Proxies commonly refuse a tunnel to a server without TLS.
    return new EnvHttpProxyAgent({ ...proxies, ...pools, proxyTunnel: false });
  } catch {
    // The cause would show the address, and with it a password.
    throw new UsageError(
      'HTTP_PROXY or HTTPS_PROXY in the environment holds no address of a proxy, such as http://proxy.example:8080.',
    );
  }
}

/** A proxy's own way to connect is kept, but watched as well. */
function watchedOptions(options: object & { connect?: unknown }, unconnected: Set<Socket>): object {
  if (typeof options.connect !== 'function') return options;
  return { ...options, connect: watched(options.connect as buildConnector.connector, unconnected) };
}

/**
 * Keeps a list of the connections that are being made: a request that is given up meanwhile must not leave one. TLS
 * knows no name of a server that is an address; undici gives one for a proxy, and newer Node refuses it.
 */
function watched(connect: buildConnector.connector, unconnected: Set<Socket>): buildConnector.connector {
  return ({ servername = '', ...options }, callback) => {
    const made: unknown = connect({ ...options, servername: isIP(servername) ? '' : servername }, (...result) => {
      if (isSocket(made)) unconnected.delete(made);
      callback(...result);
    });
    if (isSocket(made)) unconnected.add(made);
  };
}

/** A connector of undici gives the socket at once, though its types do not say so; one through a tunnel cannot. */
function isSocket(made: unknown): made is Socket {
  return typeof made === 'object' && made !== null && 'destroy' in made;
}
