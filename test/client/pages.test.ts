import { describe, expect, it } from 'vitest';
import { connect } from '../../src/client/connect.js';
import { AnswerError } from '../../src/errors.js';
import { walletOf } from '../support/raw-records.js';
import { serveFolder } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Asked, faultServer, sendPage } from './fault-server.js';

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
    expect(asked.map(({ pagination }) => pagination)).toEqual([0, 2, 4].map((offset) => ({ limit: 100, offset })));
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
    expect(asked).toHaveLength(2);
  });

  it('drops records that overlap the page before, with a warning', async () => {
    const { url } = await faultServer(({ pagination: { offset } }, response) =>
      offset === 0 ? sendPage(response, [pnl(0), pnl(1)], true) : sendPage(response, [pnl(1), pnl(2)], false, offset),
    );
    const warnings: string[] = [];
    const client = connect({ baseUrl: url, onWarning: (text) => warnings.push(text) });
    expect((await all(client.pnl({ wallet }).records())).map(({ date }) => date)).toEqual([0, 1, 2].map(day));
    expect(warnings).toEqual(['Dataset 569 repeated 1 records at offset 2; they were dropped.']);
  });
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
