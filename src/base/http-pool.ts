import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { buildConnector, Dispatcher } from 'undici/index.js';
import { UsageError } from './errors.js';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The kept connections to one service. */
export interface Wire {
  readonly dispatcher: Dispatcher;
  /** Whether the environment names a proxy for the service. */
  readonly proxied: boolean;
  /** The compressions to request, as `Accept-Encoding` names them. */
  readonly codings: string;
  /** Drops connections that are not yet established. */
  dropUnconnected(): void;
  /** Closes the kept connections once their requests have ended. */
  close(): Promise<void>;
}

/**
 * Opens a pool of kept connections, through a proxy if the environment names one. Nothing is sent yet; an idle
 * connection does not keep the process alive.
 *
 * @throws {UsageError} If a proxy variable holds no address.
 */
export async function openWire(url: URL, connectTimeoutMs: number): Promise<Wire> {
  // Under the plain name, Bun provides its own substitute, which lacks what is needed here.
  const undici = await import('undici/index.js');
  const proxies = proxiesOf(url, process.env);
  const unconnected = new Set<Socket>();
  const dispatcher = openDispatcher(undici, url, proxies, connectTimeoutMs, unconnected);
  // Within a machine, compressing takes longer than sending.
  const isNear = !proxies && LOOPBACK.test(url.hostname);
  return {
    dispatcher,
    proxied: proxies !== undefined,
    codings: isNear ? 'identity' : KNOWN_CODINGS,
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
    // The cause would show the address, which may hold a password.
    throw new UsageError(
      'HTTP_PROXY or HTTPS_PROXY in the environment holds no address of a proxy, such as http://proxy.example:8080.',
    );
  }
}

/** Keeps a proxy's own connector, but watches it as well. */
function watchedOptions(options: object & { connect?: unknown }, unconnected: Set<Socket>): object {
  if (typeof options.connect !== 'function') return options;
  return { ...options, connect: watched(options.connect as buildConnector.connector, unconnected) };
}

/**
 * Lists connections that are being made, so that a request that is given up leaves none behind. Drops a TLS server name
 * that is an IP address: undici sets one for a proxy, and newer versions of Node.js refuse it.
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

/** Whether a connector returned its socket. Those of undici do, unlike their types say; one through a tunnel cannot. */
function isSocket(made: unknown): made is Socket {
  return typeof made === 'object' && made !== null && 'destroy' in made;
}

/** The proxies of an environment, as undici takes them. */
interface Proxies {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/**
 * The proxies that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name, in upper or lower case; lower case takes
 * precedence.
 *
 * @returns Undefined if none is named, and for a service on this machine, which no proxy can reach.
 */
export function proxiesOf(url: URL, environment: NodeJS.ProcessEnv): Proxies | undefined {
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) return undefined;
  const named = (name: string) => environment[name] || environment[name.toUpperCase()] || '';
  const httpProxy = addressOf(named('http_proxy'));
  const httpsProxy = addressOf(named('https_proxy'));
  return httpProxy || httpsProxy ? { httpProxy, httpsProxy, noProxy: named('no_proxy') } : undefined;
}

/** The address of a proxy, with `http://` if its protocol is left out. */
function addressOf(value: string): string {
  return value === '' || value.includes('://') ? value : `http://${value}`;
}

type Undo = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>;

const UNDO = new Map<string, Undo>([
  ['gzip', promisify(zlib.gunzip)],
  ['br', promisify(zlib.brotliDecompress)],
]);
// The oldest supported version of Node.js lacks it.
const zstd: unknown = Reflect.get(zlib, 'zstdDecompress');
if (typeof zstd === 'function') UNDO.set('zstd', promisify(zstd as typeof zlib.gunzip));

/** The content codings that this version of Node.js can decompress, as `Accept-Encoding` names them. */
export const KNOWN_CODINGS = [...UNDO.keys()].join(', ');

/**
 * Decompresses an answer; several codings are undone from the last to the first.
 *
 * @param maxBytes The largest decompressed size, since a small answer may unpack to any size.
 * @throws What zlib throws: with the code `ERR_BUFFER_TOO_LARGE` beyond `maxBytes`, with others for damaged bytes.
 */
export async function unpack(
  { headers, bytes }: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer },
  maxBytes: number,
): Promise<Buffer> {
  let unpacked = bytes;
  for (const name of codingsOf(headers).reverse()) {
    const undo = UNDO.get(name.replace(/^x-/, ''));
    if (!undo) throw new Error(`the coding ${JSON.stringify(name)} is none of ${KNOWN_CODINGS}`);
    const chunkSize = unpacked.length > 16_384 ? 262_144 : 65_536;
    unpacked = await undo(unpacked, { maxOutputLength: maxBytes, chunkSize });
  }
  return unpacked;
}

/** The codings by `Content-Encoding` that change the bytes. */
export function codingsOf({ 'content-encoding': coding = '' }: IncomingHttpHeaders): string[] {
  const names = coding.toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}
