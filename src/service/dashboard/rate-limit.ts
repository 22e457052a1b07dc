import { type Allowance, type Buckets, TokenBuckets } from '../operation/token-buckets.js';

/** A rate limit of the dashboard, for each name. */
export class RateLimit {
  readonly #buckets: Buckets;

  /**
   * @param now The time in milliseconds.
   * @param buckets Where it is counted. Default: only in this process.
   */
  constructor(allowance: Allowance, now: () => number, buckets?: Buckets) {
    this.#buckets = buckets ?? new TokenBuckets(allowance, now);
  }

  /** Counts one for a name. @returns 0 if it is allowed, else the milliseconds to wait; then it is not counted. */
  async take(name: string): Promise<number> {
    const { isAllowed, nextMs } = await this.#buckets.take(name);
    return isAllowed ? 0 : nextMs;
  }
}
