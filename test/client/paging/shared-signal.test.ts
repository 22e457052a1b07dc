import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/client/connect.js';
import { servicePages } from '../../../src/client/paging/service-pages.js';
import { openTransport } from '../../../src/client/transport/transport.js';
import { PNL } from '../../../src/contract/pnl.js';
import { walletOf } from '../../support/raw-records.js';
import { pagedServer, until } from '../paged-server.js';

const wallets = Array.from({ length: 20 }, (_, n) => walletOf(n + 1));

/** What Node.js warns of while a test runs. */
function warnings(): Error[] {
  const list: Error[] = [];
  const listen = (warning: Error) => list.push(warning);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  return list;
}

const turn = () => new Promise((done) => setImmediate(done));

it('twenty series under one signal give it no more listeners than Node.js takes for a leak', async () => {
  const warned = warnings();
  const seen = await pagedServer({ records: 30, delay: () => 3 });
  const transport = openTransport(seen.url, { retries: 0 });
  const [hide, warn] = [(text: string) => text, () => {}];
  const source = servicePages(transport, {
    service: seen.url,
    url: seen.url,
    pageSize: 10,
    concurrency: 4,
    hide,
    warn,
  });
  const { signal } = new AbortController();
  const pages = await Promise.all(
    wallets.map(async (wallet) => {
      let count = 0;
      for await (const _ of source({ dataset: PNL, params: { wallet }, signal }).pages) count += 1;
      return count;
    }),
  );
  await turn();
  expect([pages, warned]).toEqual([Array(20).fill(3), []]);
});

it('twenty queries of twenty wallets under one signal are all broken off by it, and leave nothing behind', async () => {
  const warned = warnings();
  const seen = await pagedServer({ records: 30, delay: ({ pagination }) => (pagination.offset === 0 ? 0 : 60_000) });
  const client = connect({ baseUrl: seen.url, pageSize: 10, concurrency: 16, retries: 0 });
  const controller = new AbortController();
  const reason = new Error('enough');
  const queries = wallets.map(() => client.pnl({ wallet: wallets }, { signal: controller.signal }).frame());
  const failures = Promise.all(queries.map((frame) => frame.catch((error: unknown) => error)));
  await until(() => seen.inFlight === 16);
  controller.abort(reason);
  expect(await failures).toEqual(Array(20).fill(reason));
  await until(() => seen.inFlight === 0);
  expect([seen.inFlight, warned]).toEqual([0, []]);
});
