import { expect, it } from 'vitest';
import type { PageSource } from '../../src/client/paging/page-source.js';
import { type Connection, QueryRun } from '../../src/client/query-run.js';
import { hideKey } from '../../src/client/transport/server-text.js';
import { MARKETS } from '../../src/contract/markets.js';

/** What happens first where a page comes in the same turn of the event loop in which other work is put off to its end. */
async function orderWith(pagesAskedFor: number): Promise<string[]> {
  const events: string[] = [];
  const source: PageSource = ({ window }) => ({
    pages: (async function* () {
      for (let asked = 0; asked < pagesAskedFor; asked++) window?.take();
      setImmediate(() => events.push('sent'));
      yield { limit: 10, offset: 0, hasMore: false, results: Buffer.from('[{}]') };
    })(),
    origin: () => ({ service: '', queriedAt: '' }),
  });
  const shared = { url: '', pageSize: 10, concurrency: 4, showsProgress: false, records: false };
  const connection: Connection = { ...shared, source, warn: () => {}, hide: hideKey(undefined) };
  const run = new QueryRun(connection, { dataset: MARKETS, filters: {}, run: {} });
  const appendText = () => {
    events.push('decoded');
    return { records: 1, repeats: 0 };
  };
  for await (const _ of run.pages({ appendText })) await new Promise((done) => setImmediate(done));
  return events;
}

it('lets further requests go before a page is decoded, and waits for nothing where there are none', async () => {
  expect(await orderWith(2)).toEqual(['sent', 'decoded']);
  expect(await orderWith(1)).toEqual(['decoded', 'sent']);
});
