import { recordsOf } from './records.js';
import type { Sources } from './sources.js';
import { type PageWalk, type RecordPage, walkPages } from './walk-pages.js';

/**
 * Walks through pages of the Data API v1: bare lists, asked for by `limit` and `offset`. The end is an empty page, or
 * one that is shorter than the first: the source may give fewer records a page than it is asked for.
 *
 * @param limit The most records a page.
 * @throws {SourceError} Of the kind `repeats`, if a page comes again, as past some sources' cap; of the kind `refused`,
 *   where the source refuses the offset. All pages before were given.
 */
export function walkOffsets(
  sources: Sources,
  { source, path, params, cursor, dropped }: PageWalk,
  limit: number,
): AsyncGenerator<RecordPage> {
  let size = 0;
  const ask = async (at = '0') => {
    const offset = Number(at);
    const answer = await sources.get(source, path, { ...params, limit, offset });
    const records = recordsOf(answer, undefined, dropped);
    const isEnd = records.length === 0 || records.length < size;
    size ||= records.length;
    return { records, next: isEnd ? undefined : String(offset + records.length), place: answer.place };
  };
  // A source that ignores the offset would else repeat a short list for ever.
  return walkPages(ask, cursor, 1);
}
