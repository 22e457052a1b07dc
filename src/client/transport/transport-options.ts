import { UsageError } from '../../base/errors.js';

/** Options for the requests to a service. Times are in milliseconds, from 1 to 2,147,483,647 (24 days). */
export interface TransportOptions {
  /** The key, sent as a bearer token. It never appears in an error. */
  apiKey?: string | undefined;
  /** How often a request that failed temporarily is repeated; 0 for never. Default 5, that is six tries in all. */
  retries?: number | undefined;
  /**
   * The longest pause before the second try. The limit doubles with each further try, up to 15,000, and each pause is a
   * random part of it. Default 500, so that six tries take some eight seconds and outlast a restart of the service. If
   * the service asks for another pause, that one is made.
   */
  backOffMs?: number | undefined;
  /** Time limit of one request (a page), with all its tries and waits. Default 300,000. */
  timeoutMs?: number | undefined;
  /** Time limit of one try, from connecting to the last byte of the answer. Default 150,000. */
  attemptTimeoutMs?: number | undefined;
  /** Time limit for connecting. Default 10,000. */
  connectTimeoutMs?: number | undefined;
  /** Time limit from sending the request to the head of the answer. Default 60,000. */
  headersTimeoutMs?: number | undefined;
  /** Longest time between two pieces of an answer. Default 60,000. */
  bodyTimeoutMs?: number | undefined;
  /** Size limit of an answer, decompressed, in bytes. Default 268,435,456 (256 MiB). */
  maxAnswerBytes?: number | undefined;
  /** Called once if the service limits the rate of requests or asks to come back later, for waits of 500 ms or more. */
  onWarning?: ((text: string) => void) | undefined;
  /** Called with each wait as it begins, for example to show it in a progress line. */
  onWait?: ((wait: Wait) => void) | undefined;
}

/** A wait before a request is sent or repeated. */
export interface Wait {
  /** Its length in milliseconds. */
  readonly waitMs: number;
  /** Its reason in one line, with what the service said if it said anything. */
  readonly reason: string;
  /**
   * Whether the service asked for it, by `Retry-After` or its rate limit. If not, it is the pause before another try.
   */
  readonly isAsked: boolean;
}

/** The limits of a transport, given or by default. */
export type TransportLimits = Readonly<Record<keyof typeof DEFAULTS, number>>;

/** The limits by default. */
export const DEFAULTS = {
  retries: 5,
  backOffMs: 500,
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
 * Reads the limits from a transport's options.
 *
 * @throws {UsageError} If one is not a whole number within its bounds.
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
