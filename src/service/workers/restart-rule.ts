/** How long a worker must have been ready for its start to count as a good one. */
const GOOD_MS = 1000;

/** How many bad starts in a row are too many if no worker is left that answers. */
const MOST_BAD_STARTS = 5;

/** The wait after the first bad start in a row; each further one doubles it. */
const FIRST_WAIT_MS = 100;

const LONGEST_WAIT_MS = 10_000;

/** Decides when a worker that has ended is replaced: at once, unless workers end as soon as they start. */
export class RestartRule {
  #bad = 0;

  /** The number of bad starts in a row. */
  get badStarts(): number {
    return this.#bad;
  }

  /**
   * Notes that a worker has ended.
   *
   * @param readyMs How long it had been ready, in milliseconds; undefined if it never was.
   * @param areOthersReady Whether another worker answers meanwhile.
   * @returns Milliseconds to wait before the next start; undefined if there should be none.
   */
  afterEnd(readyMs: number | undefined, areOthersReady: boolean): number | undefined {
    this.#bad = readyMs !== undefined && readyMs >= GOOD_MS ? 0 : this.#bad + 1;
    if (this.#bad === 0) return 0;
    if (this.#bad >= MOST_BAD_STARTS && !areOthersReady) return undefined;
    return Math.min(FIRST_WAIT_MS * 2 ** (this.#bad - 1), LONGEST_WAIT_MS);
  }
}
