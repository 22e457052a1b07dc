import { describe, expect, it } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import { type Client, connect } from '../../../src/client/connect.js';
import { column, recordsOf } from '../../../src/frame/tabular/column-values.js';
import { completenessOf } from '../../../src/frame/tabular/completeness.js';
import { provenanceOf } from '../../../src/frame/tabular/provenance.js';
import { walletOf } from '../../support/raw-records.js';
import { serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Asked, faultServer, sendPage } from '../fault-server.js';
import { type Paged, type PageSent, pagedServer, pnlRecord } from '../paged-server.js';

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().replace('.000', '');

function pnl(n: number, changes: object = {}) {
  const counts = { trades: 3, wins: 2, losses: 1 };
  return {
    date: day(n),
    proxy_wallet: walletOf(1),
    invested: '1.5',
    pnl: '-0.25',
    ...counts,
    win_rate: '66.6',
    ...changes,
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const wallet = walletOf(1);

describe('paging', () => {
  it('against our service gives the same for any page size', async () => {
    const folder = await temporaryFolder();
    await ingestSmall(folder);
    const baseUrl = await serveFolder(folder);
    const whole = await all(connect({ baseUrl }).pnl({ wallet }).records());
    expect(whole).toHaveLength(40);
    for (const pageSize of [1, 7, 40, 1000]) {
      const client = connect({ baseUrl, pageSize });
      expect(await all(client.pnl({ wallet }).records())).toEqual(whole);
      await client.close();
    }
    const frame = await connect({ baseUrl })
      .pnl({ wallet: [wallet, walletOf(2)] })
      .frame();
    expect(frame.shape).toEqual([80, 8]);
    const none = await connect({ baseUrl })
      .pnl({ wallet: walletOf(77) })
      .frame();
    expect([none.shape[0], none.columns]).toEqual([0, frame.columns]);
  });

  it('goes on from what came where the server sends fewer than asked', async () => {
    const { url, asked } = await faultServer(({ pagination: { offset } }, response) =>
      sendPage(
        response,
        [offset, offset + 1].filter((n) => n < 5).map((n) => pnl(n)),
        offset + 2 < 5,
        offset,
      ),
    );
    const records = await all(connect({ baseUrl: url, pageSize: 100 }).pnl({ wallet }).records());
    expect(records.map(({ date }) => date)).toEqual([0, 1, 2, 3, 4].map(day));
    // The last page, too, is full at the limit that it tells.
    expect(asked.map(({ pagination }) => pagination)).toEqual([0, 2, 4, 5].map((offset) => ({ limit: 100, offset })));
  });

  it.each<[string, (body: Asked) => object[]]>([
    ['an empty page', ({ pagination: { offset } }) => (offset === 0 ? [pnl(0)] : [])],
    ['only records that came before', () => [pnl(0)]],
  ])('stops where has_more comes for ever with %s', async (what, results) => {
    const { url } = await faultServer((body, response) => sendPage(response, results(body), true));
    const failure = await connect({ baseUrl: url })
      .pnl({ wallet })
      .frame()
      .catch((error) => error);
    expect(failure).toBeInstanceOf(AnswerError);
    expect(failure.message).toBe(`Dataset 569 sent ${what} at offset 1, yet says that there is more.`);
  });

  it('stops where a dataset without a known key sends one page for ever', async () => {
    const { url, asked } = await faultServer((_, response) => sendPage(response, [{ a: 1 }, { a: 1 }], true));
    await expect(connect({ baseUrl: url }).dataset(999).frame()).rejects.toThrow('at offset 2');
    // The page asked ahead may have been cancelled before the server heard of it.
    expect([
      [0, 2],
      [0, 2, 4],
    ]).toContainEqual(asked.map(({ pagination }) => pagination.offset));
  });

  it('drops records that overlap the page before, with a warning', async () => {
    const { url } = await faultServer(({ pagination: { offset } }, response) =>
      offset === 0 ? sendPage(response, [pnl(0), pnl(1)], true) : sendPage(response, [pnl(1), pnl(2)], false, offset),
    );
    const warnings: string[] = [];
    const client = connect({ baseUrl: url, onWarning: (text) => warnings.push(text) });
    expect((await all(client.pnl({ wallet }).records())).map(({ date }) => date)).toEqual([0, 1, 2].map(day));
    expect(warnings).toEqual([
      expect.stringMatching(/^Dataset 569 repeated 1 record on later pages; they were dropped\. .* may be missing/),
    ]);
  });
});

describe('a service that is not to be trusted', () => {
  const warned = async (
    paged: Paged,
    pageSize = 10,
  ): Promise<{ records: unknown; warnings: string[]; asked: Asked[] }> => {
    const seen = await pagedServer(paged);
    const warnings: string[] = [];
    const client = connect({ baseUrl: seen.url, pageSize, onWarning: (text) => warnings.push(text) });
    const frame = await client.pnl({ wallet }).frame();
    const records = Array.from(column(frame, 'pnl'), (pnl) => Math.round(pnl * 100));
    return { records, warnings, asked: seen.asked };
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
  const failed = async (paged: Paged, run: (client: Client) => Promise<unknown>): Promise<unknown> => {
    const seen = await pagedServer(paged);
    return run(connect({ baseUrl: seen.url, pageSize: 10, onWarning() {} })).catch((error: unknown) => error);
  };

  it('cuts answers at a maximum of its own, and says that they are all', async () => {
    const answer = await warned({
      records: 25,
      most: 7,
      change: (page) => {
        page.pagination.has_more = false;
      },
    });
    expect(answer.records).toEqual(upTo(25));
    expect(answer.warnings).toEqual([
      'Dataset 569 sent 7 records where 10 were asked for and said that there are no more, but there are: they were ' +
        'asked for too. Where it says so again, records may be missing.',
    ]);
  });

  it('cuts answers at a maximum of its own, which happens to be all', async () => {
    const refusing =
      (status: number) =>
      (page: PageSent, { pagination }: Asked) => {
        page.pagination.has_more = false;
        if (pagination.offset >= 7) page.status = status;
      };
    for (const change of [undefined, refusing(400), refusing(422)]) {
      const answer = await warned({ records: 7, most: 7, ...(change ? { change } : {}) });
      expect([answer.records, answer.warnings, answer.asked.length]).toEqual([upTo(7), [], 2]);
    }
  });

  it('fails where it is asked for more than it announced: what it announced is kept, with a warning', async () => {
    const failing =
      (at: number, total?: number) =>
      (page: PageSent, { pagination }: Asked) => {
        page.pagination.has_more = pagination.offset + 10 < at;
        if (total !== undefined) page.pagination.total = total;
        if (pagination.offset >= at) page.status = 503;
      };
    const seen = await pagedServer({ records: 40, change: failing(20) });
    const warnings: string[] = [];
    const client = connect({ baseUrl: seen.url, pageSize: 10, retries: 1, onWarning: (text) => warnings.push(text) });
    expect((await client.pnl({ wallet }).frame()).shape[0]).toBe(20);
    expect(warnings.filter((text) => text.startsWith('Dataset'))).toEqual([
      'Dataset 569 said that there are no records from offset 20 on, and failed when it was asked for them ' +
        'nevertheless (status 503): some may be missing. Run the query again to be sure.',
    ]);
    // By its total, records lack; and a page that was announced has to come.
    const { url } = await pagedServer({ records: 40, change: failing(20, 40) });
    await expect(connect({ baseUrl: url, pageSize: 10, retries: 0 }).pnl({ wallet }).frame()).rejects.toThrow('503');
    const announced = await pagedServer({
      records: 40,
      change: (page, { pagination }) => {
        if (pagination.offset >= 20) page.status = 503;
      },
    });
    const other = connect({ baseUrl: announced.url, pageSize: 10, retries: 0 });
    await expect(other.pnl({ wallet }).frame()).rejects.toThrow('503');
  });

  it('sends more than it was asked for', async () => {
    const more = (page: PageSent, { pagination: { offset } }: Asked) => {
      page.results = upTo(13)
        .map((n) => pnlRecord(offset + n, wallet))
        .slice(0, 60 - offset);
      page.pagination.has_more = offset + page.results.length < 60;
    };
    const answer = await warned({ records: 60, change: more });
    expect([answer.records, answer.warnings]).toEqual([upTo(60), []]);
  });

  it.each<[string, (page: PageSent, asked: Asked) => void, string]>([
    [
      'ignores the offset, and says so',
      (page) =>
        Object.assign(page, {
          results: [pnlRecord(0), pnlRecord(1)],
          pagination: { limit: 10, offset: 0, has_more: true },
        }),
      'Dataset 569 sent only records that came before at offset 2, yet says that there is more.',
    ],
    [
      'sends the same records in another order',
      (page, { pagination: { offset } }) =>
        Object.assign(page, {
          results: offset === 0 ? [pnlRecord(0), pnlRecord(1)] : [pnlRecord(1), pnlRecord(0)],
          pagination: { limit: 10, offset, has_more: true },
        }),
      'Dataset 569 sent only records that came before at offset 2, yet says that there is more.',
    ],
    [
      'begins anew past some offset',
      (page, { pagination: { offset } }) => {
        if (offset < 20) return;
        page.pagination.offset = 0;
        page.results = [pnlRecord(500)];
      },
      'Dataset 569 sent only records that came before at offset 21, yet says that there is more.',
    ],
    [
      'leaves records out',
      (page, { pagination: { offset } }) => {
        if (offset > 0) page.pagination.offset = offset + 5;
      },
      'Dataset 569 was asked for offset 10 and answered for offset 15: the records between would be missing.',
    ],
    [
      'sends an empty page in the middle',
      (page, { pagination: { offset } }) => {
        if (offset === 20) page.results = [];
      },
      'Dataset 569 sent an empty page at offset 20, yet says that there is more.',
    ],
  ])('%s', async (_, change, message) => {
    const error = await failed({ records: 90, change }, (client) => client.pnl({ wallet }).frame());
    expect(error).toEqual(new AnswerError(message));
  });

  it('answers for an earlier offset than it was asked: what came twice is dropped', async () => {
    const align = (page: PageSent, { pagination: { offset, limit } }: Asked) => {
      const from = offset - (offset % 7);
      page.pagination.offset = from;
      page.results =
        page.results.length === 0 ? [] : upTo(Math.min(limit, 40 - from)).map((n) => pnlRecord(from + n, wallet));
      page.pagination.has_more = from + page.results.length < 40;
    };
    const answer = await warned({ records: 40, change: align });
    expect(answer.records).toEqual(upTo(40));
    expect(answer.warnings[0]).toMatch(
      /^Dataset 569 was asked for offset 10 and answered for offset 7; what came twice/,
    );
    const error = await failed({ records: 40, change: align }, (client) => client.dataset(999).frame());
    expect(String(error)).toContain('was asked for offset 10 and answered for offset 7');
  });

  it('tells another total than it sends', async () => {
    const tells = async (total: unknown, headers = {}) =>
      failed(
        {
          records: 25,
          change: (page) => {
            Object.assign(page.pagination, { total });
            Object.assign(page.headers, headers);
          },
        },
        (client) => client.pnl({ wallet }).frame(),
      );
    const told = (total: number, came: string) =>
      new AnswerError(`Dataset 569 says that it has ${total} records for this query, but sent ${came}.`);
    expect(await tells('30')).toEqual(told(30, '25 and none behind them'));
    expect(await tells(20)).toEqual(told(20, '25'));
    expect(await tells(0)).toEqual(told(0, '10'));
    expect(await tells(25)).toMatchObject({ shape: [25, 8] });
    const cut = await pagedServer({
      records: 25,
      change: ({ pagination }) => Object.assign(pagination, { total: 25 }),
    });
    const none: string[] = [];
    await connect({ baseUrl: cut.url, pageSize: 10, onWarning: (text) => none.push(text) })
      .pnl({ wallet }, { maxRecords: 12 })
      .frame();
    expect(none).toEqual([]);
  });

  it('changes its data while they are read', async () => {
    const total = await warned({
      records: 25,
      change: (page, { pagination: { offset } }) => Object.assign(page.pagination, { total: offset === 0 ? 24 : 25 }),
    });
    expect(total.warnings).toEqual([
      'Dataset 569 said first that it has 24 records for this query, then 25: its data changed meanwhile. Run the query again.',
    ]);
    const version = await warned({
      records: 45,
      change: ({ headers }, { pagination: { offset } }) =>
        Object.assign(headers, { 'oddslab-data-version': offset < 20 ? '000001' : '000002' }),
    });
    expect(version.warnings).toEqual([
      'Dataset 569 changed from data version 000001 to 000002 between two pages: records may be missing or doubled. ' +
        'Run the query again.',
    ]);
  });

  /** From an offset on, answers begin so many records earlier: as many new ones stand before the others. */
  const grown = (from: number, by: number, versionOf: (offset: number) => string): Paged => ({
    records: 95,
    change: (page, { pagination: { offset } }) => {
      page.headers['oddslab-data-version'] = versionOf(offset);
      if (offset >= from) page.results = page.results.map((_, n) => pnlRecord(offset - by + n, wallet));
    },
  });

  it.each([
    [20, 10],
    [30, 10],
    [30, 30],
    [40, 35],
  ])('changes its data from offset %i on, by %i records before the others', async (from, by) => {
    const { records, warnings } = await warned(grown(from, by, (offset) => (offset < from ? '000001' : '000002')));
    expect(records).toEqual(upTo(95 - by));
    expect(warnings[0]).toContain('changed from data version 000001 to 000002 between two pages');
    expect(warnings[1]).toContain(`repeated ${by} records`);
  });

  it('goes round in circles, and names other data', async () => {
    const told = 'Dataset 569 sent only records that came before at offset';
    const always = await failed(grown(20, 10, String), (client) => client.pnl({ wallet }).frame());
    expect(String(always)).toContain(`${told} 20, yet says that there is more`);
    const circles: Paged['change'] = (page, { pagination: { offset } }) => {
      page.headers['oddslab-data-version'] = offset < 30 ? '000001' : '000002';
      page.results = upTo(10).map((n) => pnlRecord((offset % 30) + n, wallet));
    };
    const once = await failed({ records: 1e6, change: circles }, (client) => client.pnl({ wallet }).frame());
    expect(String(once)).toContain(`${told} 60, yet says that there is more`);
  });
});

it('changes of data between two wallets are told', async () => {
  const [a, b] = [walletOf(1), walletOf(2)];
  const change = ({ headers }: PageSent, { params }: Asked) =>
    Object.assign(headers, { 'oddslab-data-version': params.wallet === a ? '000001' : '000002' });
  const seen = await pagedServer({ records: 3, change });
  const warnings: string[] = [];
  const client = connect({ baseUrl: seen.url, onWarning: (text) => warnings.push(text) });
  const frame = await client.pnl({ wallet: [a, b], granularity: '1w' }).frame();
  expect(warnings).toEqual([
    'Dataset 569 changed from data version 000001 to 000002 between two queries: they are not of one time. Run the query again.',
  ]);
  const [first, second] = provenanceOf(frame);
  expect(first).toEqual({
    service: seen.url,
    dataset: 569,
    params: { granularity: '1w', wallet: a },
    queriedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    records: 3,
    dataVersion: '000001',
  });
  expect(second).toMatchObject({ params: { wallet: b }, records: 3, dataVersion: '000002' });
});

it('our service tells the version of its data', async () => {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const frame = await connect({ baseUrl: await serveFolder(folder) })
    .pnl({ wallet })
    .frame();
  expect(provenanceOf(frame)).toEqual([
    expect.objectContaining({ records: 40, dataVersion: expect.stringMatching(/^000001-[0-9a-f]{8}$/) }),
  ]);
});

it('a list of more than a hundred markets is asked for in parts, whose notes are joined', async () => {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const baseUrl = await serveFolder(folder);
  const warnings: string[] = [];
  const client = connect({ baseUrl, pageSize: 7, onWarning: (text) => warnings.push(text) });
  const known = column(await client.markets().frame(), 'condition_id');
  const strangers = Array.from({ length: 230 }, (_, n) => `0x${'f'.repeat(60)}${String(n).padStart(4, '0')}`);
  const every = [...strangers.slice(0, 120), ...known, ...strangers.slice(120)];
  for (const [ask, incomplete] of [
    [(conditionId: string[]) => client.positions({ wallet: [wallet, walletOf(2)], conditionId }).frame(), 2],
    [(conditionId: string[]) => client.trades({ conditionId }).frame(), 0],
  ] as const) {
    const whole = await ask(known);
    warnings.length = 0;
    const parts = await ask(every);
    expect(whole.shape[0]).toBeGreaterThan(10);
    expect(recordsOf(parts)).toEqual(recordsOf(whole));
    expect(provenanceOf(parts).reduce((sum, { records }) => sum + records, 0)).toBe(whole.shape[0]);
    const unknown = new Set(provenanceOf(parts).flatMap(({ unknown: names = [] }) => names.map(({ value }) => value)));
    expect([...unknown].sort()).toEqual(strangers);
    expect(completenessOf(parts)).toEqual(completenessOf(whole));
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`And ${225 + incomplete} more like these\\.$`))]);
  }
  await client.close();
});

