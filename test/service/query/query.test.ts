import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, serve } from '../../../src/service/serve-folder.js';
import { conditionOf, walletOf } from '../../support/raw-records.js';
import { ask } from '../../support/serve-folder.js';
import { ingestSmall, NEW_YEAR } from '../../support/small-market.js';

let folder: string;
let service: Service;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-query-'));
  await ingestSmall(folder);
  service = await serve({ folder, port: 0, open: true });
  url = service.url;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function slugs(params: object, agent_id = 574): Promise<number[]> {
  const { status, json } = await ask(url, { agent_id, params });
  expect(status).toBe(200);
  return json.data.results.map(({ slug }: { slug: string }) => Number(slug.split('-').at(-1)));
}

describe('markets', () => {
  it('come whole, by volume, on both paths', async () => {
    const { json, headers } = await ask(url, { agent_id: 574, pagination: { limit: 1, offset: 11 } });
    expect(json).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      params: {},
      pagination: { limit: 1, offset: 11, has_more: false },
      data: {
        results: [
          {
            condition_id: conditionOf(1),
            question: 'Will it happen (1)?',
            slug: 'will-it-happen-1',
            event_slug: 'event-1',
            closed: true,
            volume_total: 1000,
            start_date: '2026-01-01T00:00:00.250Z',
            end_date: '2026-02-01T12:00:00Z',
            close_date: '2026-01-20T00:00:00Z',
            side_a_token_id: `${'9'.repeat(70)}0000002`,
            side_b_token_id: `${'9'.repeat(70)}0000003`,
            side_a_outcome: 'Yes',
            side_b_outcome: 'No',
            winning_outcome: 'Yes',
          },
        ],
      },
    });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const short = await ask(url, { agent_id: 574 }, { path: '/query' });
    expect(short.json.data).toEqual((await ask(url, { agent_id: 574 })).json.data);
  });

  it.each<[object, number[]]>([
    [{}, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
    [{ closed: 'True' }, [3, 2, 1]],
    [{ closed: false, min_volume: 11_000 }, [12, 11]],
    [{ closed: 'TRUE' }, [3, 2, 1]],
    [{ closed: '1' }, [3, 2, 1]],
    [{ closed: 1 }, [3, 2, 1]],
    [{ closed: 'FALSE', min_volume: 11_000 }, [12, 11]],
    [{ closed: 0, min_volume: 11_000 }, [12, 11]],
    [{ min_volume: '11000.000001' }, [12]],
    [{ market_slug: 'HAPPEN-1' }, [12, 11, 10, 1]],
    [{ market_slug: '(7)?' }, [7]],
    [{ market_slug: 'event-12' }, [12]],
    [{ market_slug: '%' }, []],
    [{ market_slug: 'will_it' }, []],
    [{ market_slug: 'will-it-happen-7\nevent-7' }, []],
    [{ market_slug: "'; DROP TABLE market_rows; --" }, []],
    [{ event_slug: 'Event-1' }, [1]],
    [{ condition_id: conditionOf(10).toUpperCase().replace('0X', '0x') }, [10]],
    [{ condition_id: 'ALL', closed: 'true' }, [3, 2, 1]],
    [{ end_date_min: '1769947200', end_date_max: '1769947200', closed: 'True' }, [3, 2, 1]],
    [{ end_date_min: '1769947201' }, []],
    [{ end_date_max: '1769947199' }, []],
  ])('%j gives %j', async (params, expected) => expect(await slugs(params)).toEqual(expected));

  it.each<[object, object]>([
    [{ agent_id: '574' }, { agent_id: 574 }],
    [{ agent_id: '574', params: null, pagination: null, formatter_config: null }, { agent_id: 574 }],
    [
      { agent_id: '574', params: { closed: 'TRUE', min_volume: null }, pagination: { limit: 2, offset: null } },
      { agent_id: 574, params: { closed: 'True' }, pagination: { limit: 2 } },
    ],
    [
      { agent_id: '574', params: { closed: 1 }, formatter_config: { format_type: null } },
      { agent_id: 574, params: { closed: 'True' } },
    ],
  ])('%j is the same as %j, to the byte', async (sent, specified) => {
    const [one, other] = [await ask(url, sent), await ask(url, specified)];
    expect([one.status, one.headers.get('etag')]).toEqual([200, other.headers.get('etag')]);
    expect({ ...one.json, timestamp: '' }).toEqual({ ...other.json, timestamp: '' });
  });

  it('are also dataset 555, by state alone', async () => {
    expect(await slugs({ closed: 'True' }, 555)).toEqual([3, 2, 1]);
  });
});

describe('pages', () => {
  it.each([
    [569, { wallet: `${walletOf(2)},${walletOf(1)}` }],
    [574, {}],
    [586, { wallet_address: `${walletOf(2)},${walletOf(1)}` }],
  ])('of dataset %i concatenate to the whole, for any size', async (agent_id, params) => {
    const whole = (await ask(url, { agent_id, params, pagination: { limit: 1000 } })).json.data.results;
    for (const limit of [1, 2, 3, 7, whole.length - 1, whole.length, whole.length + 1].filter((n) => n > 0)) {
      const records = [];
      for (let offset = 0, more = true; more; offset += limit) {
        const { json } = await ask(url, { agent_id, params, pagination: { limit, offset } });
        expect(json.pagination).toEqual({ limit, offset, has_more: offset + limit < whole.length });
        records.push(...json.data.results);
        more = json.pagination.has_more;
      }
      expect(records).toEqual(whole);
    }
  });

  it('past the end are empty, however far', async () => {
    for (const offset of [12, 1000, Number.MAX_SAFE_INTEGER]) {
      const { json } = await ask(url, { agent_id: 574, pagination: { offset } });
      expect([json.pagination, json.data.results]).toEqual([{ limit: 200, offset, has_more: false }, []]);
    }
  });
});

