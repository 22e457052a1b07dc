/** How much is allowed. */
export interface Allowance {
  /** How many at once. */
  burst: number;
  /** Milliseconds until one more is allowed. */
  refillMs: number;
}

/** How many names are remembered at most; beyond, those that are refilled are forgotten, then the oldest. */
const MAX_NAMES = 50_000;

/** Allows each name so much in a time: a token bucket a name, kept in memory. */
export class RateLimit {
  readonly #allowance: Allowance;
  readonly #now: () => number;
  /** When each name's bucket will be full again, oldest request first. */
  readonly #fullAt = new Map<string, number>();

  /** @param now The time in milliseconds. */
  constructor(allowance: Allowance, now: () => number) {
    this.#allowance = allowance;
    this.#now = now;
  }

  /** Counts one for a name. @returns 0 where it is allowed, else the milliseconds to wait; that one is not counted. */
  take(name: string): number {
    const { burst, refillMs } = this.#allowance;
    const now = this.#now();
    const fullAt = Math.max(this.#fullAt.get(name) ?? now, now) + refillMs;
    const wait = fullAt - now - burst * refillMs;
    if (wait > 0) return wait;
    this.#fullAt.delete(name);
    this.#fullAt.set(name, fullAt);
    if (this.#fullAt.size > MAX_NAMES) this.#forget(now);
    return 0;
  }

  #forget(now: number): void {
    for (const [name, fullAt] of this.#fullAt) {
      if (fullAt <= now) this.#fullAt.delete(name);
    }
    for (const name of this.#fullAt.keys()) {
      if (this.#fullAt.size <= MAX_NAMES * 0.9) break;
      this.#fullAt.delete(name);
    }
  }
}