describe('records', () => {
  it('are the same whether numbers come as numbers or as text', async () => {
    const numbers = { invested: 1.5, pnl: -0.25, win_rate: 66.6, trades: '3', wins: '2' };
    const { url } = await faultServer((_, response) => sendPage(response, [pnl(0), pnl(1, numbers)], false));
    const [text, number] = await all(connect({ baseUrl: url }).pnl({ wallet }).records());
    expect(number).toEqual({ ...text, date: day(1) });
    expect(text).toMatchObject({ invested: 1.5, pnl: -0.25, trades: 3 });
  });

  it('accept closed_date for close_date, and empty text for none', async () => {
    const market = { condition_id: '0x1', question: 'q', slug: 's', closed: true, volume_total: '12.5' };
    const { url } = await faultServer((_, response) =>
      sendPage(response, [{ ...market, closed_date: day(3), end_date: '', winning_outcome: '' }], false),
    );
    const [record] = await all(connect({ baseUrl: url }).markets().records());
    expect(record).toMatchObject({
      close_date: expect.stringContaining('2026-01-04T00:00:00'),
      end_date: null,
      volume_total: 12.5,
    });
  });

  it('that lack a field of the key are an error, never dropped as repeats', async () => {
    const { url } = await faultServer((_, response) =>
      sendPage(response, [pnl(0, { date: undefined }), pnl(1, { date: undefined })], false),
    );
    await expect(connect({ baseUrl: url }).pnl({ wallet }).frame()).rejects.toThrow(/date/);
  });

  it('of an unknown dataset have the columns of all their rows', async () => {
    const rows = [
      { a: 1, b: 'x' },
      { a: 2.5, c: true },
      { b: 'y', a: 3 },
    ];
    const { url, asked } = await faultServer((_, response) => sendPage(response, rows, false));
    const frame = await connect({ baseUrl: url }).dataset(999, { any: 5, closed: true }).frame();
    expect(frame.columns).toEqual(['a', 'b', 'c']);
    expect(frame.shape).toEqual([3, 3]);
    expect(asked[0]?.params).toEqual({ any: '5', closed: 'true' });
  });
});

it('asks nothing before a query is run, and each wallet on its own', async () => {
  const { url, asked } = await faultServer(({ params }, response) =>
    sendPage(response, [pnl(0, { proxy_wallet: params.wallet })], false),
  );
  const query = connect({ baseUrl: url }).pnl({ wallet: [walletOf(2), walletOf(1)], granularity: '1w' });
  expect(asked).toEqual([]);
  expect((await all(query.records())).map(({ proxy_wallet }) => proxy_wallet)).toEqual([walletOf(2), walletOf(1)]);
  expect(asked[0]).toEqual({
    agent_id: 569,
    params: { granularity: '1w', wallet: walletOf(2) },
    pagination: { limit: 200, offset: 0 },
    formatter_config: { format_type: 'raw' },
  });
});
