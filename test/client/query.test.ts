import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/client/connect.js';
import type { ConnectOptions } from '../../src/client/connect-options.js';
import type { RunOptions } from '../../src/client/run-options.js';
import { UsageError } from '../../src/errors.js';
import { writeCsv } from '../../src/frame/csv/write-csv.js';
import { recordsOf } from '../../src/frame/records-of.js';
import { walletOf } from '../support/raw-records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Paged, pagedServer, until } from './paged-server.js';

const wallet = walletOf(1);

async function opened(paged: Paged, options: Partial<ConnectOptions> = {}) {
  const seen = await pagedServer(paged);
  return { seen, client: connect({ baseUrl: seen.url, pageSize: 10, retries: 0, ...options }) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('a query', () => {
  it('gives the same records as frame, records, pages and count', async () => {
    const { client } = await opened({ records: 35 });
    const query = client.pnl({ wallet });
    const frame = await query.frame();
    expect(frame.shape).toEqual([35, 8]);
    expect(await all(query.records())).toEqual(recordsOf(frame));
    expect((await all(query.pages())).map((page) => page.length)).toEqual([10, 10, 10, 5]);
    expect(await query.count()).toBe(35);
  });

  it('without a match gives none of any kind', async () => {
    const { client } = await opened({ records: 0 });
    const query = client.pnl({ wallet });
    expect((await query.frame()).shape).toEqual([0, 8]);
    expect([await all(query.records()), await all(query.pages()), await query.count()]).toEqual([[], [[]], 0]);
  });

  it.each([
    [1, [1]],
    [5, [5]],
    [10, [10]],
    [12, [10, 2]],
    [35, [10, 10, 10, 5]],
  ])('of the first %i records asks for no more than these', async (n, limits) => {
    const { seen, client } = await opened({ records: 100 });
    const first = await client.pnl({ wallet }).first(n);
    const whole = await client.pnl({ wallet }).frame();
    expect(recordsOf(first)).toEqual(recordsOf(whole).slice(0, n));
    expect(seen.asked.slice(0, limits.length).map(({ pagination }) => pagination.limit)).toEqual(limits);
    expect(seen.asked[limits.length]?.pagination.offset).toBe(0);
  });

  it('of the first records gives five where no number is said, and no more than maxRecords', async () => {
    const { client } = await opened({ records: 100 });
    expect((await client.pnl({ wallet }).first()).shape[0]).toBe(5);
    expect((await client.pnl({ wallet }, { maxRecords: 3 }).first()).shape[0]).toBe(3);
    expect((await client.pnl({ wallet }, { maxRecords: 25 }).frame()).shape[0]).toBe(25);
  });

  it('takes no more than maxRecords from a service that sends more than it was asked for', async () => {
    const { client } = await opened({
      records: 100,
      change: (page) => {
        page.results = [...page.results, { ...(page.results[0] as object), date: '2031-01-01T00:00:00Z' }];
      },
    });
    expect((await client.pnl({ wallet }, { maxRecords: 4 }).frame()).shape[0]).toBe(4);
  });

  it.each<[RunOptions | Record<string, unknown>, string]>([
    [{ maxRecords: 0 }, 'maxRecords must be a whole number of 1 or more; got 0.'],
    [{ maxRecords: -1 }, 'maxRecords must be a whole number of 1 or more; got -1.'],
    [{ maxRecords: 1.5 }, 'maxRecords must be a whole number of 1 or more; got 1.5.'],
    [{ maxRecords: Number.NaN }, 'maxRecords must be a whole number of 1 or more; got NaN.'],
    [{ maxRecords: '10' }, 'maxRecords must be a whole number of 1 or more; got 10.'],
    [{ maxRecord: 10 }, '"maxRecord" is no option of running a query. Did you mean "maxRecords"?'],
  ])('with %j is refused before anything is sent', async (run, message) => {
    const { seen, client } = await opened({ records: 5 });
    const query = client.pnl({ wallet }, run as RunOptions);
    const folder = await temporaryFolder();
    for (const use of [query.frame(), all(query.pages()), query.count(), query.toCsv(join(folder, 'a.csv'))]) {
      await expect(use).rejects.toEqual(new UsageError(message));
    }
    expect([seen.asked, await readdir(folder)]).toEqual([[], []]);
    await expect(client.pnl({ wallet }).first(0)).rejects.toThrow('n must be a whole number of 1 or more; got 0.');
  });

  it('keeps amounts exact where that is asked for, and refuses unknown fields where it is strict', async () => {
    const { client } = await opened({
      records: 3,
      change: (page) => Object.assign(page.results[0] ?? {}, { more: 1 }),
    });
    const exact = await client.pnl({ wallet }, { exact: true }).frame();
    expect(exact.columns).toContain('more');
    await expect(client.pnl({ wallet }, { strict: true }).frame()).rejects.toThrow('more');
  });
});

describe('a CSV file of a query', () => {
  it('is what writeCsv writes of its frame', async () => {
    const { client } = await opened({ records: 35 });
    const folder = await temporaryFolder();
    const query = client.pnl({ wallet });
    const written = await query.toCsv(join(folder, 'a.csv'));
    await writeCsv(await query.frame(), join(folder, 'b.csv'));
    const [a, b] = await Promise.all(['a.csv', 'b.csv'].map((name) => readFile(join(folder, name), 'utf8')));
    expect(a).toBe(b);
    expect(written).toEqual({ path: join(folder, 'a.csv'), rows: 35, bytes: Buffer.byteLength(a ?? '') });
  });

  it('has its header where there is no record', async () => {
    const { client } = await opened({ records: 0 });
    const path = join(await temporaryFolder(), 'a.csv');
    await client.pnl({ wallet }).toCsv(path, { delimiter: ';' });
    expect(await readFile(path, 'utf8')).toBe('date;proxy_wallet;invested;pnl;trades;wins;losses;win_rate\n');
  });

  it('that fails leaves the older one and nothing else', async () => {
    const { client } = await opened({
      records: 35,
      change: (page, { pagination }) => {
        if (pagination.offset === 20) page.status = 422;
      },
    });
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.csv'), 'older');
    await expect(client.pnl({ wallet }).toCsv(join(folder, 'a.csv'))).rejects.toThrow('422');
    expect([await readdir(folder), await readFile(join(folder, 'a.csv'), 'utf8')]).toEqual([['a.csv'], 'older']);
  });

  it('that is broken off leaves nothing', async () => {
    const delay = ({ pagination }: { pagination: { offset: number } }) => (pagination.offset < 20 ? 0 : 5000);
    const { seen, client } = await opened({ records: 60, delay });
    const controller = new AbortController();
    const folder = await temporaryFolder();
    const writing = client.pnl({ wallet }, { signal: controller.signal }).toCsv(join(folder, 'a.csv'));
    writing.catch(() => {});
    await until(() => seen.inFlight > 1);
    controller.abort();
    await expect(writing).rejects.toBe(controller.signal.reason);
    expect(await readdir(folder)).toEqual([]);
  });
});
