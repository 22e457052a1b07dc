import type { Page, SeriesRequest } from '../paging/page-source.js';
import type { Entry } from './manifest.js';
import { readRecorded } from './read-recorded.js';
import { arrayOfLines, recordLines } from './record-lines.js';

/**
 * Reads a recorded answer as pages, as a service would send them. An answer that holds more than was asked for is cut,
 * but still read to its end to check that it is whole.
 *
 * @throws {DataError} If the answer is missing or damaged, at the latest before the last page.
 */
export async function* replayPages(
  folder: string,
  entry: Entry,
  { maxRecords, signal }: Pick<SeriesRequest, 'maxRecords' | 'signal'>,
): AsyncGenerator<Page> {
  const wanted = Math.min(entry.records, maxRecords ?? entry.records);
  let held: Page | undefined;
  let offset = 0;
  for await (const lines of readRecorded(folder, entry)) {
    signal?.throwIfAborted();
    if (offset === wanted) continue;
    if (held) yield held;
    const results = arrayOfLines(lines);
    const room = wanted - offset;
    const records = Math.min(room, lines.records);
    held = {
      limit: records,
      offset,
      hasMore: offset + records < wanted,
      results: records < lines.records ? arrayOfLines(recordLines(results, room)) : results,
    };
    offset += records;
  }
  yield held ?? { limit: 0, offset: 0, hasMore: false, results: arrayOfLines({ text: Buffer.alloc(0), records: 0 }) };
}
