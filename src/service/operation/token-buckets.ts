/** How much is allowed. */
export interface Allowance {
  /** How many at once, after a rest. */
  readonly burst: number;
  /** Milliseconds until one more is allowed; fractions are taken. */
  readonly refillMs: number;
}

/** What taking a token gave. */
export interface Taken {
  /** Whether there was one; otherwise nothing was taken. */
  readonly isAllowed: boolean;
  /** Whole tokens that are left. */
  readonly left: number;
  /** Milliseconds until there is a token; 0 where one is left. */
  readonly nextMs: number;
  /** Milliseconds until all tokens are back. */
  readonly fullMs: number;
}

/** Whose tokens are counted: here, or by another process for all that share them. */
export interface Buckets {
  take(name: string): Taken | Promise<Taken>;
}

/** How many names are remembered at most, since strangers may choose them; beyond, the oldest are forgotten. */
const MAX_NAMES = 50_000;

/** Beyond so many names, those whose buckets are full again are forgotten. */
const MANY_NAMES = 10_000;

/** Less than this of a token, or of a millisecond, is an error of arithmetic. */
const NOTHING = 1e-6;

/** Allows each name so much in a time: a token bucket a name, kept in memory. */
export class TokenBuckets implements Buckets {
  readonly #allowance: Allowance;
  readonly #now: () => number;
  /** When each name's bucket will be full again, oldest request first. */
  readonly #fullAt = new Map<string, number>();
  #many = MANY_NAMES;

  /** @param now The time in milliseconds; it never goes back. Default `performance.now`. */
  constructor(allowance: Allowance, now: () => number = () => performance.now()) {
    this.#allowance = allowance;
    this.#now = now;
  }

  /** Takes a token of a name's bucket, if there is one. */
  take(name: string): Taken {
    const { burst, refillMs } = this.#allowance;
    const now = this.#now();
    const missingMs = Math.max(0, (this.#fullAt.get(name) ?? now) - now);
    const isAllowed = missingMs + refillMs <= burst * refillMs + NOTHING;
    const fullMs = isAllowed ? missingMs + refillMs : missingMs;
    if (isAllowed) this.#remember(name, now + fullMs, now);
    return {
      isAllowed,
      left: Math.max(0, Math.floor(burst - fullMs / refillMs + NOTHING)),
      nextMs: Math.max(0, fullMs - (burst - 1) * refillMs),
      fullMs,
    };
  }

  #remember(name: string, fullAt: number, now: number): void {
    this.#fullAt.delete(name);
    this.#fullAt.set(name, fullAt);
    if (this.#fullAt.size > this.#many) this.#forget(now);
  }

  /** A bucket that is full says the same as none. */
  #forget(now: number): void {
    for (const [name, fullAt] of this.#fullAt) {
      if (fullAt <= now) this.#fullAt.delete(name);
    }
    if (this.#fullAt.size > MAX_NAMES) {
      for (const name of this.#fullAt.keys()) {
        if (this.#fullAt.size <= MAX_NAMES * 0.9) break;
        this.#fullAt.delete(name);
      }
    }
    // Where few are full, looking through all of them at each new one would cost more than keeping them.
    this.#many = Math.min(MAX_NAMES, Math.max(MANY_NAMES, 2 * this.#fullAt.size));
  }
}
