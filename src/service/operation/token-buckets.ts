import { ProblemError } from '../http/problems.js';

/** How much a token bucket allows. */
export interface Allowance {
  /** How many tokens may be taken at once, after a rest. */
  readonly burst: number;
  /** Milliseconds until one token is back; may be a fraction. */
  readonly refillMs: number;
}

/** The result of taking a token. */
export interface Taken {
  /** Whether there was a token to take. */
  readonly isAllowed: boolean;
  /** Whole tokens that are left. */
  readonly left: number;
  /** Milliseconds until there is a token; 0 if one is left. */
  readonly nextMs: number;
  /** Milliseconds until all tokens are back. */
  readonly fullMs: number;
}

/** Token buckets by name, kept in this process, or in another one for all processes that share them. */
export interface Buckets {
  take(name: string): Taken | Promise<Taken>;
}

/** How many names are kept at most, since strangers may choose them; beyond, the oldest are dropped. */
const MAX_NAMES = 50_000;

/** Less than this of a token, or of a millisecond, is a rounding error. */
const ROUNDING = 1e-6;

/** Token buckets in memory, one for each name. */
export class TokenBuckets implements Buckets {
  readonly #allowance: Allowance;
  readonly #now: () => number;
  /** When each name's bucket will be full again, oldest request first. */
  readonly #fullAt = new Map<string, number>();

  /** @param now The time in milliseconds; it never goes back. Default `performance.now`. */
  constructor(allowance: Allowance, now: () => number = () => performance.now()) {
    this.#allowance = allowance;
    this.#now = now;
  }

  /** Takes a token from a name's bucket, if there is one. */
  take(name: string): Taken {
    const { burst, refillMs } = this.#allowance;
    const now = this.#now();
    const missingMs = Math.max(0, (this.#fullAt.get(name) ?? now) - now);
    const isAllowed = missingMs + refillMs <= burst * refillMs + ROUNDING;
    const fullMs = isAllowed ? missingMs + refillMs : missingMs;
    if (isAllowed) this.#remember(name, now + fullMs, now);
    return {
      isAllowed,
      left: Math.max(0, Math.floor(burst - fullMs / refillMs + ROUNDING)),
      nextMs: Math.max(0, fullMs - (burst - 1) * refillMs),
      fullMs,
    };
  }

  #remember(name: string, fullAt: number, now: number): void {
    this.#fullAt.delete(name);
    this.#fullAt.set(name, fullAt);
    // Full buckets mean the same as none.
    for (const [oldest, full] of this.#fullAt) {
      if (full > now && this.#fullAt.size <= MAX_NAMES) break;
      this.#fullAt.delete(oldest);
    }
  }
}

/** How often a key may ask: queries a minute, over time, and at once, after a rest. */
interface QueryRate {
  readonly perMinute: number;
  readonly burst: number;
}

/** The token bucket that enforces a rate. */
export function allowanceOf({ perMinute, burst }: QueryRate): Allowance {
  return { burst, refillMs: 60_000 / perMinute };
}

/** Limits the queries of each holder by token buckets. */
export class QueryRateLimit {
  readonly #rate: QueryRate;
  readonly #buckets: Buckets;

  /** @param buckets Where the queries are counted. Default: only in this process. */
  constructor(rate: QueryRate, buckets: Buckets = new TokenBuckets(allowanceOf(rate))) {
    this.#rate = rate;
    this.#buckets = buckets;
  }

  /**
   * Takes a token for a query.
   *
   * @param holder The owner of the bucket: a key's id.
   * @returns The `RateLimit-*` headers: the burst, what is left of it, and the seconds until all tokens are back, or if
   *   none is left, until there is one again.
   * @throws {ProblemError} 429 with these headers and `Retry-After` if no token is left; a promise is rejected with it.
   */
  take(holder: string): Record<string, string> | Promise<Record<string, string>> {
    const taken = this.#buckets.take(holder);
    return taken instanceof Promise ? taken.then((each) => this.#told(each)) : this.#told(taken);
  }

  #told({ isAllowed, left, nextMs, fullMs }: Taken): Record<string, string> {
    const { perMinute, burst } = this.#rate;
    const reset = String(Math.ceil((left < 1 ? nextMs : fullMs) / 1000));
    const headers = { 'RateLimit-Limit': `${burst}`, 'RateLimit-Remaining': `${left}`, 'RateLimit-Reset': reset };
    if (isAllowed) return headers;
    const rate = `${burst} queries at once and ${perMinute} a minute`;
    throw new ProblemError(429, `This key may make ${rate}: ask again in ${reset} s.`, {
      headers: { ...headers, 'Retry-After': reset },
    });
  }
}
