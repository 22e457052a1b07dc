import { ServiceError, UsageError } from '../../base/errors.js';
import { openWire, type Wire } from '../../base/http-pool.js';
import {
  backOffMs,
  RequestThrottle,
  type StopSignal,
  shownDuration,
  toldWaitMs,
  waitFor,
} from '../../base/stop-and-wait.js';
import { type Failure, readAnswer, type Sent } from './read-answer.js';
import { hideKey, type KeyHider } from './server-text.js';
import { readTransportOptions, type TransportLimits, type TransportOptions, type Wait } from './transport-options.js';
import { type Outgoing, sendOnce } from './wire.js';

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
  return new Transport(new URL(url), options);
}

/** Shortest wait in milliseconds that causes a warning. */
const NOTICED_MS = 500;

/** A connection to one service. */
export class Transport {
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
      rate: new RequestThrottle(),
      wire: () => {
        this.#wire ??= openWire(url, limits.connectTimeoutMs);
        return this.#wire;
      },
      onWait: waitReporter(options),
    };
  }

  /**
   * Posts one request envelope and returns the bytes of the answer. Temporary failures are retried; a rate limit is
   * waited for, together with all other requests of this transport.
   *
   * @throws {ServiceError} If the service refuses, fails, cannot be reached, or sends an answer that cannot be read.
   * @throws The signal's reason, at once, when it is aborted.
   */
  async post(envelope: object, signal?: StopSignal): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.#closing) throw new UsageError('This connection was closed: open a new one with connect().');
    const answer = new PatientRequest(this.#service, JSON.stringify(envelope), signal).answer();
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
      if (this.#underWay.size === 0) (await this.#openWire())?.dropUnconnected();
    }
  }

  /** Closes the kept connections once requests under way have ended. */
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

/** The state that all requests to one service share. */
interface Service {
  readonly url: URL;
  /** The parts of the same address. */
  readonly target: Pick<Outgoing, 'origin' | 'path'>;
  readonly limits: TransportLimits;
  readonly headers: Readonly<Record<string, string>>;
  readonly hide: KeyHider;
  readonly rate: RequestThrottle;
  /** The connections; the first call opens them. */
  wire(): Promise<Wire>;
  /** Called with each wait as it begins. */
  onWait(wait: Wait): void;
}

/** What a service answered. */
export interface Answer {
  /** The decompressed body, in UTF-8 without a byte order mark. */
  readonly body: Uint8Array;
  /** The service's own id of the request. */
  readonly requestId?: string;
  /** Version of the service's data, if it states one. */
  readonly dataVersion?: string;
  /** How often the request was sent. */
  readonly attempts: number;
  /** How long it waited between tries and for the rate limit, in milliseconds. */
  readonly waitedMs: number;
}

/** One request with all its tries and waits. */
class PatientRequest {
  readonly #service: Service;
  readonly #body: string;
  readonly #signal: StopSignal | undefined;
  readonly #until: number;
  #attempts = 0;
  /** Number of tries that count against the retries. */
  #failures = 0;
  #waitedMs = 0;
  /** Whether compression damaged an answer, so that no compression is requested any more. */
  #plain = false;
  #sent: Sent | undefined;
  #last: Failure | undefined;

  constructor(service: Service, body: string, signal: StopSignal | undefined) {
    this.#service = service;
    this.#body = body;
    this.#signal = signal;
    this.#until = performance.now() + service.limits.timeoutMs;
  }

