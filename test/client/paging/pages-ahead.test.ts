import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/client/connect.js';
import type { ConnectOptions } from '../../../src/client/connect-options.js';
import fc from '../../support/fast-check.js';
import { walletOf } from '../../support/raw-records.js';
import { type PageSent, pagedServer, pnlRecord, type Seen, until } from '../paged-server.js';

/** A dataset that no contract describes, so that its records come as they were sent. */
const PLAIN = 999;

function clientOf(seen: Seen, options: Partial<ConnectOptions> = {}) {
  return connect({ baseUrl: seen.url, pageSize: 10, retries: 0, ...options });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const offsetsOf = ({ asked }: Seen) => asked.map(({ pagination }) => pagination.offset);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('pages asked ahead', () => {
  it('give the records in order, whatever the sizes, delays and number in flight', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          records: fc.integer({ min: 0, max: 60 }),
          pageSize: fc.integer({ min: 1, max: 25 }),
          most: fc.integer({ min: 1, max: 25 }),
          concurrency: fc.integer({ min: 1, max: 6 }),
          delays: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1 }),
        }),
        async ({ records, pageSize, most, concurrency, delays }) => {
          const delay = ({ pagination }: { pagination: { offset: number } }) =>
            delays[pagination.offset % delays.length] ?? 0;
          const seen = await pagedServer({ records, most, delay });
          const client = clientOf(seen, { pageSize, concurrency });
          const came = await all(client.dataset(PLAIN).records());
          expect(came).toEqual(JSON.parse(JSON.stringify(numbers(records).map((n) => pnlRecord(n, undefined)))));
          expect(seen.mostInFlight).toBeLessThanOrEqual(concurrency);
          const pages = Math.max(1, Math.ceil(records / Math.min(pageSize, most)));
          // One for each page, those beyond the end, and one where the last is full to a maximum that was not asked for.
          expect(seen.asked.length).toBeLessThanOrEqual(pages + concurrency);
          await client.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are asked where pages of irregular sizes are to be expected, each but once in the end', async () => {
    const cut = (page: PageSent, { pagination: { offset } }: { pagination: { offset: number } }) => {
      const keep = 1 + ((offset * 7) % 10);
      if (page.results.length <= keep) return;
      page.results = page.results.slice(0, keep);
      page.pagination.has_more = true;
    };
    const seen = await pagedServer({ records: 80, change: cut });
    const came = await all(clientOf(seen).dataset(PLAIN).records());
    expect(came.map((record) => (record as { pnl: string }).pnl)).toEqual(numbers(80).map((n) => String(n / 100)));
  });

  it('are not asked behind a first page that is all', async () => {
    const seen = await pagedServer({ records: 9 });
    await all(clientOf(seen).dataset(PLAIN).records());
    expect(offsetsOf(seen)).toEqual([0]);
  });

  it('cost nobody anything who looks at the first page alone', async () => {
    const seen = await pagedServer({ records: 100 });
    for await (const page of clientOf(seen).dataset(PLAIN).pages()) {
      expect(page).toHaveLength(10);
      break;
    }
    await new Promise((done) => setTimeout(done, 30));
    expect(offsetsOf(seen)).toEqual([0]);
  });

  it('are at most one too many for two pages, and the window less one for many', async () => {
    for (const [records, most] of [
      [20, 3],
      [30, 6],
      [200, 23],
    ] as const) {
      const seen = await pagedServer({ records, delay: ({ pagination }) => (pagination.offset === 0 ? 0 : 5) });
      await all(clientOf(seen).dataset(PLAIN).records());
      expect([records, seen.asked.length <= most]).toEqual([records, true]);
    }
  });

  it('fill the window once the pages have proven regular', async () => {
    const seen = await pagedServer({ records: 300, delay: () => 5 });
    await all(clientOf(seen).dataset(PLAIN).records());
    expect(seen.mostInFlight).toBe(4);
  });

  it('wait for a reader who is slow', async () => {
    const seen = await pagedServer({ records: 500 });
    let pages = 0;
    for await (const _ of clientOf(seen).dataset(PLAIN).pages()) {
      pages += 1;
      await new Promise((done) => setTimeout(done, 15));
      expect(seen.asked.length).toBeLessThanOrEqual(pages + 3);
      if (pages === 12) break;
    }
  });

  it('are cancelled when the reader leaves', async () => {
    const seen = await pagedServer({ records: 500, delay: ({ pagination }) => (pagination.offset < 30 ? 0 : 5000) });
    let pages = 0;
    for await (const _ of clientOf(seen).dataset(PLAIN).pages()) {
      pages += 1;
      if (pages < 3) continue;
      await until(() => seen.inFlight > 1);
      break;
    }
    await until(() => seen.inFlight === 0);
    expect([seen.inFlight, seen.brokenOff > 0]).toEqual([0, true]);
  });

  it('are cancelled by a signal, whose reason is the error', async () => {
    const seen = await pagedServer({ records: 500, delay: ({ pagination }) => (pagination.offset < 30 ? 0 : 5000) });
    const controller = new AbortController();
    const reason = new Error('enough');
    const query = clientOf(seen).dataset(PLAIN, {}, { signal: controller.signal });
    const failure = query.frame().catch((error: unknown) => error);
    await until(() => seen.inFlight > 1);
    controller.abort(reason);
    expect(await failure).toBe(reason);
    await until(() => seen.inFlight === 0);
    expect(seen.inFlight).toBe(0);
    await expect(clientOf(seen).dataset(PLAIN, {}, { signal: controller.signal }).count()).rejects.toBe(reason);
  });

  it('may fail unseen beyond the end', async () => {
    const seen = await pagedServer({
      records: 25,
      change: (page, { pagination }) => {
        if (pagination.offset < 25) return;
        page.status = 500;
      },
    });
    expect(await clientOf(seen).dataset(PLAIN).count()).toBe(25);
  });

  it('share one bound among the queries of a client, also one within the other', async () => {
    const seen = await pagedServer({ records: 60, delay: () => 2 });
    const client = clientOf(seen, { concurrency: 2 });
    const counts: number[] = [];
    for await (const _ of client.dataset(PLAIN).pages()) counts.push(await client.dataset(PLAIN).count());
    expect(counts).toEqual([60, 60, 60, 60, 60, 60]);
    expect(seen.mostInFlight).toBe(2);
  });

  it('are one after the other where that is asked for', async () => {
    const seen = await pagedServer({ records: 55, delay: () => 1 });
    expect(await clientOf(seen, { concurrency: 1 }).dataset(PLAIN).count()).toBe(55);
    expect([seen.mostInFlight, offsetsOf(seen)]).toEqual([1, [0, 10, 20, 30, 40, 50]]);
  });

  it('stop at a total that the service tells', async () => {
    const seen = await pagedServer({
      records: 40,
      delay: () => 3,
      change: ({ pagination }) => Object.assign(pagination, { total: 40 }),
    });
    expect(await clientOf(seen).dataset(PLAIN).count()).toBe(40);
    expect(offsetsOf(seen)).toEqual([0, 10, 20, 30]);
  });
});

