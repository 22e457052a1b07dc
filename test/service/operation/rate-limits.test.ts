import { describe, expect, it } from 'vitest';
import {
  type Allowance,
  allowanceOf,
  QueryRateLimit,
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
    const three = [await limits.take('a'), await limits.take('a'), await limits.take('a')];
    expect(three).toEqual([of(2, 1), of(1, 2), of(0, 1)]);
    const refusal = await (async () => limits.take('a'))().catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      status: 429,
      message: 'This key may make 3 queries at once and 60 a minute: ask again in 1 s.',
      headers: { ...of(0, 1), 'Retry-After': '1' },
    });
    now = 1000;
    expect(await limits.take('a')).toEqual(of(0, 1));
  });
});
