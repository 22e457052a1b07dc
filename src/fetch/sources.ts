import { messageOf, SourceError, UsageError } from '../base/errors.js';
import { openWire, unpack, type Wire } from '../base/http-pool.js';
import { versionOf } from '../base/packages.js';
import {
  backOffMs,
  isPassingFault,
  onAbort,
  type StopSignal,
  shownDuration,
  toldWaitMs,
  waitFor,
} from '../base/stop-and-wait.js';
import { fieldOf, jsonIn } from '../base/texts.js';
import { systemErrorCode } from '../base/whole-file.js';
import { RequestPace, SOURCE_URLS, type SourceName } from './request-pace.js';

/** Where the sources are and how to ask them. */
export interface SourceOptions {
  /** Base addresses. Default those of Polymarket's public services. */
  gammaUrl?: string | undefined;
  dataApiUrl?: string | undefined;
  clobUrl?: string | undefined;
  /** Share of each documented rate to use, above 0; infinite for no limit, for a server of your own. Default 0.5. */
  rate?: number | undefined;
  /** The User-Agent to send. Default `oddslab/VERSION`. */
  userAgent?: string | undefined;
  /** How often a request that failed temporarily is repeated. Default 6. */
  retries?: number | undefined;
  /** The longest pause before the second try, in milliseconds; it doubles with each further one. Default 1,000. */
  backOffMs?: number | undefined;
  /** Time limit of one try, in milliseconds. Default 60,000. */
  attemptTimeoutMs?: number | undefined;
  /** Ends every request. */
  signal?: AbortSignal | undefined;
  /** Called with each wait before a request is repeated, with its reason in one line. */
  onWait?: ((waitMs: number, reason: string) => void) | undefined;
}

const NAMES: Readonly<Record<SourceName, string>> = { gamma: 'Gamma', data: 'The Data API', clob: 'The CLOB' };
const FLAGS: Readonly<Record<SourceName, string>> = {
  gamma: '--gamma-url or ODDSLAB_GAMMA_URL',
  data: '--data-api-url or ODDSLAB_DATA_API_URL',
  clob: '--clob-url or ODDSLAB_CLOB_URL',
};

/** Query parameters; a list is sent as one parameter for each of its values. */
export type SourceParams = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** What a source answered. */
export interface SourceAnswer {
  /** The whole answer as text, for numbers that a double does not hold. */
  readonly text: string;
  readonly json: unknown;
  /** The source and its address without parameters, for messages: `The Data API (GET https://…/v2/activity)`. */
  readonly place: string;
}

/** The longest that a source may ask to wait, in milliseconds. */
const PATIENCE_MS = 120_000;
const MOST_BYTES = 256 * 1024 * 1024;

/** The public sources, asked politely: see {@link RequestPace} for the pace. Close them when done. */
export class Sources {
  readonly #options: SourceOptions;
  readonly #bases: Readonly<Record<SourceName, URL>>;
  readonly #pace: RequestPace;
  readonly #wires = new Map<SourceName, Promise<Wire>>();
  readonly #userAgent: string;
  /** Whether any source has answered. */
  #isOnline = false;

  /** @throws {UsageError} If a base address is none. */
  constructor(options: SourceOptions = {}) {
    this.#options = options;
    this.#bases = {
      gamma: baseOf('gamma', options.gammaUrl),
      data: baseOf('data', options.dataApiUrl),
      clob: baseOf('clob', options.clobUrl),
    };
    this.#pace = new RequestPace(options.rate ?? 0.5);
    this.#userAgent = options.userAgent ?? `oddslab/${versionOf('oddslab')}`;
  }

  /** Ends the requests of this object when it is aborted. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /**
   * Asks a source. 429, 5xx, faults of the connection and answers that were cut are tried again.
   *
   * @param path Below the base address, such as `/v2/activity`.
   * @throws {SourceError} If there is no usable answer; the message says which source, what it answered and what to do.
   * @throws The signal's reason, when it is aborted.
   */
  async get(source: SourceName, path: string, params: SourceParams = {}): Promise<SourceAnswer> {
    const { retries = 6, backOffMs: firstMs = 1000, onWait, signal } = this.#options;
    const base = this.#bases[source];
    const place = `${NAMES[source]} (GET ${base.origin}${base.pathname}${path.slice(1)})`;
    const query = queryOf(params);
    let waitedMs = 0;
    for (let failures = 1; ; failures++) {
      const tried = await this.#tryOnce(source, path, query);
      if ('answer' in tried) {
        this.#isOnline = true;
        return { ...tried.answer, place };
      }
      const { waitMs: toldMs, remedy } = tried;
      const waitMs = toldMs ?? backOffMs(failures, firstMs);
      waitedMs += waitMs;
      const most = Math.min(retries, tried.retries ?? retries);
      const isLast = toldMs === undefined ? failures > most : waitedMs > PATIENCE_MS;
      if (isLast) {
        const { cause, ...details } = tried.details;
        const more = failures > 1 ? ` Tried ${failures} times.` : '';
        const later = toldMs === undefined ? '' : ` It asks to wait ${shownDuration(toldMs)}.`;
        throw new SourceError(
          `${place} ${tried.did}.${more}${later} ${remedy ?? adviceFor(source, details.kind)}`,
          details,
          { cause },
        );
      }
      onWait?.(waitMs, `${NAMES[source]} ${tried.did}`);
      if (toldMs !== undefined) this.#pace.hold(source, toldMs);
      else await waitFor(waitMs, signal);
    }
  }

  /** Closes the kept connections. */
  async close(): Promise<void> {
    for (const opened of this.#wires.values()) {
      const wire = await opened.catch(() => undefined);
      wire?.dropUnconnected();
      await wire?.close();
    }
  }

  async #tryOnce(source: SourceName, path: string, query: string): Promise<Tried> {
    const wire = await this.#wireOf(source);
    const leave = await this.#pace.enter(source, path, this.#options.signal);
    const stop = stopAfter(this.#options.attemptTimeoutMs ?? 60_000, this.#options.signal);
    try {
      const base = this.#bases[source];
      const { statusCode, headers, body } = await wire.dispatcher.request({
        origin: base.origin,
        path: `${base.pathname}${path.slice(1)}${query}`,
        method: 'GET',
        headers: { accept: 'application/json', 'user-agent': this.#userAgent, 'accept-encoding': wire.codings },
        signal: stop.signal,
      });
      const bytes = await unpack({ headers, bytes: Buffer.from(await body.arrayBuffer()) }, MOST_BYTES);
      return judge(statusCode, toldWaitMs(statusCode, headers), bytes.toString());
    } catch (cause) {
      this.#options.signal?.throwIfAborted();
      // A machine that nothing has answered yet is rather offline than cut off for a moment.
      const isOffline = !this.#isOnline && OFFLINE.has(systemErrorCode(cause) ?? '');
      const retries = isOffline ? 1 : isPassingFault(cause) ? undefined : 0;
      return { did: `gave no whole answer: ${messageOf(cause)}`, retries, details: { kind: 'unreachable', cause } };
    } finally {
      stop.end();
      leave();
    }
  }

  #wireOf(source: SourceName): Promise<Wire> {
    const wire = this.#wires.get(source) ?? openWire(this.#bases[source], 10_000);
    this.#wires.set(source, wire);
    return wire;
  }
}

