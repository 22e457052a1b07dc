import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fetchEvent, fetchMarket, type MarketFetch } from '../../src/fetch/market.js';
import { Sources } from '../../src/fetch/sources.js';
import { runHere } from '../support/run-here.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Asked, type Reply, smallSource } from './small-source.js';
import { conditionOf, market } from './small-wallet.js';

const TIME = 1_777_000_000;
const EVENT = { id: '70', slug: 'event-1', markets: [market(1), market(2)] };

/** 25 fills, ten seconds apart, the newest first. */
const FILLS = Array.from({ length: 25 }, (_, at) => fill(at));

function fill(at: number, more: Record<string, unknown> = {}) {
  return { timestamp: TIME - 10 * at, proxy_wallet: `0x${'1'.repeat(40)}`, condition_id: conditionOf(1), at, ...more };
}

type Fill = Record<string, unknown>;

interface Feed {
  fills?: Fill[];
  /** The pages of a walk without `end`, by their cursors; default ten fills each. */
  page?: (asked: Asked) => Reply | undefined;
  /** What the source heeds. */
  heeds?: readonly ('end' | 'order' | 'v1')[];
}

/** A source whose lists of fills behave as they are told. */
async function source({ fills = FILLS, page = () => undefined, heeds = [] }: Feed) {
  const served = await smallSource((asked) => {
    const { path, query } = asked;
    if (path === '/markets/slug/question-1') return { json: market(1) };
    if (path === '/events/slug/event-1') return { json: EVENT };
    if (path === '/markets/keyset') return { json: { markets: query.get('closed') ? EVENT.markets : [] } };
    if (path === '/v2/tokens') return { json: { data: [] } };
    if (path === '/trades' && heeds.includes('v1')) {
      const at = Number(query.get('offset'));
      return { json: fills.slice(at, at + Number(query.get('limit'))) };
    }
    if (path !== '/v2/trades') return { status: 404, json: { error: `no ${path}` } };
    const told = page(asked);
    if (told) return told;
    const end = heeds.includes('end') ? Number(query.get('end') ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    const rows = fills.filter(({ timestamp }) => !(Number(timestamp) > end));
    if (heeds.includes('order') && query.get('sort_direction') === 'ASC') rows.reverse();
    const at = Number(query.get('cursor') ?? 0);
    const size = Math.min(10, Number(query.get('limit')));
    return listed(rows.slice(at, at + size), at + size < rows.length ? String(at + size) : null);
  });
  const { url } = served;
  const sources = new Sources({
    gammaUrl: url,
    dataApiUrl: url,
    clobUrl: url,
    rate: Number.POSITIVE_INFINITY,
    backOffMs: 1,
    retries: 1,
  });
  onTestFinished(() => sources.close());
  return { sources, served };
}

const listed = (data: unknown[], next_cursor: string | null): Reply => ({
  json: { data, pagination: { next_cursor } },
});

/** Ends the list after ten fills, wherever it began. */
const endsAfterTen = ({ query }: Asked, fills = FILLS) =>
  query.has('end') || query.get('limit') === '1' ? undefined : listed(fills.slice(0, 10), null);

function written({ folder }: MarketFetch): number[] {
  const path = join(folder, 'trades.ndjson');
  const text = existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : '';
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line).at);
}

const all = FILLS.map(({ at }) => at);

it('keeps nothing of a list that ignores the market, the event or the order, and says so', async () => {
  const foreign = fill(12, { condition_id: conditionOf(9), event_slug: 'another' });
  const mixed = FILLS.map((each) => (each.at === 12 ? foreign : each));
  const whole = await source({ fills: mixed, heeds: ['order'] });
  const out = await temporaryFolder();
  const fetched = await fetchMarket('question-1', { sources: whole.sources, out });
  // The second page holds another market's fill.
  expect(written(fetched)).toEqual(all.slice(0, 10));
  expect(fetched.manifest).toMatchObject({ complete: false, rows: { trades: 10 } });
  expect(fetched.manifest.missing).toEqual([
    expect.objectContaining({
      what: 'trades',
      until: new Date((TIME - 90) * 1000).toISOString(),
      why: expect.stringMatching(/gave fills of another market: it ignores a parameter/),
    }),
  ]);

  const event = await fetchEvent('event-1', { sources: whole.sources, out });
  expect(written(event)).toEqual(all.slice(0, 10));
  expect(event.manifest.missing[0]?.why).toMatch(/gave fills of another event/);
  // A market of the event that its record does not list yet is named by its fills.
  const later = FILLS.map((each) => ({ ...each, condition_id: conditionOf(each.at % 3), event_slug: 'event-1' }));
  const known = await source({ fills: later, heeds: ['order'] });
  const good = await fetchEvent('event-1', { sources: known.sources, out: await temporaryFolder() });
  expect([written(good), good.manifest.complete, good.isEndUntold]).toEqual([all, true, false]);

  const ascending = await source({ fills: [...FILLS].reverse() });
  const wrong = await fetchMarket('question-1', { sources: ascending.sources, out: await temporaryFolder() });
  expect([written(wrong), wrong.manifest.complete]).toEqual([[], false]);
  // Neither version gives it, and both are named.
  expect(wrong.manifest.missing[0]?.why).toMatch(
    /\/v2\/trades\) gave fills that go forward in time.* Version 1 failed, too: .*\/trades\) answered 404: no \/trades/,
  );
});

