import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import { type Client, connect } from '../../../src/client/connect.js';
import { writeCsv } from '../../../src/frame/csv/write-csv.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { walletOf } from '../../support/raw-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { faultServer, sendPage } from '../fault-server.js';
import { type Paged, pagedServer, pnlRecord } from '../paged-server.js';

const wallet = walletOf(1);
const SHIFTED =
  ' Where its order changes from page to page, as many others may be missing: run the query again, or ask for less at ' +
  'once and compare the counts.';
const other = walletOf(2);

async function opened(paged: Paged, pageSize = 10) {
  const { url, asked } = await pagedServer(paged);
  const warnings: string[] = [];
  return { client: connect({ baseUrl: url, pageSize, onWarning: (text) => warnings.push(text) }), asked, warnings };
}

/** A service that sends these records, page by page. */
async function sending(...pages: object[][]) {
  const { url, asked } = await faultServer(({ pagination: { offset } }, response) => {
    let [at, from] = [0, 0];
    for (; from < offset; at += 1) from += pages[at]?.length ?? 1;
    sendPage(response, pages[at] ?? [], at + 1 < pages.length, offset);
  });
  const warnings: string[] = [];
  return { client: connect({ baseUrl: url, onWarning: (text) => warnings.push(text) }), asked, warnings };
}

describe('a total that is told', () => {
  const capped: Paged = {
    records: 35,
    most: 4,
    change: (page, { pagination: { limit } }) => Object.assign(page.pagination, { limit, has_more: false, total: 35 }),
  };

  it('makes what a service left out unsaid be asked for', async () => {
    const { client, asked, warnings } = await opened(capped);
    expect(recordsOf(await client.pnl({ wallet }).frame())).toHaveLength(35);
    expect(asked.map(({ pagination }) => pagination.offset)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32]);
    expect(warnings).toEqual([
      'Dataset 569 sent 4 records where 10 were asked for and said that there are no more, but there are: they were ' +
        'asked for too. Where it says so again, records may be missing.',
    ]);
  });

  it('makes nobody ask for more than is wanted', async () => {
    const { client, asked } = await opened(capped);
    expect((await client.pnl({ wallet }).first(3)).shape).toEqual([3, 8]);
    expect((await client.pnl({ wallet }, { maxRecords: 4 }).frame()).shape).toEqual([4, 8]);
    expect(asked).toHaveLength(2);
  });

  it('ends a service that has fresh records for ever', async () => {
    const endless = (told: (offset: number) => number): Paged => ({
      records: 1e6,
      change: ({ pagination }, { pagination: { offset } }) => Object.assign(pagination, { total: told(offset) }),
    });
    const { client } = await opened(endless(() => 40));
    await expect(client.pnl({ wallet }).frame()).rejects.toThrow(
      new AnswerError('Dataset 569 says that it has 40 records for this query, but sent 50.'),
    );
    const growing = await opened({
      records: 60,
      change: ({ pagination }, { pagination: { offset } }) => Object.assign(pagination, { total: 40 + offset }),
    });
    expect((await growing.client.pnl({ wallet }).frame()).shape).toEqual([60, 8]);
  });

  it('is a warning where it is wrong while the data changed', async () => {
    const { client, warnings } = await opened({
      records: 20,
      change: ({ pagination, headers }, { pagination: { offset } }) => {
        Object.assign(pagination, { total: 15 });
        headers['oddslab-data-version'] = String(offset);
      },
    });
    expect((await client.pnl({ wallet }).frame()).shape).toEqual([20, 8]);
    expect(warnings.at(-1)).toBe('Dataset 569 says that it has 15 records for this query, but sent 20.');
  });
});

