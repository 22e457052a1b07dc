/**
 * The state that the series of one query share: how many pages they may request before these are handed on, and counts.
 * Series request pages ahead in the order in which they joined.
 */
export class AheadWindow {
  readonly #claims = new Set<() => void>();
  #used = 0;
  /** How many pages of one series may be requested beyond the one being processed. */
  readonly depth: number;
  /** How many pages may be under way or kept at once, over all series. */
  readonly size: number;
  /** Whether the reader has asked for a second page; until then, nothing is requested ahead. */
  isOpen = false;
  /** Number of requests sent; all tries of one count once. */
  requests = 0;
  /** Total time that requests waited between tries and for rate limits. */
  waitedMs = 0;

  /**
   * Whether two records with one key may differ: the data changed between pages, or a recording is replayed, which was
   * checked when it was made.
   */
  mayDiffer = false;
  /** Kinds of warnings given so far, so that each is given only once per query. */
  readonly warned = new Set<string>();

  /**
   * @param concurrency Number of requests in flight at once. There is room for twice as many pages, so that pages that
   * arrived early, and the one being processed, do not block further requests.
   */
  constructor(concurrency: number) {
    this.depth = concurrency;
    this.size = concurrency === 1 ? 1 : 2 * concurrency;
  }

  /** How many further pages may be requested. */
  get free(): number {
    return this.#used < this.size ? this.size - this.#used : 0;
  }

  /** Whether pages besides the one being processed were requested. */
  get hasOthers(): boolean {
    return this.#used > 1;
  }

  /** Counts a requested page, even if the window is full: a page that a reader waits for is always requested. */
  take(): void {
    this.#used += 1;
  }

  /** Counts a page as handed on or dropped, and lets the series request others. */
  give(): void {
    this.#used -= 1;
    for (const claim of this.#claims) if (this.free > 0) claim();
  }

  /**
   * Calls a series back whenever a page may be requested.
   *
   * @returns A function that ends this.
   */
  join(claim: () => void): () => void {
    this.#claims.add(claim);
    return () => this.#claims.delete(claim);
  }
}
