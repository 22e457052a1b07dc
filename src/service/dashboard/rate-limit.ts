import { type Allowance, TokenBuckets } from '../operation/token-buckets.js';

/** How many names are remembered at most: whoever asks chooses them. */
const MAX_NAMES = 50_000;

/** Allows each name so much in a time, as the dashboard asks it. */
export class RateLimit {
  readonly #buckets: TokenBuckets;

  /** @param now The time in milliseconds. */
  constructor(allowance: Allowance, now: () => number) {
    this.#buckets = new TokenBuckets(allowance, { now, most: MAX_NAMES });
  }

  /** Counts one for a name. @returns 0 where it is allowed, else the milliseconds to wait; that one is not counted. */
  take(name: string): number {
    const { isAllowed, nextMs } = this.#buckets.take(name);
    return isAllowed ? 0 : nextMs;
  }
}
