import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MARKETS } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { AnswerCache, answer } from '../../../src/service/query/answer.js';
import { answerBody } from '../../../src/service/query/query-route.js';
import { canonicalRequest, type QueryRequest, readRequest } from '../../../src/service/query/read-request.js';
import type { RecordPage, Store } from '../../../src/service/store/store.js';

const pageOf = (bytes: number): RecordPage => ({ results: Buffer.alloc(bytes), has_more: false });

describe('the cache of answers', () => {
  it('lets those go first that were not asked for longest, by their bytes', () => {
    const cache = new AnswerCache(40_000);
    const pages = Array.from({ length: 30 }, () => pageOf(1500));
    for (const [i, page] of pages.entries()) {
      cache.put(String(i), pageOf(1));
      expect(cache.get(String(i))).toBeUndefined();
      cache.put(String(i), page);
      cache.get('0');
    }
    const kept = pages.flatMap((page, i) => (cache.get(String(i)) === page ? [i] : []));
    expect(kept).toEqual([0, ...Array.from({ length: 18 }, (_, i) => 12 + i)]);
  });

  it('counts all that is made of a page: the whole answer, its compressed forms, keys and headers', async () => {
    const request = readRequest({ agent_id: 574 });
    const cache = new AnswerCache(1 << 20);
    const results = Buffer.from(`["${randomBytes(6000).toString('hex')}"]`);
    const put = () => cache.put(request.canonical, { results, has_more: false, window: '{}' });
    put();
    const page = put();
    const alone = cache.bytes;
    expect(alone).toBeGreaterThanOrEqual(results.length + 2 * request.canonical.length);
    const whole = (await answerBody(request, page, undefined)).bytes.length;
    expect(cache.bytes).toBeGreaterThanOrEqual(alone + whole);
    let before = cache.bytes;
    for (const accepted of ['gzip', 'br', 'gzip, br', 'identity']) {
      const { bytes, encoding } = await answerBody(request, page, accepted);
      expect(cache.bytes - before).toBeGreaterThanOrEqual((encoding ? bytes.length : 0) + 2 * accepted.length);
      before = cache.bytes;
    }
    // No more than these are kept, and none by a header of any length.
    await answerBody(request, page, 'br;q=0.5');
    expect(cache.bytes).toBe(before);
    expect(before).toBeLessThan(alone + 3 * whole + 4096);
  });

  it('lets the oldest go where forms of others take their room', async () => {
    const cache = new AnswerCache(100_000);
    const requests = Array.from({ length: 8 }, (_, n) => readRequest({ agent_id: 574, pagination: { limit: n + 1 } }));
    const pages = requests.map(({ canonical }) => {
      cache.put(canonical, pageOf(1));
      return cache.put(canonical, { results: randomBytes(5000), has_more: false });
    });
    expect(requests.filter(({ canonical }) => cache.get(canonical))).toHaveLength(8);
    for (const [at, page] of pages.entries()) {
      for (const accepted of ['gzip', 'br']) await answerBody(requests[at] as QueryRequest, page, accepted);
      expect(cache.bytes).toBeLessThanOrEqual(100_000);
    }
    const kept = requests.map(({ canonical }) => cache.get(canonical) !== undefined);
    expect([kept[0], kept.at(-1)]).toEqual([false, true]);
  });

  it('keeps none that would take much of the room', () => {
    const cache = new AnswerCache(16_000);
    cache.put('large', pageOf(1000));
    cache.put('large', pageOf(1000));
    expect(cache.get('large')).toBeUndefined();
  });

  it('gives the very same page of a store from the second time on, and asks another store itself', async () => {
    let asked = 0;
    const store = (): Store => ({
      markets: async () => [],
      walletDays: async () => [],
      lifetimes: async () => [],
      groupDays: async () => [],
      names: async () => [],
      positions: async () => [],
      marketSides: async () => [],
      leaderboard: async () => [],
      leaderboardWindow: async () => undefined,
      walletRecords: async () => [],
      fills: async () => [],
      candles: async () => undefined,
      page: () => pageOf(++asked),
      close() {},
    });
    const one = store();
    await answer(one, MARKETS, { closed: true }, { limit: 1, offset: 0 });
    const first = await answer(one, MARKETS, { closed: true }, { limit: 1, offset: 0 });
    expect(await answer(one, MARKETS, { closed: true }, { limit: 1, offset: 0 })).toBe(first);
    await answer(one, MARKETS, { closed: true }, { limit: 2, offset: 0 });
    await answer(store(), MARKETS, { closed: true }, { limit: 1, offset: 0 });
    expect(asked).toBe(4);
  });
});

it('requests differ in their canonical text where they differ in meaning', () => {
  const slice = { limit: 1, offset: 0 };
  const texts = [
    canonicalRequest(MARKETS, {}, slice),
    canonicalRequest(MARKETS, {}, { limit: 10, offset: 0 }),
    canonicalRequest(MARKETS, {}, { limit: 1, offset: 1 }),
    canonicalRequest(MARKETS, { closed: true }, slice),
    canonicalRequest(MARKETS, { closed: false }, slice),
    canonicalRequest(MARKETS, { market_slug: 'true' }, slice),
    canonicalRequest(MARKETS, { market_slug: 'a" event_slug="b' }, slice),
    canonicalRequest(MARKETS, { market_slug: 'a', event_slug: 'b' }, slice),
    canonicalRequest(MARKETS, { min_volume: 5n }, slice),
    canonicalRequest(PNL, { wallet: ['0x1', '0x2'], granularity: '1d' }, slice),
    canonicalRequest(PNL, { wallet: ['0x2', '0x1'], granularity: '1d' }, slice),
  ];
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts[9]).toBe('569 1 0 wallet="0x1,0x2" granularity="1d"');
});