it.each([
  ['by the order', ['order'], false],
  ['by version 1', ['v1'], false],
  ['by nothing', [], true],
] as const)('notices a list of 10 of 25 fills %s', async (_, heeds, isEndUntold) => {
  const { sources } = await source({
    heeds,
    page: (asked) => (asked.query.get('limit') === '1000' ? listed(FILLS.slice(0, 10), null) : undefined),
  });
  const fetched = await fetchMarket('question-1', { sources, out: await temporaryFolder() });
  expect([written(fetched), fetched.isEndUntold]).toEqual([all.slice(0, 10), isEndUntold]);
  expect(fetched.manifest.complete).toBe(isEndUntold);
  if (isEndUntold) return;
  expect(fetched.manifest.missing).toEqual([
    {
      what: 'trades',
      from: null,
      until: new Date((TIME - 90) * 1000).toISOString(),
      why: expect.stringMatching(/gave a list that ends before its oldest fill/),
    },
  ]);
  const state = JSON.parse(readFileSync(join(fetched.folder, 'trades.cursor.json'), 'utf8'));
  expect(state).toMatchObject({ ended: false, cursor: null, rows: 10 });
});

it.each([
  ['order', 3, /missing trades to 2026-04-24 03:05: The Data API .* gave a list that ends before its oldest fill/],
  ['end', 0, /^question-1: 25 fills, up to (?!.*\n?.*cannot be told)/],
  ['v1', 3, /missing trades to/],
  [undefined, 0, /says itself that its list ended: whether older ones are missing cannot be told\./],
] as const)('ends with the code for what a source that heeds %s shows', async (heeded, code, says) => {
  const { served } = await source({
    heeds: heeded ? [heeded] : [],
    page: ({ query }) =>
      query.get('limit') === '1000' && !(heeded === 'end' && query.has('end'))
        ? listed(FILLS.slice(0, 10), null)
        : undefined,
  });
  const flags = [
    '--gamma-url',
    served.url,
    '--data-api-url',
    served.url,
    '--clob-url',
    served.url,
    '--rate',
    'unlimited',
  ];
  const out = await temporaryFolder();
  const ran = await runHere(['fetch', 'market', 'question-1', '--no-ingest', '--out', out, ...flags]);
  expect(ran.err).toMatch(says);
  expect(ran.code).toBe(code);
});

it('goes on behind the last fill where a list ends early, or a cursor is refused', async () => {
  const early = await source({ heeds: ['end', 'order'], page: endsAfterTen });
  const fetched = await fetchMarket('question-1', { sources: early.sources, out: await temporaryFolder() });
  expect([written(fetched), fetched.manifest.complete]).toEqual([all, true]);

  for (const status of [400, 403, 410, 422]) {
    const refusing = await source({
      heeds: ['end', 'order'],
      page: ({ query }) => (query.get('cursor') === '10' ? { status, json: { error: 'no such cursor' } } : undefined),
    });
    const rest = await fetchMarket('question-1', { sources: refusing.sources, out: await temporaryFolder() });
    expect([status, written(rest), rest.manifest.complete]).toEqual([status, all, true]);
    const begun = refusing.served.asked.filter(({ query }) => query.get('limit') === '1000' && !query.has('cursor'));
    expect(begun.map(({ query }) => query.get('end'))).toEqual([null, String(TIME - 89), String(TIME - 179)]);
  }
});

it('does not go round in circles', async () => {
  let asked = 0;
  const pages = [FILLS.slice(0, 10), FILLS.slice(10, 20)];
  const { sources } = await source({ page: () => listed(pages[asked % 2] ?? [], `c${++asked}`) });
  const out = await temporaryFolder();
  for (const _ of [1, 2]) {
    asked = 0;
    const fetched = await fetchMarket('question-1', { sources, out });
    expect([written(fetched), fetched.manifest.complete]).toEqual([all.slice(0, 20), false]);
    expect(asked).toBeLessThan(12);
    const state = JSON.parse(readFileSync(join(fetched.folder, 'trades.cursor.json'), 'utf8'));
    expect(state).toMatchObject({ ended: false, cursor: null, rows: 20 });
  }
});

it.each([undefined, null, '', '2026-05-01T00:00:00Z', 1.7e18])(
  'says that a fill has the time %j',
  async (timestamp) => {
    const { sources } = await source({ fills: [fill(0), fill(1, { timestamp })] });
    const { manifest, ...fetched } = await fetchMarket('question-1', { sources, out: await temporaryFolder() });
    expect([written({ ...fetched, manifest }), manifest.complete]).toEqual([[], false]);
    expect(manifest.missing[0]?.why).toMatch(/\/v2\/trades\) gave a record without a timestamp in seconds/);
  },
);
