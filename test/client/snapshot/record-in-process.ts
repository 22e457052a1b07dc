import type { Page, PageSource } from '../../../src/client/paging/page-source.js';
import { snapshotPages } from '../../../src/client/snapshot/snapshot-pages.js';

/** A program that a test runs in a process of its own: records queries into a folder, three at a time. */
const [folder = '', name = '', count = '0'] = process.argv.slice(2);

const inner: PageSource = ({ params }) => {
  async function* pages(): AsyncGenerator<Page> {
    yield { limit: 1, offset: 0, hasMore: false, results: Buffer.from(JSON.stringify([params])) };
  }
  return { pages: pages(), origin: () => ({ service: 'http://x', queriedAt: '2026-11-21T09:30:00.000Z' }) };
};

const source = snapshotPages(inner, { folder, mode: 'record' });
const dataset = { id: 999, name: '999', title: '', key: [], order: '', columns: [], parameters: [] };

async function record(query: string): Promise<void> {
  // All processes record the last query, each with an answer of its own.
  const params = query === 'shared' ? { query } : { query, name };
  for await (const _ of source({ dataset, params }).pages);
}

for (let n = 0; n < Number(count); n += 3) {
  await Promise.all([record(String(n)), record(String(n + 1)), record(n % 2 === 0 ? 'shared' : String(n + 2))]);
}
