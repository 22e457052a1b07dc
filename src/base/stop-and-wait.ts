import type { IncomingHttpHeaders } from 'node:http';
import { systemErrorCode } from './whole-file.js';

/**
 * Ends one request early: an AbortController and its signal in one, light enough for every request to have its own. See
 * {@link onAbort} for callbacks.
 */
export class Stop {
  #isAborted = false;
  #reason: unknown;
  readonly #callbacks = new Set<() => void>();

  /** Whether it was aborted. */
  get aborted(): boolean {
    return this.#isAborted;
  }

  /** The reason; undefined until it is aborted. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Calls all callbacks, the first time that it is called. */
  abort(reason: unknown = new Error('The request was given up.')): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    for (const callback of [...this.#callbacks]) callback();
    this.#callbacks.clear();
  }

  /** @throws The reason, if it was aborted. */
  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason;
  }

  /** Calls back when it is aborted; returns a function that removes the callback. */
  onAbort(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => {
      this.#callbacks.delete(callback);
    };
  }
}

/** What may end a request: a caller's signal, or a {@link Stop}. */
export type StopSignal = AbortSignal | Stop;

interface Watch {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls back once when a signal is aborted. However many requests share a signal, it gets only one listener, since
 * Node.js warns of a leak beyond ten.
 *
 * @param signal Not aborted yet.
 * @returns A function that removes the callback.
 */
export function onAbort(signal: StopSignal, callback: () => void): () => void {
  if (signal instanceof Stop) return signal.onAbort(callback);
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(callback);
  return () => {
    watch.callbacks.delete(callback);
    if (watch.callbacks.size > 0) return;
    signal.removeEventListener('abort', watch.listener);
    if (watches.get(signal) === watch) watches.delete(signal);
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of [...callbacks]) callback();
  };
  const watch = { callbacks, listener };
  watches.set(signal, watch);
  signal.addEventListener('abort', watch.listener, { once: true });
  return watch;
}

/** Waits; throws the signal's reason as soon as it is aborted, and leaves no timer behind. */
export async function waitFor(waitMs: number, signal: StopSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer);
      forget?.();
      done();
    };
    const timer = setTimeout(end, waitMs);
    const forget = signal && onAbort(signal, end);
  });
  signal?.throwIfAborted();
}

/** The rate limit that all requests of one client share. */
export class RequestThrottle {
  #openAt = 0;
  /** Number of requests that the service answered successfully. */
  passed = 0;

  /** Milliseconds that the next request must wait; 0 if it may go at once. */
  waitMs(): number {
    const left = this.#openAt - performance.now();
    // A timer may fire a millisecond early.
    return left < 2 ? 0 : Math.ceil(left);
  }

  /** Holds back all requests for this many milliseconds. */
  hold(milliseconds: number): void {
    this.#openAt = Math.max(this.#openAt, performance.now() + milliseconds);
  }
}

/**
 * How long a service asks its clients to wait, by `Retry-After` or, if no request remains, by the rate limit's reset.
 *
 * @returns Milliseconds; undefined if it asks for nothing that can be understood.
 */
export function toldWaitMs(status: number | undefined, headers: IncomingHttpHeaders): number | undefined {
  if (status !== undefined && isPassing(status)) {
    const told = retryAfterMs(headers['retry-after'], headers.date);
    if (told !== undefined) return told;
  }
  const { remaining, reset } = limitOf(headers);
  if (remaining === undefined ? status !== 429 : remaining > 0) return undefined;
  return resetMs(reset, headers.date);
}

/** Reads the limit from two separate headers, or from the single one of newer drafts. */
function limitOf(headers: IncomingHttpHeaders): { remaining: number | undefined; reset: number | undefined } {
  const both = headers.ratelimit === undefined ? '' : String(headers.ratelimit);
  const [, remaining] = (both && /\b(?:r|remaining)\s*=\s*(\d+)/i.exec(both)) || [];
  const [, reset] = (both && /\b(?:t|reset)\s*=\s*(\d+)/i.exec(both)) || [];
  return {
    remaining: numberOf(remaining ?? headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining']),
    reset: numberOf(reset ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-reset']),
  };
}

/** The present time by the service's clock, which may differ from this machine's. */
function nowOf(date: string | undefined): number {
  return momentOf(date) ?? Date.now();
}

function retryAfterMs(text: string | undefined, date: string | undefined): number | undefined {
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds * 1000;
  const moment = momentOf(text);
  return moment === undefined ? undefined : Math.max(0, moment - nowOf(date));
}

/** Reads a reset: seconds from now, seconds since 1970 or milliseconds since 1970, told apart by their size. */
function resetMs(reset: number | undefined, date: string | undefined): number | undefined {
  if (reset === undefined) return undefined;
  if (reset > 1e11) return Math.max(0, reset - nowOf(date));
  return reset > 1e9 ? Math.max(0, reset * 1000 - nowOf(date)) : reset * 1000;
}

function numberOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header).trim();
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function momentOf(header: string | undefined): number | undefined {
  const moment = header !== undefined && /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

const LONGEST_STEP_MS = 15_000;

/** Statuses after which another try may succeed; every query is safe to repeat. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/** Codes of permanent faults: an untrusted certificate, a wrong proxy address, headers that are too long. */
const LASTING =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|UND_ERR_(INVALID|HEADERS_OVERFLOW|CLOSED|DESTROYED|PRX_TLS))/;

/** Whether a refusal may be temporary. */
export function isPassing(status: number): boolean {
  return PASSING.includes(status);
}

/** Whether a fault of a connection may be temporary: not an untrusted certificate, or another protocol than HTTP. */
export function isPassingFault(fault: unknown): boolean {
  const { name, message } = fault instanceof Error ? fault : { name: '', message: '' };
  // An answer that ends within its headers was cut, too.
  if (name === 'HTTPParserError') return /\bEOF\b/.test(message);
  return !LASTING.test(systemErrorCode(fault) ?? '');
}

/**
 * How long to wait before the next try if the service does not say: a random time up to a bound that doubles, so that
 * clients that failed together do not retry together.
 *
 * @param failures How often the request has failed, from 1.
 * @param firstMs The bound after the first failure, in milliseconds.
 * @returns Milliseconds, never more than 15,000.
 */
export function backOffMs(failures: number, firstMs: number): number {
  return Math.random() * Math.min(LONGEST_STEP_MS, firstMs * 2 ** (failures - 1));
}

/** A duration as messages show it. @example shownDuration(1500); // '1.5 s' */
export function shownDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.ceil(milliseconds)} ms`;
  const seconds = milliseconds < 10_000 ? Math.round(milliseconds / 100) / 10 : Math.round(milliseconds / 1000);
  return `${seconds} s`;
}
