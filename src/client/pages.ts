import type { Dataset } from '../contract/dataset.js';
import { AnswerError } from '../errors.js';
import type { Transport } from './transport.js';

/** One page of undecoded records. */
export type RawPage = readonly Readonly<Record<string, unknown>>[];

/** What to page through. */
export interface PageRequest {
  dataset: Pick<Dataset, 'id' | 'key'>;
  params: Readonly<Record<string, string>>;
  pageSize: number;
  /** Told what was odd in the answers but did no harm. */
  warn: (text: string) => void;
}

/**
 * Follows a query's pages to the last. It goes on from what came, never from what was asked, since a server may send
 * fewer; records that repeat an earlier page's key are dropped with a warning.
 *
 * @throws {AnswerError} If the pages make no progress: a server that says there is more, and sends nothing new.
 */
export async function* followPages(transport: Transport, query: PageRequest): AsyncGenerator<RawPage> {
  const seen = new Set<string>();
  let before = '';
  for (let offset = 0; ; ) {
    const { pagination, data } = await transport.post({
      agent_id: query.dataset.id,
      params: query.params,
      pagination: { limit: query.pageSize, offset },
      formatter_config: { format_type: 'raw' },
    });
    // Without a key, equal records may be different ones; but a whole page that comes twice is no progress.
    const page = query.dataset.key.length === 0 && pagination.has_more ? JSON.stringify(data.results) : '';
    const fresh =
      page !== '' && page === before ? [] : data.results.filter((record) => isNew(record, query.dataset.key, seen));
    before = page;
    const repeats = data.results.length - fresh.length;
    if (pagination.has_more && fresh.length === 0) {
      const what = repeats > 0 ? 'only records that came before' : 'an empty page';
      throw new AnswerError(
        `Dataset ${query.dataset.id} sent ${what} at offset ${offset}, yet says that there is more.`,
      );
    }
    if (repeats > 0) {
      query.warn(`Dataset ${query.dataset.id} repeated ${repeats} records at offset ${offset}; they were dropped.`);
    }
    yield fresh;
    if (!pagination.has_more) return;
    offset += data.results.length;
  }
}

function isNew(record: Readonly<Record<string, unknown>>, key: readonly string[], seen: Set<string>): boolean {
  if (key.length === 0) return true;
  const text = JSON.stringify(key.map((name) => record[name]));
  const before = seen.size;
  return seen.add(text).size > before;
}
