import { greatestOf } from '../base/many.js';
import { type StopSignal, waitFor } from '../base/stop-and-wait.js';

/** The sources of public records: Gamma (markets and events), the Data API (activity, trades) and the CLOB. */
export type SourceName = 'gamma' | 'data' | 'clob';

/** The base addresses by default. */
export const SOURCE_URLS: Readonly<Record<SourceName, string>> = {
  gamma: 'https://gamma-api.polymarket.com',
  data: 'https://data-api.polymarket.com',
  clob: 'https://clob.polymarket.com',
};

/** A documented limit: requests within any ten seconds to the paths of a source that match. */
interface DocumentedRate {
  readonly source: SourceName;
  readonly paths: RegExp;
  readonly requests: number;
}

const DOCUMENTED: readonly DocumentedRate[] = [
  { source: 'gamma', paths: /^/, requests: 4000 },
  { source: 'gamma', paths: /^\/markets\b/, requests: 300 },
  { source: 'gamma', paths: /^\/events\b/, requests: 500 },
  { source: 'gamma', paths: /^\/(markets|events)\b/, requests: 900 },
  { source: 'data', paths: /^/, requests: 1000 },
  { source: 'data', paths: /\/trades\b/, requests: 200 },
  { source: 'data', paths: /positions\b/, requests: 150 },
  { source: 'clob', paths: /^/, requests: 9000 },
  { source: 'clob', paths: /^\/prices-history\b/, requests: 1000 },
];

const WINDOW_MS = 10_000;

/** Requests under way at once, over all sources. */
const IN_FLIGHT = 4;

/** One limit with the moments of the requests that count against it. */
class Window {
  readonly #most: number;
  readonly #sent: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  waitMs(now: number): number {
    while (this.#sent[0] !== undefined && this.#sent[0] <= now - WINDOW_MS) this.#sent.shift();
    const [oldest] = this.#sent;
    return oldest === undefined || this.#sent.length < this.#most ? 0 : oldest + WINDOW_MS - now;
  }

  count(now: number): void {
    this.#sent.push(now);
  }
}

/**
 * Decides when a request may be sent: at most four are under way, sliding windows of ten seconds keep to a share of
 * each documented rate, and a source that asks to wait is left alone for that long.
 */
export class RequestPace {
  readonly #rates: readonly (DocumentedRate & { readonly window: Window })[];
  readonly #heldUntil = new Map<SourceName, number>();
  readonly #queue: (() => void)[] = [];
  #underWay = 0;

  /** @param share Of each documented rate, above 0; infinite for no limit. */
  constructor(share: number) {
    const rates = Number.isFinite(share) ? DOCUMENTED : [];
    this.#rates = rates.map((rate) => ({
      ...rate,
      window: new Window(Math.max(1, Math.floor(rate.requests * share))),
    }));
  }

  /**
   * Waits until a request may be sent.
   *
   * @param path Below the base address, such as `/v2/activity`.
   * @returns A function to call once the request has ended.
   * @throws The signal's reason, when it is aborted.
   */
  async enter(source: SourceName, path: string, signal: StopSignal | undefined): Promise<() => void> {
    if (this.#underWay >= IN_FLIGHT) await new Promise<void>((go) => this.#queue.push(go));
    else this.#underWay++;
    try {
      signal?.throwIfAborted();
      const limits = this.#rates.filter((rate) => rate.source === source && rate.paths.test(path));
      for (let waitMs = this.#waitMs(source, limits); waitMs > 0; waitMs = this.#waitMs(source, limits)) {
        await waitFor(waitMs, signal);
      }
      for (const { window } of limits) window.count(performance.now());
      return () => this.#leave();
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Holds back all requests to a source for this many milliseconds. */
  hold(source: SourceName, milliseconds: number): void {
    const until = performance.now() + milliseconds;
    this.#heldUntil.set(source, Math.max(until, this.#heldUntil.get(source) ?? 0));
  }

  #waitMs(source: SourceName, limits: readonly { readonly window: Window }[]): number {
    const now = performance.now();
    const held = (this.#heldUntil.get(source) ?? 0) - now;
    return Math.ceil(greatestOf([held, ...limits.map(({ window }) => window.waitMs(now))]));
  }

  #leave(): void {
    // The place goes to the next one in the queue, if there is one.
    const next = this.#queue.shift();
    if (next) next();
    else this.#underWay--;
  }
}
