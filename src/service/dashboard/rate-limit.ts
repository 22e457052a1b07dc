import { type Allowance, type Buckets, TokenBuckets } from '../operation/token-buckets.js';

/** Allows each name so much in a time, as the dashboard asks it. */
export class RateLimit {
  readonly #buckets: Buckets;

  /**
   * @param now The time in milliseconds.
   * @param buckets Where it is counted. Default: in this process alone.
   */
  constructor(allowance: Allowance, now: () => number, buckets?: Buckets) {
    this.#buckets = buckets ?? new TokenBuckets(allowance, now);
  }

  /** Counts one for a name. @returns 0 where it is allowed, else the milliseconds to wait; that one is not counted. */
  async take(name: string): Promise<number> {
    const { isAllowed, nextMs } = await this.#buckets.take(name);
    return isAllowed ? 0 : nextMs;
  }
}