describe('a maximum of the service below what is asked', () => {
  /** Counts by the limit that was asked, not by its own: from some page on it says too early that there are no more. */
  const most = 100;
  const early = (records: number, told: (limit: number) => number): Paged => ({
    records,
    most,
    change: ({ pagination }, { pagination: { limit, offset } }) =>
      Object.assign(pagination, { limit: told(limit), has_more: offset + limit < records }),
  });
  const counts = [1, 99, 100, 101, 199, 200, 201, 250, 299, 300, 301, 350, 400, 1000];

  it.each(counts)('loses none of %i records, on whatever page it stops', async (records) => {
    const { client, asked, warnings } = await opened(
      early(records, () => most),
      200,
    );
    expect((await client.pnl({ wallet }).frame()).shape).toEqual([records, 8]);
    expect(asked.length).toBeLessThanOrEqual(Math.floor(records / most) + 2);
    const isCut = records > 100;
    expect(warnings).toEqual(isCut ? [expect.stringContaining('sent 100 records where 200 were asked for')] : []);
    expect(await client.pnl({ wallet }).count()).toBe(records);
  });

  it.each(counts.filter((records) => records > 200))('loses none of %i where it does not tell it', async (records) => {
    const { client } = await opened(
      early(records, (limit) => limit),
      200,
    );
    expect(await client.pnl({ wallet }).count()).toBe(records);
  });
});

describe('a full page that is said to be the last', () => {
  const ending = (records: number): Paged => ({
    records,
    change: ({ pagination }) => Object.assign(pagination, { has_more: false }),
  });

  it('is followed by one request if it is the first one, and by others where there are more', async () => {
    const exact = await opened(ending(10));
    expect((await exact.client.pnl({ wallet }).frame()).shape).toEqual([10, 8]);
    expect([exact.asked.length, exact.warnings]).toEqual([2, []]);
    const { client, asked, warnings } = await opened(ending(25));
    expect((await client.pnl({ wallet }).frame()).shape).toEqual([25, 8]);
    expect(asked.map(({ pagination }) => pagination.offset)).toEqual([0, 10, 20]);
    expect(warnings).toEqual([
      'Dataset 569 sent 10 records where 10 were asked for and said that there are no more, but there are: they were ' +
        'asked for too. Where it says so again, records may be missing.',
    ]);
    expect(await client.pnl({ wallet }).count()).toBe(25);
  });

  /** A service that tells of more up to some offset, and there says that it has sent all. */
  const lying = (records: number, from: number): Paged => ({
    records,
    change: ({ pagination }, { pagination: { offset } }) => {
      if (offset === from) pagination.has_more = false;
    },
  });

  it('is followed by one request on any later page, too, whether the dataset has a key or not', async () => {
    for (const dataset of [569, 999]) {
      const read = async (paged: Paged) => {
        const { client, asked, warnings } = await opened(paged);
        const { shape } = await client.dataset(dataset, { wallet }).frame();
        const offsets = asked.map(({ pagination: { offset } }) => offset);
        return { records: shape[0], offsets: offsets.sort((a, b) => a - b), warnings };
      };
      expect(await read({ records: 30 })).toEqual({ records: 30, offsets: [0, 10, 20, 30], warnings: [] });
      expect(await read({ records: 29 })).toEqual({ records: 29, offsets: [0, 10, 20], warnings: [] });
      const lied = await read(lying(47, 20));
      expect([lied.records, lied.offsets.slice(0, 5)]).toEqual([47, [0, 10, 20, 30, 40]]);
      expect(lied.warnings).toEqual([
        expect.stringContaining(`Dataset ${dataset} sent 10 records where 10 were asked`),
      ]);
    }
  });

  it('is the last one where a service without keys begins anew behind its end', async () => {
    const { client, warnings } = await opened({
      records: 20,
      change: (page, { pagination: { offset } }) => {
        if (offset >= 20) page.results = Array.from({ length: 10 }, (_, at) => pnlRecord(at));
      },
    });
    expect((await client.dataset(999).frame()).shape[0]).toBe(20);
    expect(warnings).toEqual([]);
  });

  it('is believed where a total says the same, and where nobody wants more', async () => {
    const told = await opened({ ...ending(10), change: ({ pagination }) => Object.assign(pagination, { total: 10 }) });
    expect(await told.client.pnl({ wallet }).count()).toBe(10);
    const wanted = await opened(ending(25));
    expect((await wanted.client.pnl({ wallet }, { maxRecords: 10 }).frame()).shape).toEqual([10, 8]);
    expect([told, wanted].map(({ asked }) => asked.length)).toEqual([1, 1]);
    expect([told, wanted].flatMap(({ warnings }) => warnings)).toEqual([]);
  });
});

