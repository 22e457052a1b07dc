/** How far a query is. */
export interface Progress {
  /** Records that came, without those that were dropped as repeats. */
  readonly records: number;
  /** Pages that came. */
  readonly pages: number;
  /** Requests sent, those for pages asked ahead among them. */
  readonly requests: number;
  /** Series of pages that the query has: one for each wallet, else one. */
  readonly series: number;
  /** Series read to their end; all of them once the query is done, also where `maxRecords` left some unread. */
  readonly seriesDone: number;
  /** How long requests waited between tries and for rate limits, in milliseconds; they may wait at the same time. */
  readonly waitedMs: number;
  /** Since the query began, in milliseconds. */
  readonly elapsedMs: number;
}
