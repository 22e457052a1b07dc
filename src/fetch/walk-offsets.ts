import { recordsOf } from './records.js';
import type { Sources } from './sources.js';
import { type PageWalk, type RecordPage, repeats, walkPages } from './walk-pages.js';

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
  let size: number | undefined;
  let before = '';
  return walkPages(async (at) => {
    const offset = Number(at ?? 0);
    const answer = await sources.get(source, path, { ...params, limit, offset });
    const records = recordsOf(answer, undefined, dropped);
    const content = records.map(({ text }) => text).join('\n');
    // A source that ignores the offset would else repeat a short list for ever.
    if (content === before && records.length > 0) throw repeats(answer.place, 'a page that it had just given');
    before = content;
    const isEnd = records.length === 0 || records.length < (size ?? 0);
    size ??= records.length;
    return { records, next: isEnd ? undefined : String(offset + records.length), place: answer.place };
  }, cursor);
}
