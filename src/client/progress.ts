/** The progress of a query. */
export interface Progress {
  /** Records received, without those that were dropped as repeats. */
  readonly records: number;
  /** Pages received. */
  readonly pages: number;
  /** Requests sent, including those for pages ahead of the one that is read. */
  readonly requests: number;
  /** Number of series of pages in the query: one for each wallet, else one. */
  readonly series: number;
  /** Series read to their end; all of them once the query is done, even if `maxRecords` left some unread. */
  readonly seriesDone: number;
  /**
   * Sum of the times that requests waited between tries and for rate limits, in milliseconds; several may wait at once.
   */
  readonly waitedMs: number;
  /** Time since the query began, in milliseconds. */
  readonly elapsedMs: number;
}
