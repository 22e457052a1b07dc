import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { fetchEvent, fetchMarket, type MarketFetch, walletsOf } from '../../src/fetch/market.js';
import { Sources } from '../../src/fetch/sources.js';
import type { Quirks } from '../support/public-source/answers.js';
import type { Fault } from '../support/public-source/faults.js';
import { simulatedRecords } from '../support/public-source/simulated-records.js';
import type { SourceMarket, SourceRecords } from '../support/public-source/source-records.js';
import { startPublicSource } from '../support/public-source/start-public-source.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-market-'));
const PAGES = { mostRecords: 60 };

let records: SourceRecords;
/** The market with most fills that has one pair of tokens and is known to Gamma. */
let market: SourceMarket;

beforeAll(async () => {
  records = await simulatedRecords(folder, { markets: 20, wallets: 30, fills: 3_000, seed: 5 });
  const usual = records.markets.filter(({ hidden, carried }) => hidden === 'nowhere' && !carried);
  const [most] = usual.sort((a, b) => fillsOf([b]).length - fillsOf([a]).length);
  if (!most) throw new Error('the sample has no market');
  market = most;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fillsOf = (markets: readonly SourceMarket[]) =>
  records.rows.filter((row) => row.type === 'TRADE' && row.market !== undefined && markets.includes(row.market));

async function source(faults: readonly Fault[] = [], quirks: Partial<Quirks> = {}) {
  const started = await startPublicSource({ records, faults, quirks: { ...PAGES, ...quirks }, seed: 3 });
  const sources = new Sources({ ...started, rate: Number.POSITIVE_INFINITY, backOffMs: 2 });
  onTestFinished(async () => {
    await sources.close();
    await started.close();
  });
  return { ...started, sources };
}

interface Fill {
  timestamp: number;
  size: number;
  price: number;
  proxy_wallet?: string;
  proxyWallet?: string;
  transaction_hash?: string;
  transactionHash?: string;
}

/** The fills of a fetch, by what both versions say of them. */
function fillsIn({ folder }: Pick<MarketFetch, 'folder'>): string[] {
  const lines = readFileSync(join(folder, 'trades.ndjson'), 'utf8').trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Fill)
    .map((row) =>
      [row.timestamp, row.proxy_wallet ?? row.proxyWallet, row.transaction_hash ?? row.transactionHash, row.size].join(
        ' ',
      ),
    )
    .sort();
}

const truth = (markets: readonly SourceMarket[]) =>
  fillsOf(markets)
    .map(({ time, wallet, tx, shares }) => [time, wallet, tx, shares / 1e6].join(' '))
    .sort();

it('fetches all fills of a market, makers too, by slug, number or condition id, and nothing twice', async () => {
  const { sources, requests } = await source();
  const out = await temporaryFolder();
  const first = await fetchMarket(market.slug, { sources, out });
  expect(fillsIn(first)).toEqual(truth([market]));
  expect(first).toMatchObject({
    slug: market.slug,
    fresh: truth([market]).length,
    folder: join(out, `market-${market.slug}`),
  });
  expect(first.manifest).toMatchObject({ kind: 'market', target: market.slug, complete: true, missing: [], drift: [] });
  expect(await walletsOf(first.folder)).toHaveLength(new Set(fillsOf([market]).map(({ wallet }) => wallet)).size);
  const text = readFileSync(join(first.folder, 'trades.ndjson'), 'utf8');
  expect(text).not.toMatch(/PRIVATE-(?!ICON)|pseudonym|profile_image|"bio"/);

  const before = requests.all.length;
  const again = await fetchMarket(market.condition, { sources, out });
  expect(again.fresh).toBe(0);
  expect(readFileSync(join(first.folder, 'trades.ndjson'), 'utf8')).toBe(text);
  // The next page is asked for while one is looked at.
  expect(requests.all.slice(before).filter(({ path }) => path === '/v2/trades').length).toBeLessThanOrEqual(2);
  const link = `https://polymarket.com/event/${market.event.slug}/${market.slug}?tid=1`;
  for (const named of [market.id, link, `polymarket.com/market/${market.slug}`]) {
    expect((await fetchMarket(named, { sources, out: await temporaryFolder() })).slug, named).toBe(market.slug);
  }
});

it('fetches what is new on a later run, and all markets of an event', async () => {
  const times = fillsOf([market]).map(({ time }) => time);
  const half = times[times.length >> 1] ?? 0;
  const { sources, setNow } = await source();
  const out = await temporaryFolder();
  setNow(half);
  const first = await fetchMarket(market.slug, { sources, out });
  setNow(Math.max(...times) + 1000);
  const state = join(first.folder, 'trades.cursor.json');
  const cursor = JSON.parse(readFileSync(state, 'utf8'));
  // The source's clock is not ours: the first run knows the fills up to its time.
  const { writeFileSync } = await import('node:fs');
  writeFileSync(state, JSON.stringify({ ...cursor, time: half }));
  const second = await fetchMarket(market.slug, { sources, out });
  expect(first.fresh).toBe(times.filter((time) => time <= half).length);
  expect(second.fresh).toBe(times.filter((time) => time > half).length);
  expect(fillsIn(second)).toEqual(truth([market]));

  const event = records.events.find(
    ({ markets }) => markets.length > 1 && markets.every(({ hidden }) => hidden === 'nowhere'),
  );
  if (!event) throw new Error('the sample has no event of several markets');
  const all = await fetchEvent(event.slug, { sources, out });
  expect(fillsIn(all)).toEqual(truth(event.markets));
  expect(all.manifest).toMatchObject({
    kind: 'event',
    complete: true,
    rows: { events: 1, markets: event.markets.length },
  });
  for (const named of [event.markets[0]?.condition ?? '', `https://polymarket.com/event/${event.slug}`]) {
    expect((await fetchEvent(named, { sources, out })).slug, named).toBe(event.slug);
  }
});

it('goes on where it was broken off, at any page, and where a cursor is refused', async () => {
  const whole = await fetchMarket(market.slug, { sources: (await source()).sources, out: await temporaryFolder() });
  for (const pages of [1, 2, 3, 5]) {
    const started = await source();
    const out = await temporaryFolder();
    const get = started.sources.get.bind(started.sources);
    let asked = 0;
    started.sources.get = async (service, path, params) => {
      if (path === '/v2/trades' && asked++ === pages) throw new Error('broken off');
      return get(service, path, params);
    };
    await expect(fetchMarket(market.slug, { sources: started.sources, out })).rejects.toThrow('broken off');
    started.sources.get = get;
    const rest = await fetchMarket(market.slug, { sources: started.sources, out });
    expect(fillsIn(rest)).toEqual(fillsIn(whole));
    expect(rest.manifest.complete).toBe(true);
  }
  // Each walk comes two pages further.
  for (const kind of ['refuse-cursor', 'repeat', 'end-early'] as const) {
    const { sources } = await source([{ kind, on: /v2.trades/, after: 2 }]);
    const fetched = await fetchMarket(market.slug, { sources, out: await temporaryFolder() });
    expect([kind, fetched.manifest.missing, fillsIn(fetched)]).toEqual([kind, [], truth([market])]);
  }
});

it('says what is missing, with dates, where the source caps, repeats or fails', async () => {
  const all = fillsOf([market]);
  const v1: Fault = { kind: 'absent', on: /^\/v2\/trades/ };
  const cases: [Fault[], Partial<Quirks>, RegExp][] = [
    [[v1], { tradesOffset: 100 }, /offset of 100 exceeded/],
    [[v1], { tradesRepeatPast: 120 }, /given before/],
  ];
  for (const [faults, quirks, why] of cases) {
    const { sources } = await source(faults, quirks);
    const { manifest, ...fetched } = await fetchMarket(market.slug, { sources, out: await temporaryFolder() });
    const found = fillsIn(fetched);
    const oldest = Math.min(...found.map((fill) => Number(fill.split(' ')[0])));
    expect(new Set(found).size, why.source).toBe(found.length);
    expect(found.length).toBeLessThan(all.length);
    expect(truth([market])).toEqual(expect.arrayContaining(found));
    expect(manifest.complete).toBe(false);
    expect(manifest.missing[0]).toMatchObject({ what: 'trades', until: new Date(oldest * 1000).toISOString() });
    expect(manifest.missing[0]?.why).toMatch(why);
  }
  const whole = await source([v1]);
  const complete = await fetchMarket(market.slug, { sources: whole.sources, out: await temporaryFolder() });
  expect(complete.manifest.complete).toBe(true);
  expect(fillsIn(complete)).toEqual(truth([market]));
});

it('names what there is not, and counts changed records', async () => {
  const { sources } = await source();
  const out = await temporaryFolder();
  for (const named of ['no-such-market', '0x12', `0x${'0'.repeat(40)}`, `0x${'e'.repeat(64)}`, '99999999']) {
    await expect(fetchMarket(named, { sources, out }), named).rejects.toThrow(UsageError);
    await expect(fetchEvent(named, { sources, out }), named).rejects.toThrow(UsageError);
  }
  await expect(fetchMarket(`0x${'0'.repeat(40)}`, { sources, out })).rejects.toThrow(
    /this has 40\. A wallet is fetched by/,
  );
  const changed = await source([{ kind: 'drift', on: /trades/ }]);
  const { manifest } = await fetchMarket(market.slug, { sources: changed.sources, out });
  expect(manifest.drift.map(({ source: from, field, change }) => [from, field, change])).toEqual([
    ['/v2/trades', 'brandNewField', 'new'],
    ['/v2/trades', 'outcome_index', 'type'],
  ]);
  expect(manifest.drift[0]?.records).toBe(fillsOf([market]).length);
});
