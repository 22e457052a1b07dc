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

/** A limit of how often something may be done, for each name. */
export class ActionLimit {
  readonly #buckets: Buckets;

  /** @param buckets Where it is counted. Default: only in this process. */
  constructor(allowance: Allowance, buckets: Buckets = new TokenBuckets(allowance)) {
    this.#buckets = buckets;
  }

  /** Counts one for a name. @returns 0 if it is allowed, else the milliseconds to wait; then it is not counted. */
  async take(name: string): Promise<number> {
    const { isAllowed, nextMs } = await this.#buckets.take(name);
    return isAllowed ? 0 : nextMs;
  }
}

/** How often an account, a key without one, or a network may ask: queries a minute, over time, and at once, after a rest. */
interface QueryRate {
  readonly perMinute: number;
  readonly burst: number;
}

/** The token bucket that enforces a rate. */
export function allowanceOf({ perMinute, burst }: QueryRate): Allowance {
  return { burst, refillMs: 60_000 / perMinute };
}

/**
 * Who is counted together: the keys of an account and its queries in the dashboard, a key without an account, or all that
 * comes from a network.
 */
interface RateHolder {
  /** The id of the account. */
  readonly owner?: string | undefined;
  /** The id of the key; counts only without an account. */
  readonly id?: string;
  /** The name of the network, as `clientNetwork` gives it; then nothing else counts. */
  readonly network?: string;
}

type Told = Record<string, string>;

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
   * @param holder The owner of the bucket: an account, a key, or a network.
   * @returns The `RateLimit-*` headers: the burst, what is left of it, and the seconds until all tokens are back, or if
   *   none is left, until there is one again.
   * @throws {ProblemError} 429 with these headers and `Retry-After` if no token is left; a promise is rejected with it.
   */
  take(holder: RateHolder): Told | Promise<Told> {
    const taken = this.#buckets.take(nameOf(holder));
    return taken instanceof Promise ? taken.then((each) => this.#told(each, holder)) : this.#told(taken, holder);
  }

  #told({ isAllowed, left, nextMs, fullMs }: Taken, { owner, network }: RateHolder): Told {
    const { perMinute, burst } = this.#rate;
    const reset = String(Math.ceil((left < 1 ? nextMs : fullMs) / 1000));
    const headers = { 'RateLimit-Limit': `${burst}`, 'RateLimit-Remaining': `${left}`, 'RateLimit-Reset': reset };
    if (isAllowed) return headers;
    const rate = `${burst} queries at once and ${perMinute} a minute`;
    const ofKeys = owner === undefined ? 'This key' : 'All keys of an account together';
    const who = network === undefined ? ofKeys : 'All that ask from one network together';
    throw new ProblemError(429, `${who} may make ${rate}: ask again in ${reset} s.`, {
      headers: { ...headers, 'Retry-After': reset },
    });
  }
}

function nameOf({ owner, id, network }: RateHolder): string {
  if (network !== undefined) return `network ${network}`;
  return owner === undefined ? `key ${id}` : `account ${owner}`;
}

/** The limits that a query has to meet: that of who asks, and that of where it comes from. */
export class QueryRateLimits {
  readonly #ofHolders: QueryRateLimit | undefined;
  readonly #ofNetworks: QueryRateLimit | undefined;

  /** @param ofHolders Undefined, as `ofNetworks`, for no limit. */
  constructor(ofHolders: QueryRateLimit | undefined, ofNetworks: QueryRateLimit | undefined) {
    this.#ofHolders = ofHolders;
    this.#ofNetworks = ofNetworks;
  }

  /**
   * Takes a token of the holder and then, if there was one, of the network: who has none left takes none of those that
   * share the network.
   *
   * @param network The name of the network that the query comes from, as `clientNetwork` gives it.
   * @returns The headers of the holder's limit, or of the network's if the holder has none; see {@link QueryRateLimit.take}.
   * @throws {ProblemError} 429 with the headers of the limit that is met; a promise is rejected with it.
   */
  take(holder: RateHolder, network: string): Told | Promise<Told> {
    const told = this.#ofHolders?.take(holder);
    return told instanceof Promise ? told.then((each) => this.#from(network, each)) : this.#from(network, told);
  }

  #from(network: string, told: Told | undefined): Told | Promise<Told> {
    const from = this.#ofNetworks?.take({ network });
    return from instanceof Promise ? from.then((each) => told ?? each) : (told ?? from ?? {});
  }
}
