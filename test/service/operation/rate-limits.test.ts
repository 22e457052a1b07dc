import { describe, expect, it } from 'vitest';
import { ratesOf } from '../../../src/service/app.js';
import {
  type Allowance,
  allowanceOf,
  QueryRateLimit,
  QueryRateLimits,
  TokenBuckets,
} from '../../../src/service/operation/token-buckets.js';
import fc from '../../support/fast-check.js';

describe('token buckets', () => {
  it('let the burst pass, then say how long to wait, and after it let one pass', () => {
    let now = 0;
    const buckets = new TokenBuckets({ burst: 3, refillMs: 100 }, () => now);
    const of = (isAllowed: boolean, left: number, nextMs: number, fullMs: number) => ({
      isAllowed,
      left,
      nextMs,
      fullMs,
    });
    const three = [of(true, 2, 0, 100), of(true, 1, 0, 200), of(true, 0, 100, 300)];
    expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual(three);
    expect([buckets.take('a'), buckets.take('b')]).toEqual([of(false, 0, 100, 300), of(true, 2, 0, 100)]);
    now = 100;
    expect(buckets.take('a')).toEqual(of(true, 0, 100, 300));
    now = 100_000;
    expect(buckets.take('a')).toEqual(of(true, 2, 0, 100));
  });

  it('never let more pass in any stretch of time than the burst and what comes in it, and waiting as told helps', () => {
    const rates = fc.record({ perMinute: fc.integer({ min: 1, max: 6000 }), burst: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(rates, fc.array(fc.nat(5000), { maxLength: 100 }), (rate, gaps) => {
        const { burst, refillMs }: Allowance = allowanceOf(rate);
        let now = 0;
        const buckets = new TokenBuckets({ burst, refillMs }, () => now);
        const passed: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const first = buckets.take('key');
          if (!first.isAllowed) {
            now += first.nextMs;
            expect(buckets.take('key').isAllowed).toBe(true);
          }
          passed.push(now);
        }
        for (const [i, from] of passed.entries()) {
          const within = passed.slice(i).map((to, n) => [n + 1, to - from] as const);
          for (const [count, span] of within) expect(count).toBeLessThanOrEqual(burst + span / refillMs + 1e-6);
        }
      }),
    );
  });

  it('forget nobody who is in debt, however many others come', () => {
    let now = 0;
    const buckets = new TokenBuckets({ burst: 1, refillMs: 60_000 }, () => now);
    buckets.take('debtor');
    for (let n = 0; n < 30_000; n++) {
      now += 1;
      buckets.take(`key ${n}`);
    }
    expect(buckets.take('debtor').isAllowed).toBe(false);
  });
});

describe('rate limits', () => {
  it('tell what is left and when more comes by headers, and refuse with them', async () => {
    let now = 0;
    const rate = { perMinute: 60, burst: 3 };
    const limits = new QueryRateLimit(rate, new TokenBuckets(allowanceOf(rate), () => now));
    const of = (remaining: number, reset: number) => ({
      'RateLimit-Limit': '3',
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(reset),
    });
    const three = [await limits.take({ id: 'a' }), await limits.take({ id: 'a' }), await limits.take({ id: 'a' })];
    expect(three).toEqual([of(2, 1), of(1, 2), of(0, 1)]);
    const refusal = await (async () => limits.take({ id: 'a' }))().catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      status: 429,
      message: 'This key may make 3 queries at once and 60 a minute: ask again in 1 s.',
      headers: { ...of(0, 1), 'Retry-After': '1' },
    });
    now = 1000;
    expect(await limits.take({ id: 'a' })).toEqual(of(0, 1));
  });

  it('of who asks and of the network hold both, and who has none left takes none of the network', async () => {
    const [holder, network] = [
      { perMinute: 1, burst: 2 },
      { perMinute: 1, burst: 3 },
    ];
    const limits = new QueryRateLimits(new QueryRateLimit(holder), new QueryRateLimit(network));
    const ask = async (owner: string, from: string) => {
      const told = await (async () => limits.take({ owner }, from))().catch(({ headers }) => headers);
      return [told['RateLimit-Limit'], told['RateLimit-Remaining'], 'Retry-After' in told];
    };
    const own = [await ask('a', 'home'), await ask('a', 'home'), await ask('a', 'home'), await ask('a', 'home')];
    expect(own).toEqual([
      ['2', '1', false],
      ['2', '0', false],
      ['2', '0', true],
      ['2', '0', true],
    ]);
    expect(await ask('b', 'home')).toEqual(['2', '1', false]);
    expect(await ask('b', 'home')).toEqual(['3', '0', true]);
    expect(await ask('c', 'home')).toEqual(['3', '0', true]);
    expect(await ask('c', 'away')).toEqual(['2', '0', false]);
    const alone = new QueryRateLimits(undefined, new QueryRateLimit(network));
    expect(await alone.take({ id: 'a' }, 'home')).toMatchObject({ 'RateLimit-Limit': '3' });
    expect(await new QueryRateLimits(undefined, undefined).take({ id: 'a' }, 'home')).toEqual({});
  });

  it.each<[string, number | undefined, number | undefined, number, number, string?]>([
    ['127.0.0.1', undefined, undefined, 0, 0],
    // A proxy gives it to others.
    ['127.0.0.1', undefined, undefined, 1200, 6000, 'https://odds.example'],
    ['127.0.0.1', undefined, undefined, 0, 0, 'http://localhost:8787'],
    ['127.0.0.1', 60, undefined, 60, 300],
    ['127.0.0.1', undefined, 60, 0, 60],
    ['0.0.0.0', undefined, undefined, 1200, 6000],
    ['0.0.0.0', 0, undefined, 0, 0],
    ['0.0.0.0', 60, 0, 60, 0],
  ])(
    'on %s, set to %s and for a network to %s, are %s and %s',
    (host, rate, ofNetwork, expected, network, baseUrl?: string) => {
      const rates = ratesOf({ host, baseUrl, ratePerMinute: rate, networkRatePerMinute: ofNetwork });
      expect(rates).toEqual({ ratePerMinute: expected, networkRatePerMinute: network });
    },
  );
});
