import { ProblemError } from '../problems.js';
import { type Allowance, type Buckets, type Taken, TokenBuckets } from './token-buckets.js';

/** How often a key may ask. */
export interface Rate {
  /** Queries a minute, over time. */
  readonly perMinute: number;
  /** Queries at once, after a rest. */
  readonly burst: number;
}

/** The token bucket that enforces a rate. */
export function allowanceOf({ perMinute, burst }: Rate): Allowance {
  return { burst, refillMs: 60_000 / perMinute };
}

/** Limits queries by token buckets: each holder may make a burst at once, and so many queries a minute over time. */
export class RateLimits {
  readonly #rate: Rate;
  readonly #buckets: Buckets;

  /** @param buckets Where the queries are counted. Default: only in this process. */
  constructor(rate: Rate, buckets: Buckets = new TokenBuckets(allowanceOf(rate))) {
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
    const headers = {
      'RateLimit-Limit': String(burst),
      'RateLimit-Remaining': String(left),
      'RateLimit-Reset': reset,
    };
    if (isAllowed) return headers;
    const rate = `${burst} queries at once and ${perMinute} a minute`;
    throw new ProblemError(429, `This key may make ${rate}: ask again in ${reset} s.`, {
      headers: { ...headers, 'Retry-After': reset },
    });
  }
}