describe('several wallets', () => {
  const wallets = numbers(12).map((n) => walletOf(n + 1));

  it('come in the order in which they were named, whatever comes first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 35 }), { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1 }),
        async (counts, concurrency, delays) => {
          const records = Object.fromEntries(wallets.map((wallet, at) => [wallet, counts[at] ?? 0]));
          let sent = 0;
          const seen = await pagedServer({ records, delay: () => delays[sent++ % delays.length] ?? 0 });
          const client = clientOf(seen, { concurrency });
          const came = await all(client.pnl({ wallet: wallets }).records());
          const plan = wallets.flatMap((wallet, at) => numbers(counts[at] ?? 0).map((n) => [wallet, n / 100]));
          expect(came.map(({ proxy_wallet, pnl }) => [proxy_wallet, pnl])).toEqual(plan);
          expect(seen.mostInFlight).toBeLessThanOrEqual(concurrency);
          await client.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('of one page each are asked four at a time, once the first has come', async () => {
    const records = Object.fromEntries(wallets.map((wallet) => [wallet, 5]));
    const seen = await pagedServer({ records, delay: () => 5 });
    expect(await clientOf(seen).pnl({ wallet: wallets }).count()).toBe(60);
    expect([seen.mostInFlight, seen.asked.length]).toEqual([4, 12]);
  });

  it('behind one that is slow are asked on, but no more pages kept than twice as many as may be in flight', async () => {
    const records = Object.fromEntries(wallets.map((wallet) => [wallet, 5]));
    const seen = await pagedServer({ records, delay: ({ params }) => (params.wallet === wallets[1] ? 800 : 0) });
    const asked: number[] = [];
    for await (const _ of clientOf(seen).pnl({ wallet: wallets }).pages()) asked.push(seen.asked.length);
    // The first alone, then the slow one and seven behind it.
    expect([asked.slice(0, 2), asked.at(-1)]).toEqual([[1, 9], 12]);
  });

  it('with many pages do not keep each other waiting', async () => {
    const records = Object.fromEntries(wallets.slice(0, 3).map((wallet) => [wallet, 200]));
    const seen = await pagedServer({ records, delay: () => 3 });
    expect(
      await clientOf(seen)
        .pnl({ wallet: wallets.slice(0, 3) })
        .count(),
    ).toBe(600);
    expect(seen.mostInFlight).toBe(4);
    expect(seen.asked.length).toBeLessThanOrEqual(60 + 9);
  });

  it('stop with the first that fails', async () => {
    const records = Object.fromEntries(wallets.map((wallet) => [wallet, 5]));
    const seen = await pagedServer({
      records,
      delay: ({ params }) => (params.wallet === wallets[5] ? 0 : 3),
      change: (page, { params }) => {
        if (params.wallet === wallets[5]) page.status = 422;
      },
    });
    const came: string[] = [];
    const reading = (async () => {
      for await (const { proxy_wallet } of clientOf(seen).pnl({ wallet: wallets }).records()) came.push(proxy_wallet);
    })();
    await expect(reading).rejects.toThrow('422');
    expect(came).toEqual(wallets.slice(0, 5).flatMap((wallet) => Array(5).fill(wallet)));
    await until(() => seen.inFlight === 0);
    expect(seen.inFlight).toBe(0);
  });

  it('end where maxRecords are there', async () => {
    const records = Object.fromEntries(wallets.map((wallet) => [wallet, 8]));
    const seen = await pagedServer({ records });
    const came = await all(clientOf(seen).pnl({ wallet: wallets }, { maxRecords: 20 }).records());
    expect(came.map(({ proxy_wallet }) => proxy_wallet)).toEqual([
      ...Array(8).fill(wallets[0]),
      ...Array(8).fill(wallets[1]),
      ...Array(4).fill(wallets[2]),
    ]);
    expect(seen.asked.length).toBeLessThanOrEqual(4);
  });
});
