/** One page of records, as it goes on the wire. */
export interface Page {
  /** The array `data.results` as JSON in UTF-8, brackets included. It must not be changed, as it may be cached. */
  results: Buffer;
  has_more: boolean;
  /** This page's own buffer, which holds `results` with free bytes around it; see `page-frames.ts`. */
  frame?: Buffer;
}

/**
 * Makes a page of records. Its caller has asked for one record more than the page may hold, to see whether more follow.
 *
 * @param records Up to `limit + 1` records.
 */
export function pageOf(records: readonly object[], limit: number): Page {
  return { results: Buffer.from(JSON.stringify(records.slice(0, limit))), has_more: records.length > limit };
}
