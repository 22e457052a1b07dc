import { ProblemError } from '../problems.js';

/** A key's bucket: tokens as they were at a moment. */
interface Bucket {
  tokens: number;
  atMs: number;
}

/** Beyond so many buckets, those that are full again are forgotten. */
const MANY_BUCKETS = 10_000;

/** Counts queries by token buckets: each holder may make a burst at once, and over time so many a minute. */
export class RateLimits {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #many = MANY_BUCKETS;

  /** @param now The time in milliseconds; it never goes back. */
  constructor({ perMinute, burst }: { perMinute: number; burst: number }, now: () => number = () => performance.now()) {
    this.#perMs = perMinute / 60_000;
    this.#burst = burst;
    this.#now = now;
  }

  /**
   * Takes a token for a query.
   *
   * @param holder Whose bucket: a key's id.
   * @returns The `RateLimit-*` headers: the burst, what is left of it, and the seconds until there is a token again, or
   *   where one is left, until all are.
   * @throws {ProblemError} 429 with these headers and `Retry-After` where no token is left.
   */
  take(holder: string): Record<string, string> {
    const nowMs = this.#now();
    const bucket = this.#refilled(holder, nowMs);
    const isEmpty = bucket.tokens < 1;
    if (!isEmpty) bucket.tokens--;
    const missing = bucket.tokens < 1 ? 1 - bucket.tokens : this.#burst - bucket.tokens;
    const reset = String(Math.ceil(missing / this.#perMs / 1000));
    const headers = {
      'RateLimit-Limit': String(this.#burst),
      'RateLimit-Remaining': String(Math.floor(bucket.tokens)),
      'RateLimit-Reset': reset,
    };
    if (!isEmpty) return headers;
    const rate = `${this.#burst} queries at once and ${Math.round(this.#perMs * 60_000)} a minute`;
    throw new ProblemError(429, `This key may make ${rate}: ask again in ${reset} s.`, {
      headers: { ...headers, 'Retry-After': reset },
    });
  }

  #refilled(holder: string, nowMs: number): Bucket {
    let bucket = this.#buckets.get(holder);
    if (!bucket) {
      if (this.#buckets.size >= this.#many) this.#forgetFull(nowMs);
      bucket = { tokens: this.#burst, atMs: nowMs };
      this.#buckets.set(holder, bucket);
    }
    bucket.tokens = this.#tokensAt(bucket, nowMs);
    bucket.atMs = nowMs;
    return bucket;
  }

  #tokensAt({ tokens, atMs }: Bucket, nowMs: number): number {
    return Math.min(this.#burst, tokens + (nowMs - atMs) * this.#perMs);
  }

  /** A bucket that is full says the same as none. */
  #forgetFull(nowMs: number): void {
    for (const [holder, bucket] of this.#buckets) {
      if (this.#tokensAt(bucket, nowMs) >= this.#burst) this.#buckets.delete(holder);
    }
    // Where few are full, looking through all of them at each new one would cost more than keeping them.
    this.#many = Math.max(MANY_BUCKETS, 2 * this.#buckets.size);
  }
}
