import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici/index.js';
import { UsageError } from '../../base/errors.js';
import { KNOWN_CODINGS, type Sent } from './read-answer.js';
import { onAbort, type StopSignal, shownDuration } from './stop-and-wait.js';
import type { TransportLimits } from './transport-options.js';

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

/** A POST request to send. */
export interface Outgoing {
  readonly origin: string;
  /** Path with the query string. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const NOTHING = Buffer.alloc(0);

/** How many bytes of a refusal are read. */
const LONGEST_REFUSAL = 64 * 1024;

/**
 * Makes one try: sends the request and receives the whole answer. It never throws. Aborting the signal ends it at once,
 * even while it connects.
 *
 * @param leftMs The time left for the request as a whole, in milliseconds.
 * @param signal Not aborted yet.
 */
export function sendOnce(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  limits: TransportLimits,
  leftMs: number,
  signal: StopSignal | undefined,
): Promise<Sent> {
  return new Promise((done) => {
    const reading = new Reading(limits.maxAnswerBytes, (sent) => {
      clearTimeout(timer);
      forget?.();
      done(sent);
    });
    const { attemptTimeoutMs, headersTimeoutMs: headersTimeout, bodyTimeoutMs: bodyTimeout } = limits;
    const timeUp = () =>
      reading.fail(new Error(`no whole answer within ${shownDuration(attemptTimeoutMs)} (attemptTimeoutMs)`));
    // If undici had to be loaded first, the time may already be up.
    const timer = setTimeout(timeUp, Math.max(1, Math.min(attemptTimeoutMs, Math.ceil(leftMs))));
    const forget = signal && onAbort(signal, () => reading.fail(signal.reason));
    dispatcher.dispatch({ ...outgoing, method: 'POST', headersTimeout, bodyTimeout }, reading);
  });
}

/** Receives an answer as it comes. By undici's streams, a small query takes a sixth longer (0.90 for 0.76 ms). */
class Reading implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #done: (sent: Sent) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #headers: IncomingHttpHeaders = {};
  #limit = 0;
  /** Length that the answer states; 0 if it states none. */
  #told = 0;
  #pieces: Buffer[] = [];
  #whole: Buffer | undefined;
  #length = 0;
  #settled = false;

  constructor(maxBytes: number, done: (sent: Sent) => void) {
    this.#maxBytes = maxBytes;
    this.#done = done;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request was given up while the connection was being made.
    if (this.#settled) controller.abort(new Error('The request was given up.'));
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#limit = status < 300 ? this.#maxBytes : Math.min(this.#maxBytes, LONGEST_REFUSAL);
    this.#told = Number(headers['content-length'] ?? 0);
    if (status < 300 && this.#told > this.#limit) this.#stop();
  }

  onResponseData(_: unknown, piece: Buffer): void {
    if (this.#settled) return;
    const room = this.#limit - this.#length;
    const taken = piece.length > room ? piece.subarray(0, room) : piece;
    // Pieces are written in place, so that a large answer is never in memory twice; a single piece is not copied at all.
    if (taken.length < this.#told && this.#told <= this.#limit) this.#whole ??= Buffer.allocUnsafeSlow(this.#told);
    if (this.#whole) taken.copy(this.#whole, this.#length);
    else this.#pieces.push(taken);
    this.#length += taken.length;
    if (taken !== piece) this.#stop();
  }

  onResponseEnd(): void {
    // undici frees the connection in an immediate that it schedules once this returns. If the caller continued before
    // that, its next request would open a second connection.
    process.nextTick(() => setImmediate(() => this.#settle({})));
  }

  onResponseError(_: unknown, fault: unknown): void {
    this.#settle({ fault });
  }

  /** Ends the try with a fault from outside. */
  fail(fault: unknown): void {
    this.#settle({ fault });
    this.#controller?.abort(fault instanceof Error ? fault : new Error('The request was given up.'));
  }

  #stop(): void {
    this.#settle({ tooLarge: true });
    this.#controller?.abort(new Error('The answer is too large.'));
  }

  #settle(end: Pick<Sent, 'fault' | 'tooLarge'>): void {
    if (this.#settled) return;
    this.#settled = true;
    const [first = NOTHING] = this.#pieces;
    const parts = this.#pieces.length > 1 ? Buffer.concat(this.#pieces, this.#length) : first;
    const bytes = this.#whole?.subarray(0, this.#length) ?? parts;
    const head = this.#status === undefined ? {} : { status: this.#status };
    this.#pieces = [];
    this.#whole = undefined;
    this.#done({ ...head, headers: this.#headers, bytes, ...end });
  }
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