  async answer(): Promise<Answer> {
    const { rate, limits, wire: open } = this.#service;
    const wire = await open();
    for (;;) {
      await this.#passRateLimit();
      this.#signal?.throwIfAborted();
      const passedBefore = rate.passed;
      this.#attempts++;
      const sent = await this.#send(wire);
      this.#sent = sent;
      this.#checkStop();
      const toldMs = toldWaitMs(sent.status, sent.headers);
      if (toldMs) rate.hold(toldMs);
      const read = await this.#read(sent, wire);
      this.#checkStop();
      if ('body' in read) {
        rate.passed++;
        return { body: read.body, ...this.#headOf(sent), attempts: this.#attempts, waitedMs: this.#waitedMs };
      }
      // While other requests that share the rate limit succeed, being late does not count as a failure.
      if (sent.status !== 429 || rate.passed === passedBefore) this.#failures++;
      this.#judge(read);
      const waitMs = backOffMs(Math.max(1, this.#failures), limits.backOffMs);
      if (!toldMs) await this.#wait({ waitMs, reason: read.reason, isAsked: false });
    }
  }

  #leftMs(): number {
    return this.#until - performance.now();
  }

  /** Throws if the caller has stopped the request or its time is up. */
  #checkStop(): void {
    this.#signal?.throwIfAborted();
    // A timer may fire a millisecond early.
    if (this.#leftMs() > 1) return;
    const { limits, url } = this.#service;
    const within = `${shownDuration(limits.timeoutMs)} (timeoutMs)`;
    const before = this.#last === undefined ? '' : ` The last try: ${this.#last.reason}`;
    throw this.#error(`The query service gave no whole answer within ${within} (POST ${url.href}).${before}`);
  }

  #send({ dispatcher, codings }: Wire): Promise<Sent> {
    const { target, limits } = this.#service;
    const headers = { ...this.#service.headers, 'accept-encoding': this.#plain ? 'identity' : codings };
    const leftMs = this.#leftMs();
    return sendOnce(dispatcher, { ...target, headers, body: this.#body }, limits, leftMs, this.#signal);
  }

  #read(sent: Sent, { proxied }: Wire): Promise<{ body: Buffer } | Failure> {
    const { url, hide, limits } = this.#service;
    return readAnswer(sent, { url, hide, proxied, maxAnswerBytes: limits.maxAnswerBytes });
  }

  /** Throws if another try would not help. */
  #judge(failure: Failure): void {
    const damagedTwice = failure.remedy === 'uncompressed' && this.#plain;
    this.#plain ||= failure.remedy === 'uncompressed';
    this.#last = failure;
    if (failure.remedy === 'none' || damagedTwice || this.#failures > this.#service.limits.retries) {
      throw this.#error(failure.message);
    }
  }

  async #passRateLimit(): Promise<void> {
    for (let waitMs = this.#service.rate.waitMs(); waitMs > 0; waitMs = this.#service.rate.waitMs()) {
      const reason = this.#last?.reason ?? 'the rate limit of the service is used up.';
      await this.#wait({ waitMs, reason, isAsked: true });
    }
  }

  async #wait(wait: Wait): Promise<void> {
    const { waitMs, reason } = wait;
    const { url, limits, onWait } = this.#service;
    if (waitMs > this.#leftMs()) {
      const text = this.#last?.message ?? `The query service was not asked (POST ${url.href}): ${reason}`;
      const allowed = `the ${shownDuration(limits.timeoutMs)} that a request may take (timeoutMs)`;
      throw this.#error(`${text} To wait another ${shownDuration(waitMs)} would go beyond ${allowed}.`);
    }
    onWait(wait);
    const from = performance.now();
    await waitFor(waitMs, this.#signal);
    this.#waitedMs += performance.now() - from;
  }

  #error(message: string): ServiceError {
    const { requestId } = this.#sent ? this.#headOf(this.#sent) : {};
    const details = {
      attempts: this.#attempts,
      method: 'POST',
      url: this.#service.url.href,
      ...(this.#sent?.status === undefined ? {} : { status: this.#sent.status }),
      ...(requestId === undefined ? {} : { requestId }),
    };
    const tried = this.#attempts > 1 ? ` Tried ${this.#attempts} times.` : '';
    const cause = this.#last?.cause;
    return new ServiceError(message + tried, details, cause === undefined ? {} : { cause });
  }

  #headOf({ headers }: Sent): Pick<Answer, 'requestId' | 'dataVersion'> {
    const shown = (name: string) => this.#service.hide.text(String(headers[name] ?? ''));
    const [requestId, dataVersion] = [shown('x-request-id'), shown('oddslab-data-version')];
    return { ...(requestId ? { requestId } : {}), ...(dataVersion ? { dataVersion } : {}) };
  }
}