it('pages whose order changes are told to lack records', async () => {
  const { client, warnings } = await opened({
    records: 25,
    // The second page is ordered otherwise: half of it came before.
    change: (page, { pagination: { offset } }) => {
      if (offset === 10) page.results = Array.from({ length: 10 }, (_, at) => pnlRecord(at + 5));
    },
  });
  expect((await client.pnl({ wallet }).frame()).shape).toEqual([20, 8]);
  expect(warnings).toEqual([`Dataset 569 repeated 5 records on later pages; they were dropped.${SHIFTED}`]);
});

describe('what a service tells on some pages alone', () => {
  const counted = (told: Record<number, number | undefined>): Paged => ({
    records: 25,
    change: ({ pagination }, { pagination: { offset } }) => Object.assign(pagination, { total: told[offset] }),
  });

  it('holds for all: a total, and a version of its data', async () => {
    const { client } = await opened(counted({ 0: 30 }));
    await expect(client.pnl({ wallet }).frame()).rejects.toThrow(
      new AnswerError('Dataset 569 says that it has 30 records for this query, but sent 25 and none behind them.'),
    );
    const versions: Record<number, string> = { 0: 'a', 20: 'b' };
    const changing = await opened({
      records: 25,
      change: ({ headers }, { pagination: { offset } }) => {
        const version = versions[offset];
        if (version !== undefined) headers['oddslab-data-version'] = version;
      },
    });
    await changing.client.pnl({ wallet }).frame();
    expect(changing.warnings).toEqual([expect.stringContaining('changed from data version a to b between two pages')]);
  });

  it('is corrected by the answer that there are no more', async () => {
    const { client, warnings } = await opened(counted({ 0: 30, 10: 30, 20: 30, 25: 25 }));
    expect((await client.pnl({ wallet }).frame()).shape).toEqual([25, 8]);
    expect(warnings).toEqual([expect.stringContaining('said first that it has 30 records for this query, then 25')]);
  });
});

it('records that differ after the total changed are a warning, as the data changed', async () => {
  const { client, warnings } = await opened({
    records: 20,
    change: ({ pagination, results }, { pagination: { offset } }) => {
      Object.assign(pagination, { total: 20 + offset });
      if (offset > 0) results[0] = { ...pnlRecord(0), pnl: '99' };
    },
  });
  expect((await client.pnl({ wallet }).frame()).shape).toEqual([19, 8]);
  expect(warnings.at(-1)).toContain('came again with another "pnl"; the one that came first was kept');
});

it('a total of records that never come is an error after one request', async () => {
  const { client, asked } = await opened({
    records: 0,
    change: ({ pagination }) => Object.assign(pagination, { total: 5 }),
  });
  await expect(client.pnl({ wallet }).frame()).rejects.toThrow('says that it has 5 records for this query, but sent 0');
  expect(asked).toHaveLength(1);
});

it.each([500, 429])('what a service fails to tell of a cut answer by %i is an error, no end', async (status) => {
  const { url } = await pagedServer({
    records: 14,
    most: 7,
    change: (page, { pagination: { offset } }) => {
      page.pagination.has_more = false;
      if (offset > 0) page.status = status;
    },
  });
  const client = connect({ baseUrl: url, retries: 0, onWarning() {} });
  await expect(client.pnl({ wallet }).frame()).rejects.toMatchObject({ name: 'ServiceError', details: { status } });
});

it('an offset that lags behind is told wrongly, where the records behind it are new', async () => {
  const { client, warnings } = await opened({
    records: 35,
    change: ({ pagination }, { pagination: { offset } }) =>
      Object.assign(pagination, { offset: Math.max(0, offset - 10) }),
  });
  expect((await client.pnl({ wallet }).frame()).shape).toEqual([35, 8]);
  expect(warnings).toEqual([
    'Dataset 569 was asked for offset 10 and answered for offset 0; what came twice is dropped.',
  ]);
});

it('a limit of 0 that is told of a page with records says nothing', async () => {
  const { client, asked } = await opened({
    records: 5,
    change: ({ pagination }) => Object.assign(pagination, { limit: 0 }),
  });
  expect((await client.pnl({ wallet }).frame()).shape).toEqual([5, 8]);
  expect(asked).toHaveLength(1);
});

