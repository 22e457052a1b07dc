import { UsageError } from '../../errors.js';

/** How one service is spoken to. Times are milliseconds, from 1 to 2,147,483,647 (24 days). */
export interface TransportOptions {
  /** Sent as a bearer token, and never part of an error. */
  apiKey?: string | undefined;
  /** How often a request that failed in passing is sent again; 0 for never. Default 4, so five tries in all. */
  retries?: number | undefined;
  /**
   * The longest pause before the second try; each further pause may be twice as long, up to 15,000, and is cut short at
   * random. Default 250. What the service itself asks for goes first.
   */
  backOffMs?: number | undefined;
  /** For one request (a page) with all its tries and waits. Default 300,000. */
  timeoutMs?: number | undefined;
  /** For one try, from the connection to the last byte of the answer. Default 150,000. */
  attemptTimeoutMs?: number | undefined;
  /** Until a connection stands. Default 10,000. */
  connectTimeoutMs?: number | undefined;
  /** From the request to the head of the answer. Default 60,000. */
  headersTimeoutMs?: number | undefined;
  /** Between two pieces of an answer. Default 60,000. */
  bodyTimeoutMs?: number | undefined;
  /** The largest answer that is taken in, decompressed, in bytes. Default 268,435,456 (256 MiB). */
  maxAnswerBytes?: number | undefined;
  /** Told once that the service limits the rate of requests, or asks to come back later: from 500 ms on. */
  onWarning?: ((text: string) => void) | undefined;
  /** Told of each wait as it begins, so that a progress line can show it. */
  onWait?: ((wait: Wait) => void) | undefined;
}

/** A wait before a request is sent, or sent again. */
export interface Wait {
  /** How long it takes. */
  readonly waitMs: number;
  /** Why, in one line; what the service said, where it said something. */
  readonly reason: string;
  /** Whether the service asked for it, by `Retry-After` or its rate limit; else it is the pause before another try. */
  readonly isAsked: boolean;
}

/** The bounds of a transport, each given or by default. */
export type TransportLimits = Readonly<Record<keyof typeof DEFAULTS, number>>;

const DEFAULTS = {
  retries: 4,
  backOffMs: 250,
  timeoutMs: 300_000,
  attemptTimeoutMs: 150_000,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 60_000,
  bodyTimeoutMs: 60_000,
  maxAnswerBytes: 256 * 1024 * 1024,
};

/** The longest delay of a timer. */
const MAX = 2 ** 31 - 1;

/**
 * Reads the bounds out of a transport's options.
 *
 * @throws {UsageError} If one is no whole number within its bounds.
 */
export function readTransportOptions(options: TransportOptions): TransportLimits {
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const value = options[name];
    if (value === undefined) continue;
    const least = name === 'retries' ? 0 : 1;
    if (!Number.isInteger(value) || value < least || value > MAX) {
      throw new UsageError(
        `${name} must be a whole number from ${least} to ${MAX.toLocaleString('en-US')}; got ${value}.`,
      );
    }
    limits[name] = value;
  }
  return limits;
}
