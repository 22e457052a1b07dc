/** One page of records as it goes on the wire, and whether more follow. */
export interface Page {
  /** The text of the array `data.results`, brackets included, in UTF-8. Never changed once made: it may be cached. */
  results: Buffer;
  has_more: boolean;
  /** Where `results` lies with free bytes around it, which belong to this page alone; see `page-frames.ts`. */
  frame?: Buffer;
}

/**
 * A page of records, of which one more than the page holds was asked for, where there was one.
 *
 * @param records At most one more than `limit`.
 */
export function pageOf(records: readonly object[], limit: number): Page {
  return { results: Buffer.from(JSON.stringify(records.slice(0, limit))), has_more: records.length > limit };
}