describe('profit and loss', () => {
  async function rows(params: object) {
    const { json } = await ask(url, { agent_id: 569, params: { wallet: walletOf(1), ...params } });
    return json.data.results;
  }

  it('of a day is the ledger’s', async () => {
    expect((await rows({ end_time: '2026-01-01' }))[0]).toEqual({
      date: '2026-01-01T00:00:00Z',
      proxy_wallet: walletOf(1),
      invested: '4',
      pnl: '0.4',
      trades: 2,
      wins: 1,
      losses: 0,
      win_rate: '100',
    });
  });

  it.each<[object, string[]]>([
    [{ granularity: 'all' }, ['2026-01-01']],
    [{ granularity: '1m' }, ['2026-01-01', '2026-02-01']],
    [{ granularity: '1w', end_time: '2026-01-12' }, ['2025-12-29', '2026-01-05', '2026-01-12']],
    [{ granularity: '1w', start_time: '2026-01-07', end_time: '2026-01-12' }, ['2026-01-05', '2026-01-12']],
    [{ granularity: '1m', start_time: '2026-01-07', end_time: '2026-01-12' }, ['2026-01-01']],
    [{ granularity: '3d', end_time: '2026-01-07' }, ['2026-01-01', '2026-01-04', '2026-01-07']],
    [{ granularity: '3d', start_time: '2026-01-02', end_time: '2026-01-07' }, ['2026-01-02', '2026-01-05']],
    [{ start_time: '2027-01-01' }, []],
    [{ condition_id: conditionOf(12) }, ['2026-01-12', '2026-01-24', '2026-02-05']],
  ])('%j has buckets at %j', async (params, dates) => {
    expect((await rows(params)).map(({ date }: { date: string }) => date.slice(0, 10))).toEqual(dates);
  });

  it('of a first week or month that began before start_time counts the days from then on alone', async () => {
    const sum = (records: { trades: number }[]) => records.reduce((total, { trades }) => total + trades, 0);
    for (const granularity of ['1w', '1m']) {
      const range = { start_time: '2026-01-07', end_time: '2026-01-11' };
      const [first, ...others] = await rows({ ...range, granularity });
      expect([first.date < '2026-01-07', first.trades, others]).toEqual([true, sum(await rows(range)), []]);
    }
  });

  it('adds up to the lifetime, whatever the bucket or market', async () => {
    const { json } = await ask(url, {
      agent_id: 586,
      params: { wallet_address: walletOf(1).toUpperCase().replace('0X', '0x') },
    });
    const [life] = json.data.results;
    const sum = (list: Record<string, string>[], field: string) =>
      Number(list.reduce((total, row) => total + Number(row[field]), 0).toFixed(6));
    const lists = await Promise.all(['1d', '3d', '1w', '1m', 'all'].map((granularity) => rows({ granularity })));
    const markets = Array.from({ length: 12 }, (_, n) => rows({ condition_id: conditionOf(n + 1) }));
    for (const list of [...lists, (await Promise.all(markets)).flat()]) {
      expect([sum(list, 'pnl'), sum(list, 'invested'), sum(list, 'trades')]).toEqual([
        Number(life.total_pnl),
        Number(life.total_invested),
        life.total_trades,
      ]);
    }
    expect(life.last_updated).toBe(new Date((NEW_YEAR + 39 * 86_400 + 60) * 1000).toISOString().replace('.000', ''));
  });

  it('answers many at once as one by one', async () => {
    const bodies = Array.from({ length: 40 }, (_, n) => ({
      agent_id: 569,
      params: { wallet: walletOf((n % 3) + 1), granularity: ['1d', '1w', '1m', 'all'][n % 4] },
    }));
    const alone = [];
    for (const body of bodies) alone.push((await ask(url, body)).json.data);
    const together = await Promise.all(bodies.map((body) => ask(url, body)));
    expect(together.map(({ json }) => json.data)).toEqual(alone);
  });
});

describe('how complete the records of wallets are', () => {
  it('stands between pagination and data, for each wallet that the query names, in its order', async () => {
    const [one, two, stranger] = [walletOf(1), walletOf(2), walletOf(77)];
    const queries = [
      { agent_id: 569, params: { wallet: `${stranger},${two},${one}`, granularity: '1w' } },
      { agent_id: 586, params: { wallet_address: `${stranger},${two},${one}` }, pagination: { limit: 1, offset: 1 } },
    ];
    for (const query of queries) {
      const { json, headers } = await ask(url, query);
      expect(Object.keys(json)).toEqual(['timestamp', 'params', 'pagination', 'completeness', 'data']);
      expect(Object.keys(json.completeness)).toEqual([stranger, two, one]);
      expect(json.completeness).toEqual({
        [stranger]: { seen: false },
        [two]: expect.objectContaining({ seen: true, first: '2026-01-01T00:00:05Z', last: '2026-02-09T00:00:05Z' }),
        [one]: expect.objectContaining({ seen: true, first: '2026-01-01T00:00:00Z', last: '2026-02-09T00:01:00Z' }),
      });
      for (const headersSent of [{}, { 'Accept-Encoding': 'gzip' }, { 'X-Odd': 'ü' }]) {
        const again = await ask(url, query, { headers: headersSent });
        expect([again.json.completeness, again.headers.get('etag')]).toEqual([json.completeness, headers.get('etag')]);
      }
      const same = await ask(url, query, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
      expect(same.status).toBe(304);
    }
  });

  it('is not said of markets', async () => {
    for (const agent_id of [574, 555]) expect((await ask(url, { agent_id })).json).not.toHaveProperty('completeness');
  });
});
