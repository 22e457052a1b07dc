import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { writeRawTruth } from '../support/public-source/raw-truth.js';
import { simulatedRecords } from '../support/public-source/simulated-records.js';
import { pairsOf, type SourceRecords } from '../support/public-source/source-records.js';
import { type PublicSourceOptions, startPublicSource } from '../support/public-source/start-public-source.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let records: SourceRecords;
const folder = mkdtempSync(join(tmpdir(), 'oddslab-source-'));

beforeAll(async () => {
  records = await simulatedRecords(folder, { markets: 260, wallets: 30, fills: 9_000, seed: 5 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function started(options: Partial<PublicSourceOptions> = {}) {
  const source = await startPublicSource({ records, ...options });
  onTestFinished(() => source.close());
  return source;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what came without telling its shape first.
async function get(url: string): Promise<{ status: number; json: any; headers: Headers }> {
  const answer = await fetch(url);
  return { status: answer.status, json: await answer.json(), headers: answer.headers };
}

function busiest(): string {
  return [...records.byWallet].sort((a, b) => b[1].length - a[1].length)[0]?.[0] ?? '';
}

function sentBy(user: string): string[] {
  const kept = (records.byWallet.get(user) ?? []).filter(
    ({ type }) => !['DEPOSIT', 'WITHDRAWAL', 'TIP'].includes(type),
  );
  return kept.map(({ tx, time, shares }) => `${tx} ${time} ${shares / 1e6}`);
}

describe('Gamma', () => {
  async function walk(url: string, param: string) {
    const pages: string[][] = [];
    let cursor = '';
    for (let more = true; more && pages.length < 9; ) {
      const { json } = await get(`${url}&limit=100${cursor && `&${param}=${cursor}`}`);
      pages.push(json.markets.map(({ id }: { id: string }) => id));
      cursor = json.next_cursor;
      more = cursor !== undefined;
    }
    return pages;
  }

  test('after_cursor walks to the end, cursor and next_cursor give page 1 for ever', async () => {
    const { gammaUrl } = await started();
    const pages = await walk(`${gammaUrl}/markets/keyset?closed=true`, 'after_cursor');
    const closed = records.markets.filter(({ hidden, closedAt }) => hidden === 'nowhere' && closedAt > 0);
    expect(pages.flat()).toEqual(closed.map(({ id }) => id));
    for (const param of ['cursor', 'next_cursor']) {
      const [first, ...others] = await walk(`${gammaUrl}/markets/keyset?closed=true`, param);
      expect(others).toHaveLength(8);
      for (const page of others) expect(page).toEqual(first);
    }
  });

  test('a cursor is bound to its filters, and offsets are refused', async () => {
    const { gammaUrl } = await started();
    const { json } = await get(`${gammaUrl}/markets/keyset?closed=true&limit=10`);
    expect(await get(`${gammaUrl}/markets/keyset?closed=false&after_cursor=${json.next_cursor}`)).toMatchObject({
      status: 400,
    });
    expect(await get(`${gammaUrl}/markets/keyset?offset=10`)).toMatchObject({ status: 422 });
    expect(await get(`${gammaUrl}/markets/keyset?limit=101`)).toMatchObject({ status: 422 });
    const far = await get(`${gammaUrl}/markets?offset=2001`);
    expect(far).toMatchObject({ status: 422, json: { error: expect.stringContaining('offset too large') } });
  });

  test('a look-up by condition drops closed markets unless it asks for them', async () => {
    const { gammaUrl } = await started();
    const closed = records.markets.find(({ hidden, closedAt }) => hidden === 'nowhere' && closedAt > 0);
    const query = `condition_ids=${closed?.condition}`;
    expect((await get(`${gammaUrl}/markets?${query}`)).json).toEqual([]);
    expect((await get(`${gammaUrl}/markets?${query}&closed=true`)).json).toMatchObject([{ id: closed?.id }]);
    expect((await get(`${gammaUrl}/markets/slug/${closed?.slug}`)).json).toMatchObject({
      id: closed?.id,
      closed: true,
    });
    expect((await get(`${gammaUrl}/events?slug=${closed?.event.slug}`)).json).toMatchObject([{ id: closed?.event.id }]);
    expect((await get(`${gammaUrl}/events/slug/none`)).status).toBe(404);
  });

  test('addresses above 8 KB are refused', async () => {
    const { gammaUrl } = await started();
    const ids = (count: number) =>
      records.markets
        .slice(0, count)
        .map(({ condition }) => `condition_ids=${condition}`)
        .join('&');
    expect((await get(`${gammaUrl}/markets/keyset?closed=true&${ids(90)}`)).status).toBe(200);
    expect((await get(`${gammaUrl}/markets/keyset?closed=true&${ids(110)}`)).status).toBe(414);
  });

  test('records: Protocol V2, lists as text, unsettled looks, fees, tags', async () => {
    const { gammaUrl } = await started();
    const shown = async (id = '') => (await get(`${gammaUrl}/markets/${id}`)).json;
    const v2 = await shown(records.markets.find(({ protocol, hidden }) => protocol === 2 && hidden === 'nowhere')?.id);
    expect(v2).toMatchObject({ clobTokenIds: null, positionIds: [expect.any(String), expect.any(String)] });
    expect(v2.conditionId).toMatch(/^0x02[0-9a-f]{60}$/);
    const odd = records.markets.find(({ looksUnsettled, hidden }) => looksUnsettled && hidden === 'nowhere');
    expect(await shown(odd?.id)).toMatchObject({ closed: true, outcomePrices: '["0.58","0.42"]' });
    const paying = records.markets.find(({ fee, hidden }) => fee && hidden === 'nowhere');
    expect((await shown(paying?.id)).feeSchedule).toEqual({ ...paying?.fee, takerOnly: true, rebateRate: 0.2 });
    const event = (await get(`${gammaUrl}/events/${paying?.event.id}`)).json;
    expect(event.tags.map(({ label }: { label: string }) => label)).toContain(paying?.event.category);
  });
});

describe('Data API v2', () => {
  async function walk(url: string) {
    const pages: Record<string, unknown>[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { json } = await get(`${url}${cursor && `&cursor=${cursor}`}`);
      pages.push(json.data);
      cursor = json.pagination.next_cursor;
    }
    return pages;
  }
  const told = (rows: Record<string, unknown>[]) =>
    rows.map(({ transaction_hash, timestamp, size }) => `${transaction_hash} ${timestamp} ${Number(size)}`);

  test('activity: every row once, though pages are short; transfers and tips only on demand', async () => {
    const { dataApiUrl } = await started();
    const user = busiest();
    const pages = await walk(`${dataApiUrl}/v2/activity?user=${user}&start=1&sort_direction=ASC&limit=100`);
    expect(told(pages.flat())).toEqual(sentBy(user));
    expect(Math.min(...pages.slice(0, -1).map(({ length }) => length))).toBeLessThan(100);
    const types = new Set(pages.flat().map(({ type }) => type));
    for (const type of ['DEPOSIT', 'WITHDRAWAL', 'TIP']) expect(types).not.toContain(type);
    const all = await get(
      `${dataApiUrl}/v2/activity?user=${user}&start=1&exclude_deposits_withdrawals=false&type=DEPOSIT,TIP`,
    );
    expect(all.json.data.map(({ type }: { type: string }) => type)).toEqual(['TIP', 'DEPOSIT']);
    expect(new Set(pages.flat().map(({ size }) => typeof size))).toEqual(new Set(['number', 'string']));
  });

  test('trades: makers only where they are asked for', async () => {
    const { dataApiUrl } = await started();
    const market = records.markets.find(({ hidden, carried }) => hidden === 'nowhere' && !carried);
    const rows = records.byMarket.get(market?.condition ?? '')?.filter(({ type }) => type === 'TRADE') ?? [];
    const url = `${dataApiUrl}/v2/trades?condition=${market?.condition}&limit=1000`;
    expect(await walk(url).then((pages) => pages.flat())).toHaveLength(rows.filter(({ taker }) => taker).length);
    expect(told((await walk(`${url}&taker_only=false`)).flat())).toHaveLength(rows.length);
  });

  test('offsets, strange cursors and long lists are refused', async () => {
    const { dataApiUrl } = await started();
    const user = busiest();
    for (const query of [
      'offset=0',
      'cursor=abc',
      'limit=1001',
      'sort_direction=UP',
      'condition=0x12',
      'type=TRADE&type=SPLIT',
    ]) {
      expect(await get(`${dataApiUrl}/v2/activity?user=${user}&${query}`)).toMatchObject({ status: 400 });
    }
    const ids = (count: number) =>
      records.markets
        .slice(0, count)
        .map(({ condition }) => condition)
        .join(',');
    expect((await get(`${dataApiUrl}/v2/resolutions?condition=${ids(21)}`)).status).toBe(400);
    expect((await get(`${dataApiUrl}/v2/tokens?condition=${ids(11)}`)).status).toBe(400);
  });

  test('tokens tell siblings of a structure, and both pairs of a market that was carried over', async () => {
    const { dataApiUrl } = await started();
    const event = records.events.find(
      ({ negRiskId, markets }) => negRiskId && markets.every(({ hidden }) => hidden !== 'everywhere'),
    );
    const siblings = (await get(`${dataApiUrl}/v2/tokens?condition=${event?.negRiskId}`)).json.data;
    expect(new Set(siblings.map((row: { condition_id: string }) => row.condition_id))).toEqual(
      new Set(event?.markets.map(({ condition }) => condition)),
    );
    const carried = records.markets.find((market) => market.carried);
    const family = (await get(`${dataApiUrl}/v2/tokens?condition=${carried?.condition}`)).json.data;
    expect(family.map((row: { token_id: string }) => row.token_id)).toEqual(
      carried && pairsOf(carried).flatMap(({ tokens }) => tokens),
    );
  });

  test('resolutions settle what Gamma shows unsettled', async () => {
    const { dataApiUrl } = await started();
    const odd = records.markets.find(({ looksUnsettled }) => looksUnsettled);
    const { json } = await get(`${dataApiUrl}/v2/resolutions?condition=${odd?.condition}`);
    expect(json.data).toMatchObject([
      { condition_id: odd?.condition, payouts: odd?.payouts, resolved_at: odd?.closedAt },
    ]);
  });
});

describe('Data API v1', () => {
  test('offsets end, the start is missing unless it is named, and trades may repeat', async () => {
    const { dataApiUrl } = await started({
      quirks: { activityOffset: 100, tradesOffset: 300, tradesRepeatPast: 50, unstartedDays: 400 },
    });
    const user = busiest();
    const refusal = await get(`${dataApiUrl}/activity?user=${user}&offset=101`);
    expect(refusal).toMatchObject({ status: 400, json: { error: expect.stringContaining('offset') } });
    const first = async (query: string) =>
      (await get(`${dataApiUrl}/activity?user=${user}&sortDirection=ASC&limit=1${query}`)).json[0].timestamp;
    expect(await first('')).toBeGreaterThan(await first('&start=1'));
    const trades = async (offset: number) => (await get(`${dataApiUrl}/trades?limit=10&offset=${offset}`)).json;
    expect(await trades(60)).toEqual(await trades(50));
    expect(await trades(40)).not.toEqual(await trades(50));
  });

  test('the wallet figures of both versions agree', async () => {
    const { dataApiUrl } = await started();
    const user = busiest();
    const [board, stats, traded] = await Promise.all([
      get(`${dataApiUrl}/v1/leaderboard?user=${user}`),
      get(`${dataApiUrl}/v2/user-stats?user=${user}`),
      get(`${dataApiUrl}/traded?user=${user}`),
    ]);
    expect(board.json[0].pnl).toBeCloseTo(stats.json.data.all_time_pnl.realized_market_pnl, 6);
    expect(traded.json.traded).toBe(stats.json.data.trades);
  });
});

test('the CLOB pages by base64 of an offset, and knows winners', async () => {
  const { clobUrl } = await started();
  const first = await get(`${clobUrl}/markets`);
  expect(first.json).toMatchObject({ next_cursor: 'LTE=', count: records.markets.length });
  const hidden = records.markets.find(({ hidden, payouts }) => hidden === 'from Gamma' && payouts?.[0] === 1_000_000);
  const market = await get(`${clobUrl}/markets/${hidden?.condition}`);
  expect(market.json.tokens).toMatchObject([{ winner: true }, { winner: false }]);
  const byToken = await get(`${clobUrl}/markets-by-token/${hidden?.tokens[1]}`);
  expect(byToken.json).toMatchObject({ condition_id: hidden?.condition, primary_token_id: hidden?.tokens[0] });
});

describe('faults', () => {
  test('passing ones end after two in a row; Retry-After is there where it is named', async () => {
    const { clobUrl, requests } = await started({ faults: [{ kind: 'retry-after', share: 1 }] });
    const answers = [];
    for (let at = 0; at < 3; at++) answers.push(await get(`${clobUrl}/markets`));
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(answers[0]?.headers.get('retry-after')).toBe('1');
    expect(requests.of('/markets').map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  test.each(['cut', 'reset'] as const)('%s: no whole body comes', async (kind) => {
    const { clobUrl } = await started({ faults: [{ kind, share: 1 }] });
    await expect(get(`${clobUrl}/markets`)).rejects.toThrow();
  });

  test('a page may repeat, its cursor be refused, or its list end early', async () => {
    const { dataApiUrl, setFaults } = await started({ faults: [{ kind: 'repeat', after: 1 }] });
    const url = `${dataApiUrl}/v2/activity?user=${busiest()}&start=1&limit=20`;
    const first = (await get(url)).json;
    const second = (await get(`${url}&cursor=${first.pagination.next_cursor}`)).json;
    expect(second.data).toEqual(first.data);
    expect(second.pagination.next_cursor).not.toBe(first.pagination.next_cursor);
    setFaults([{ kind: 'refuse-cursor' }]);
    expect((await get(url)).status).toBe(200);
    expect((await get(`${url}&cursor=${first.pagination.next_cursor}`)).status).toBe(400);
    setFaults([{ kind: 'end-early' }]);
    expect((await get(url)).json.pagination.has_more).toBe(true);
    expect((await get(`${url}&cursor=${first.pagination.next_cursor}`)).json.pagination.has_more).toBe(false);
    setFaults([{ kind: 'unended' }]);
    expect((await get(url)).json.pagination).toMatchObject({ has_more: true, next_cursor: null });
  });

  test('records drift, and paths may be absent', async () => {
    const { dataApiUrl } = await started({ faults: [{ kind: 'drift' }, { kind: 'absent', on: /^\/v2\/trades/ }] });
    const { json } = await get(`${dataApiUrl}/v2/activity?user=${busiest()}&start=1`);
    expect(json.data[0]).toMatchObject({ brandNewField: { since: 2026 }, outcome_index: expect.any(String) });
    expect((await get(`${dataApiUrl}/v2/trades`)).status).toBe(404);
  });
});

test('the raw truth is ingested whole, conversions included', async () => {
  const [folder, data] = [await temporaryFolder(), await temporaryFolder()];
  const result = await ingest({ folder: data, inputs: await writeRawTruth(folder, records) });
  expect(records.rows.filter(({ type }) => type === 'CONVERSION').length).toBeGreaterThan(5);
  const [markets, rows] = result.reports;
  expect(markets).toMatchObject({ rows: records.markets.length, kept: records.markets.length });
  expect(Object.keys(rows?.skipped ?? {}).filter((reason) => !reason.includes('income'))).toEqual([]);
  expect(result.version.manifest).toMatchObject({ totals: { wallets: 30, untracked_shares: 0 } });
});
