import { UsageError } from '../../base/errors.js';
import { hideKey } from './hide-key.js';
import { openWire, type Wire } from './open-wire.js';
import { type Answer, postPatiently, type Service } from './post-patiently.js';
import { RateLimit } from './rate-limit.js';
import { shownDuration } from './shown-duration.js';
import type { StopSignal } from './stop.js';
import { readTransportOptions, type TransportOptions, type Wait } from './transport-options.js';

export type { Answer } from './post-patiently.js';
export type { TransportOptions, Wait } from './transport-options.js';

/** A connection to one service. */
export interface Transport {
  /**
   * Posts one request envelope and returns the bytes of the answer. Temporary failures are retried; a rate limit is
   * waited for, together with all other requests of this transport.
   *
   * @throws {ServiceError} If the service refuses, fails, cannot be reached, or sends an answer that cannot be read.
   * @throws The signal's reason, at once, when it is aborted.
   */
  post(envelope: object, signal?: StopSignal): Promise<Answer>;
  /** Closes the kept connections once requests under way have ended. */
  close(): Promise<void>;
}

/**
 * Opens a transport, which sends HTTP requests to one service over kept connections. Nothing is opened before the first
 * request, and a transport that is never closed does not keep the process alive.
 *
 * @param url Address that queries are posted to.
 * @throws {UsageError} If an option is out of its bounds.
 * @example
 * const transport = openTransport('http://127.0.0.1:8787/query', { apiKey, retries: 2 });
 * const { body } = await transport.post({ agent_id: 574, pagination: { limit: 10, offset: 0 } });
 */
export function openTransport(url: string, options: TransportOptions = {}): Transport {
  return new HttpTransport(new URL(url), options);
}

/** Shortest wait in milliseconds that causes a warning. */
const NOTICED_MS = 500;

class HttpTransport implements Transport {
  readonly #service: Service;
  readonly #underWay = new Set<Promise<unknown>>();
  #wire: Promise<Wire> | undefined;
  #closing: Promise<void> | undefined;

  constructor(url: URL, options: TransportOptions) {
    const limits = readTransportOptions(options);
    this.#service = {
      url,
      target: { origin: url.origin, path: url.pathname + url.search },
      limits,
      headers: headersOf(options.apiKey),
      hide: hideKey(options.apiKey),
      rate: new RateLimit(),
      wire: () => {
        this.#wire ??= openWire(url, limits.connectTimeoutMs);
        return this.#wire;
      },
      onWait: waitReporter(options),
    };
  }

  async post(envelope: object, signal?: StopSignal): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.#closing) throw new UsageError('This connection was closed: open a new one with connect().');
    const answer = postPatiently(this.#service, JSON.stringify(envelope), signal);
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
      if (this.#underWay.size === 0) (await this.#openWire())?.dropUnconnected();
    }
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay)
      .then(() => this.#openWire())
      .then((wire) => wire?.close());
    return this.#closing;
  }

  /** The connections; undefined if none were opened, or none could be. */
  async #openWire(): Promise<Wire | undefined> {
    return this.#wire?.catch(() => undefined);
  }
}

function headersOf(apiKey: string | undefined): Readonly<Record<string, string>> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'oddslab' };
  return apiKey === undefined ? headers : { ...headers, authorization: `Bearer ${apiKey}` };
}

/** Passes on every wait, and warns of the first one that a user would notice. */
function waitReporter({ onWait, onWarning }: TransportOptions): (wait: Wait) => void {
  let warned = false;
  return (wait) => {
    onWait?.(wait);
    if (warned || !wait.isAsked || wait.waitMs < NOTICED_MS) return;
    warned = true;
    onWarning?.(
      `The query service asks to wait ${shownDuration(wait.waitMs)}: ${wait.reason} Later waits are not told.`,
    );
  };
}
