import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ServiceError, UsageError } from '../../src/base/errors.js';
import { connect } from '../../src/client/connect.js';
import type { ConnectOptions } from '../../src/client/connect-options.js';
import type { RunOptions } from '../../src/client/run-options.js';
import { writeCsv } from '../../src/frame/csv/write-csv.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { completenessOf } from '../../src/frame/tabular/completeness.js';
import type { Provenance } from '../../src/frame/tabular/provenance.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { walletOf } from '../support/raw-records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Paged, type PageSent, pagedServer, until } from './paged-server.js';

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

  it('that was not awaited says what it asks and how, and asks nothing', async () => {
    const { seen, client } = await opened({ records: 35 });
    const query = client.pnl({ wallet, startTime: undefined, granularity: '1w' });
    const text =
      `Query of pnl { wallet: '${wallet}', granularity: '1w' }, of which nothing is asked before it is used: ` +
      'await .frame(), .first() or .toCsv(path), or loop over its records: for await (const record of query.records())';
    expect(Reflect.get(query, Symbol.for('Jupyter.display')).call(query)).toEqual({ 'text/plain': text });
    expect(inspect({ query })).toBe(`{\n  query: ${text}\n}`);
    const many = client.lifetime({ wallet: [1, 2, 3, 4, 5].map(walletOf) });
    expect(inspect(many)).toContain(`${walletOf(3)}', ... 2 more items ] }, of which`);
    expect(seen.asked).toEqual([]);
  });

  it.each(['frame', 'records', 'pages', 'frames', 'count'])(
    'refuses options in %s(), which takes none',
    async (method) => {
      const { seen, client } = await opened({ records: 35 });
      const query = client.pnl({ wallet });
      const used: AsyncGenerator | Promise<unknown> = Reflect.get(query, method).call(query, { exact: true });
      await expect('next' in used ? all(used) : used).rejects.toThrow(
        new UsageError(
          `.${method}() takes no arguments: options of the run stand behind the filters, as in lab.pnl({ wallet }, { maxRecords: 10 }).`,
        ),
      );
      expect(seen.asked).toEqual([]);
    },
  );

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
    [
      { signal: {} },
      'signal must be an AbortSignal, such as AbortSignal.timeout(5000) or the signal of an AbortController.',
    ],
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

describe('the count of a query', () => {
  it('is the number of rows that its frame has, without the records that came twice', async () => {
    const { client } = await opened(
      {
        records: { [wallet]: 45, [walletOf(2)]: 12 },
        // Each page begins with the last record of the one before.
        change: (page, { pagination: { offset } }) => {
          if (offset > 0) page.results = [page.results[0], ...page.results.slice(0, -1)];
        },
      },
      { onWarning: () => {} },
    );
    const query = client.pnl({ wallet: [wallet, walletOf(2)] });
    const rows = (await query.frame()).shape[0];
    expect(rows).toBeLessThan(57);
    expect(await query.count()).toBe(rows);
  });

  it('counts what comes where the dataset is not known, and stops at maxRecords', async () => {
    const { client } = await opened({ records: 45 });
    const counts = [
      client.dataset(999).count(),
      client.dataset(999, {}, { maxRecords: 25 }).count(),
      client.pnl({ wallet }, { maxRecords: 25 }).count(),
    ];
    expect(await Promise.all(counts)).toEqual([45, 25, 25]);
  });
});