/** Errors of a machine that finds no way to an address, before any connection. */
const OFFLINE = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN']);

/** One try: an answer, or what went wrong. */
type Tried =
  | { readonly answer: Pick<SourceAnswer, 'text' | 'json'> }
  | {
      readonly did: string;
      /** How often at most it may be tried again, if less often than other failures. */
      readonly retries?: number | undefined;
      readonly waitMs?: number | undefined;
      readonly remedy?: string;
      readonly details: SourceError['details'] & { cause?: unknown };
    };

function judge(status: number, waitMs: number | undefined, body: string): Tried {
  // A byte order mark is no part of JSON.
  const text = body.replace(/^\ufeff/, '');
  if (status >= 200 && status < 300) {
    const json = jsonIn(text);
    if (json !== undefined) return { answer: { text, json } };
    const details = { kind: 'unreadable', status } as const;
    if (/^\s*</.test(text))
      // A page for people stands before a source for a moment, or for good.
      return { did: `answered ${status} with a page of HTML, not JSON: ${excerpt(text)}`, retries: 2, details };
    return { did: `answered ${status}, but no whole JSON: ${excerpt(text)}`, details };
  }
  const said = saidIn(text);
  const did = `answered ${status}${said && `: ${said}`}`;
  if (status === 429 || status >= 500) return { did, waitMs, details: { kind: 'failing', status, said } };
  return { did, retries: 0, details: { kind: 'refused', status, said } };
}

/** What a refusal says, in one line; empty if it says nothing. */
function saidIn(text: string): string {
  const json = jsonIn(text);
  const parts = ['error', 'message', 'detail'].map((name) => fieldOf(json, name));
  const said = parts.find((part) => typeof part === 'string' && part !== '');
  return excerpt(typeof said === 'string' ? said : text);
}

function excerpt(text: string): string {
  const words = text
    .replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return words.length > 120 ? `${words.slice(0, 119)}…` : words;
}

function adviceFor(source: SourceName, kind: SourceError['details']['kind']): string {
  const address = `check the address (${FLAGS[source]})`;
  if (kind === 'unreachable')
    return `Is this machine online? Else ${address} and the proxy (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).`;
  if (kind === 'unreadable')
    return `Something else than the source answers, such as a proxy or a login page: ${address}.`;
  if (kind === 'failing') return 'Run the same command again later: it continues where it stopped.';
  return `If this goes on, ${address}: the source may have changed.`;
}

function baseOf(source: SourceName, given: string | undefined): URL {
  const text = given ?? SOURCE_URLS[source];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    const shown = url ? `${url.protocol}//${url.host}` : JSON.stringify(text);
    throw new UsageError(
      `${FLAGS[source]} must be an http or https address without user, password and parameters, such as ` +
        `${SOURCE_URLS[source]}; got ${shown}.`,
    );
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function queryOf(params: SourceParams): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (const each of value) query.append(name, each);
    else if (value !== undefined) query.append(name, String(value));
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** A signal that aborts after a time, or with another signal; `end` removes its timer. */
function stopAfter(timeoutMs: number, signal: StopSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const late = new Error(`no whole answer within ${shownDuration(timeoutMs)}`);
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const forget = signal && onAbort(signal, () => controller.abort(signal.reason));
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      forget?.();
    },
  };
}