it('an empty page with "more" is an error behind an answer that was cut, too', async () => {
  const { client } = await opened({
    records: 14,
    most: 7,
    change: ({ pagination }, { pagination: { offset } }) => Object.assign(pagination, { has_more: offset > 0 }),
  });
  await expect(client.pnl({ wallet }).frame()).rejects.toThrow(
    new AnswerError('Dataset 569 sent an empty page at offset 14, yet says that there is more.'),
  );
});

describe('a service without keys', () => {
  it('loses nothing where it cuts each answer and says that it is all', async () => {
    const { client } = await opened({
      records: 25,
      most: 7,
      change: ({ pagination }) => Object.assign(pagination, { has_more: false }),
    });
    expect((await client.dataset(999).frame()).shape[0]).toBe(25);
  });

  it('is stopped where it goes round in circles, and doubted where its last page came before', async () => {
    const { client } = await opened({
      records: 400,
      change: (page, { pagination: { offset } }) => {
        page.results = Array.from({ length: 10 }, (_, at) => pnlRecord((offset % 20) + at));
      },
    });
    await expect(client.dataset(999).frame()).rejects.toThrow('sent only records that came before at offset 20');
    const { client: other, warnings } = await sending([{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]);
    expect((await other.dataset(999).frame()).shape[0]).toBe(4);
    expect(warnings).toEqual(['Dataset 999 sent only records that came before at offset 2: they may be doubled.']);
  });
});

it('believes a service without keys that has said "more", as it may begin anew behind its end', async () => {
  const { client, warnings } = await opened(
    {
      records: 30,
      most: 10,
      change: (page, { pagination: { offset } }) => {
        if (offset >= 30) page.results = Array.from({ length: 10 }, (_, at) => pnlRecord(at + 5));
      },
    },
    200,
  );
  expect((await client.dataset(999).frame()).shape[0]).toBe(30);
  expect(warnings).toEqual([]);
});

describe('more that is said and never comes', () => {
  const promising = (kept: number, isLazy: boolean): Paged => ({
    records: kept,
    change: ({ pagination, results }, { pagination: { limit } }) =>
      Object.assign(pagination, { has_more: isLazy ? results.length === limit : results.length > 0 }),
  });

  it('is a warning behind a page that is not full', async () => {
    const { client, warnings } = await opened(promising(25, false));
    expect((await client.pnl({ wallet }).frame()).shape).toEqual([25, 8]);
    expect(warnings).toEqual([
      'Dataset 569 said that there are records from offset 25 on, but sent none: some may be missing. Count them by ' +
        'a narrower query, or ask who runs the service.',
    ]);
  });

  it('is none behind a full one, which a simple service takes for one of several', async () => {
    for (const records of [20, 25]) {
      const { client, warnings } = await opened(promising(records, true));
      expect(await client.pnl({ wallet }).count()).toBe(records);
      expect(warnings).toEqual([]);
    }
  });
});

describe('two records of one key', () => {
  const changed = { ...pnlRecord(0), pnl: '99' };
  const place = `Dataset 569, wallet ${wallet}, offset`;
  const message =
    `the record of date 2020-01-01T00:00:00Z, proxy_wallet ${wallet} came before with another "pnl", and nothing tells ` +
    'which of them is right. Run the query again; where that does not help, the service is at fault.';

  it('that differ are an error, on one page or on two', async () => {
    const one = await sending([pnlRecord(0), changed, pnlRecord(1)]);
    for (const use of [
      one.client.pnl({ wallet }).frame(),
      one.client.pnl({ wallet }, { exact: true }).frame(),
      one.client.pnl({ wallet }).count(),
    ]) {
      await expect(use).rejects.toThrow(new AnswerError(`${place} 0: ${message}`));
    }
    const two = await sending([pnlRecord(0), pnlRecord(1)], [changed, pnlRecord(2)]);
    await expect(two.client.pnl({ wallet }).frame()).rejects.toThrow(new AnswerError(`${place} 2: ${message}`));
    const field = await sending([pnlRecord(0), { ...pnlRecord(0), note: [1] }]);
    await expect(field.client.pnl({ wallet }).frame()).rejects.toThrow('with another "note"');
  });

  it('that are equal are one, and where they stood is told truly', async () => {
    const again = { ...pnlRecord(0), pnl: '0.00', win_rate: 66.6 };
    const one = await sending([pnlRecord(0), again, pnlRecord(1)]);
    expect((await one.client.pnl({ wallet }).frame()).shape).toEqual([2, 8]);
    const two = await sending([pnlRecord(0), pnlRecord(1), again], [again, pnlRecord(2)]);
    expect((await two.client.pnl({ wallet }).frame()).shape).toEqual([3, 8]);
    expect([...one.warnings, ...two.warnings]).toEqual([
      'Dataset 569 repeated 1 record on the same page; they were dropped.',
      `Dataset 569 repeated 2 records on the same page or on later ones; they were dropped.${SHIFTED}`,
    ]);
  });

  it('are one, too, where the moment is written in another form, and an error where they differ', async () => {
    const midnight = pnlRecord(1);
    const date = { ...midnight, date: '2020-01-02' };
    const { client, warnings } = await sending([pnlRecord(0), midnight], [date, pnlRecord(2)]);
    expect(recordsOf(await client.pnl({ wallet }).frame())).toHaveLength(3);
    expect(warnings.splice(0)).toEqual([`Dataset 569 repeated 1 record on later pages; they were dropped.${SHIFTED}`]);
    expect((await client.pnl({ wallet }, { maxRecords: 3 }).frame()).shape).toEqual([3, 8]);
    expect(await client.pnl({ wallet }).count()).toBe(3);
    const others = await sending([pnlRecord(0), date], [midnight]);
    expect((await others.client.pnl({ wallet: wallet }).frame()).shape).toEqual([2, 8]);
    const dates = await sending([date], [pnlRecord(2)]);
    expect((await dates.client.pnl({ wallet }).frame()).shape).toEqual([2, 8]);
    expect(dates.asked.map(({ pagination }) => pagination.offset)).toEqual([0, 1, 2]);
    const differing = await sending([midnight, { ...date, pnl: '99' }]);
    await expect(differing.client.pnl({ wallet }).frame()).rejects.toThrow('came before with another "pnl"');
  });

  it('that differ while the data changed are a warning', async () => {
    const { client, warnings } = await opened({
      records: 20,
      change: (page, { pagination: { offset } }) => {
        page.headers['oddslab-data-version'] = String(offset);
        if (offset === 10) page.results[0] = changed;
      },
    });
    expect((await client.pnl({ wallet }).frame()).shape).toEqual([19, 8]);
    expect(warnings.slice(1)).toEqual([
      `Dataset 569 repeated 1 record on later pages; they were dropped.${SHIFTED}`,
      `Dataset 569: The record of date 2020-01-01T00:00:00Z, proxy_wallet ${wallet} came again with another "pnl"; ` +
        'the one that came first was kept. Run the query again.',
    ]);
  });

  it('are compared among texts that hardly repeat, too', async () => {
    const market = (n: number, more = {}) => ({
      condition_id: `0x${n}`,
      question: `Will it rain on day ${n}?`,
      slug: `rain-${n}`,
      closed: true,
      volume_total: '1',
      ...more,
    });
    const many = Array.from({ length: 6000 }, (_, n) => market(n));
    const equal = await sending(many, [market(5999), market(1), market(6001)]);
    expect((await equal.client.markets().frame()).shape[0]).toBe(6001);
    const differing = await sending(many, [market(5999), market(5998, { slug: 'snow-5998' })]);
    await expect(differing.client.markets().frame()).rejects.toThrow(
      'condition_id 0x5998 came before with another "slug"',
    );
  });
});

describe('a field under both of its names', () => {
  const market = (n: number, dates: object) => ({
    condition_id: `0x${n}`,
    question: 'q',
    slug: `s-${n}`,
    closed: true,
    volume_total: '1',
    ...dates,
  });
  const [at, later] = ['2025-11-01T00:00:00Z', '2025-11-02T00:00:00Z'];

  it('with one moment, or without a value under one of them, is one', async () => {
    const dates = [
      { close_date: at, closed_date: '2025-11-01' },
      { closed_date: '2025-11-01 01:00:00+01', close_date: at },
      { closed_date: '', close_date: at },
      { closed_date: null, close_date: at },
      { closed_date: at },
    ];
    const { client } = await sending(dates.map((each, n) => market(n, each)));
    const records = recordsOf(await client.markets().frame());
    expect(records.map(({ close_date }) => close_date)).toEqual(dates.map(() => at));
  });

  it('with two values is an error', async () => {
    const { client } = await sending([
      market(0, { close_date: at }),
      market(1, { close_date: at, closed_date: later }),
    ]);
    const message =
      `Dataset 574, offset 0: the record of condition_id 0x1 has "close_date" "${at}" and "closed_date" "${later}", ` +
      'which are two names of one field: nothing tells which of them is right.';
    await expect(client.markets().frame()).rejects.toThrow(new AnswerError(message));
    await expect(client.markets().count()).rejects.toThrow(new AnswerError(message));
    const hidden = await sending([market(0, { close_date: '', closed_date: at })]);
    await expect(hidden.client.markets().frame()).rejects.toThrow(`has "close_date" "" and "closed_date" "${at}"`);
  });
});

describe('records of another wallet', () => {
  const ignoring = (found: string): Paged => ({
    records: 15,
    change: (page, { pagination: { offset } }) => {
      if (offset > 0) page.results[2] = pnlRecord(offset + 2, found);
    },
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['frame', (client) => client.pnl({ wallet }).frame()],
    ['several wallets', (client) => client.pnl({ wallet: [wallet, other] }).frame()],
    ['count', (client) => client.pnl({ wallet }).count()],
    ['number', (client) => client.dataset(569, { wallet }).frame()],
  ])('than was asked for are an error: %s', async (_, run) => {
    const { client } = await opened(ignoring(other));
    await expect(run(client)).rejects.toThrow(
      new AnswerError(
        `Dataset 569, wallet ${wallet}, offset 10: a record is of proxy_wallet ${other}, but wallet ${wallet} was asked ` +
          'for: the service seems to ignore this filter.',
      ),
    );
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['frame', (client) => client.pnl({ wallet: [wallet, other] }).frame()],
    ['count', (client) => client.pnl({ wallet: [wallet, other] }).count()],
  ])('are an error where they repeat those of that wallet: %s', async (_, run) => {
    const { client, warnings } = await opened({
      records: 5,
      change: (page) => {
        page.results = Array.from({ length: 5 }, (_, n) => pnlRecord(n));
      },
    });
    await expect(run(client)).rejects.toThrow(
      new AnswerError(
        `Dataset 569, wallet ${other}, offset 0: a record is of proxy_wallet ${wallet}, but wallet ${other} was asked for: ` +
          'the service seems to ignore this filter.',
      ),
    );
    expect(warnings).toEqual([]);
  });

  it('are none that only the case tells apart', async () => {
    const lower = `0x${'a'.repeat(40)}`;
    const { client } = await opened(ignoring(lower.toUpperCase().replace('X', 'x')));
    expect((await client.pnl({ wallet: lower }).frame()).shape).toEqual([15, 8]);
  });
});

it('a CSV file has fields that first came late, as a frame would', async () => {
  const folder = await temporaryFolder();
  for (const pages of [
    [[{ v: 1 }], [{ v: 2, w: 'x' }], [{ w: 'y', u: true }]],
    [[pnlRecord(0)], [{ ...pnlRecord(1), extra: 'q' }]],
  ]) {
    const { client } = await sending(...pages);
    const query = pages[0]?.[0] && 'v' in pages[0][0] ? client.dataset(999) : client.pnl({ wallet });
    const path = join(folder, 'paged.csv');
    const rows = pages.flat().length;
    expect(await query.toCsv(path)).toMatchObject({ path, rows });
    await writeCsv(await query.frame(), join(folder, 'frame.csv'));
    expect(await readFile(path, 'utf8')).toBe(await readFile(join(folder, 'frame.csv'), 'utf8'));
  }
});
