/**
 * What the series of one query share: how many pages they may have asked for and not handed on yet, and what they did
 * so far. Series ask ahead in the order in which they joined.
 */
export class AheadWindow {
  readonly #claims = new Set<() => void>();
  #used = 0;
  /** Pages of one series that may be asked for behind the one that is worked on. */
  readonly depth: number;
  /** Pages that may be under way or kept at once, over all series. */
  readonly size: number;
  /** Whether the reader has come back after the first page: one that wants no more costs no further request. */
  isOpen = false;
  /** Requests sent, each with all its tries counted once. */
  requests = 0;
  /** How long requests waited between tries and for rate limits, in all. */
  waitedMs = 0;

  /**
   * Whether two records of one key may differ: the data changed between pages, or a recording is replayed, which was
   * judged when it was made.
   */
  mayDiffer = false;
  /** What was warned of, so that each kind is said once a query. */
  readonly warned = new Set<string>();

  /**
   * @param concurrency Requests in flight at once. There is room for twice as many pages: those that came before their
   * turn, and the one that is worked on, must not keep others from being asked for.
   */
  constructor(concurrency: number) {
    this.depth = concurrency;
    this.size = concurrency === 1 ? 1 : 2 * concurrency;
  }

  /** Pages that may still be asked for. */
  get free(): number {
    return this.#used < this.size ? this.size - this.#used : 0;
  }

  /** Whether pages beside the one that is worked on were asked for. */
  get hasOthers(): boolean {
    return this.#used > 1;
  }

  /** Counts a page that is asked for, also where none is free: what a reader waits for is always asked. */
  take(): void {
    this.#used += 1;
  }

  /** Counts a page as handed on or dropped, and lets the series ask for others. */
  give(): void {
    this.#used -= 1;
    for (const claim of this.#claims) if (this.free > 0) claim();
  }

  /**
   * Lets a series know whenever a page may be asked for.
   *
   * @returns Ends that.
   */
  join(claim: () => void): () => void {
    this.#claims.add(claim);
    return () => this.#claims.delete(claim);
  }
}