describe('the time of a whole query', () => {
  const slowFrom =
    (first: number) =>
    ({ pagination }: { pagination: { offset: number } }) =>
      pagination.offset < first ? 0 : 60_000;

  it('once it is over ends it, saying how many records had come', async () => {
    const { seen, client } = await opened({ records: 60, delay: slowFrom(30) });
    const failure = await client
      .pnl({ wallet }, { timeoutMs: 3000 })
      .frame()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    const { message, details } = failure as ServiceError;
    const url = `${seen.url}/v2/semantic/retrieve/parameterized`;
    expect(message).toBe(
      'The query of dataset 569 (pnl) did not end within 3 s (timeoutMs): 30 records had come, on 3 pages ' +
        `(POST ${url}). Allow it more time, or ask for less.`,
    );
    expect(details).toEqual({ attempts: seen.asked.length, method: 'POST', url });
    await until(() => seen.inFlight === 0);
    expect(seen.inFlight).toBe(0);
  });

  it('counts over several wallets and the pauses between tries', async () => {
    const { client } = await opened(
      { records: 5, change: (page) => Object.assign(page, { status: 503 }) },
      { retries: 9 },
    );
    const query = client.pnl({ wallet: [wallet, walletOf(2)] }, { timeoutMs: 300 });
    await expect(query.count()).rejects.toThrow('did not end within 300 ms (timeoutMs): 0 records had come');
  });

  it('stands beside a signal: whichever comes first ends it', async () => {
    const { client } = await opened({ records: 60, delay: slowFrom(30) });
    const late = new AbortController();
    const timed = client.pnl({ wallet }, { timeoutMs: 3000, signal: late.signal }).frame();
    await expect(timed).rejects.toThrow('30 records had come');
    const early = new AbortController();
    const stopped = client.pnl({ wallet }, { timeoutMs: 60_000, signal: early.signal }).frame();
    setTimeout(() => early.abort(new Error('enough')), 100);
    await expect(stopped).rejects.toThrow('enough');
  });

  it('does nothing to a query that ends in it', async () => {
    const { client } = await opened({ records: 60 });
    expect((await client.pnl({ wallet }, { timeoutMs: 60_000 }).frame()).shape[0]).toBe(60);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31, '5'])('is no %s', async (timeoutMs) => {
    const { seen, client } = await opened({ records: 5 });
    const query = client.pnl({ wallet }, { timeoutMs } as RunOptions);
    await expect(query.count()).rejects.toEqual(
      new UsageError(`timeoutMs must be a whole number from 1 to 2,147,483,647; got ${timeoutMs}.`),
    );
    expect(seen.asked).toEqual([]);
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

describe('how complete the records behind a frame are', () => {
  const two = walletOf(2);
  const told = { seen: true, first: '2020-01-01T00:00:00Z', feeless_fills: 3, fills: 42 };

  it('comes with it, of the wallets asked for alone, through verbs and page by page', async () => {
    const { client } = await opened({
      records: { [wallet]: 15, [two]: 0 },
      change(page, { params }) {
        const own = params.wallet === wallet ? told : { seen: false };
        page.completeness = { [String(params.wallet)]: own, [walletOf(9)]: { seen: true, untracked_shares: '5' } };
      },
    });
    const query = client.pnl({ wallet: [wallet, two] });
    const frame = await query.frame();
    const expected = [
      { wallet, ...told },
      { wallet: two, seen: false },
    ];
    expect(completenessOf(frame)).toEqual(expected);
    expect(completenessOf(filterRows(frame, (row) => row.pnl > 1e9))).toEqual(expected);
    expect(frame.provenance.map(({ completeness }) => completeness)).toEqual([
      { [wallet]: told },
      { [two]: { seen: false } },
    ]);
    let provenance: readonly Provenance[] = [];
    const paged = client.pnl({ wallet }, { onProvenance: (queries) => (provenance = queries) });
    expect((await all(paged.frames())).map((each) => each.shape[0])).toEqual([10, 5]);
    expect(provenance.map(({ completeness, records }) => [completeness, records])).toEqual([[{ [wallet]: told }, 15]]);
  });

  it('is unknown where a service does not say it, or says something else by that name', async () => {
    for (const completeness of [undefined, 'full', 0.98, { [wallet]: 'full' }, [told]]) {
      const { client } = await opened({ records: 5, change: (page) => Object.assign(page, { completeness }) });
      const frame = await client.pnl({ wallet }).frame();
      expect([frame.shape[0], completenessOf(frame)]).toEqual([5, []]);
      expect(frame.provenance[0]).not.toHaveProperty('completeness');
    }
  });

  it('is recorded with an answer, and replayed; a key that a service repeats there is not', async () => {
    const snapshot = await temporaryFolder();
    const completeness = {
      [wallet]: { ...told, missing: [{ what: 'activity', from: null, until: null, why: 'sold-out-key-1' }] },
    };
    const server = { records: 5, change: (page: PageSent) => Object.assign(page, { completeness }) };
    const { client } = await opened(server, { snapshot });
    const recorded = await client.pnl({ wallet }).frame();
    const replayed = await connect({ snapshot, mode: 'replay' }).pnl({ wallet }).frame();
    expect(completenessOf(replayed)).toEqual([{ wallet, ...completeness[wallet] }]);
    expect(replayed.provenance).toEqual(recorded.provenance);
    const other = await temporaryFolder();
    const { client: careful } = await opened(server, { snapshot: other, apiKey: 'sold-out-key-1' });
    await expect(careful.pnl({ wallet }).frame()).rejects.toThrow('repeats your API key');
    expect(await readdir(other)).toEqual([]);
  });
});
