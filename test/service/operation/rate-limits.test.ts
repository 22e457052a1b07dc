import { describe, expect, it } from 'vitest';
import { RateLimits } from '../../../src/service/operation/rate-limits.js';
import fc from '../../support/fast-check.js';

/** Whether a query passes, and how long one that does not is told to wait. */
function taken(limits: RateLimits, holder: string): { passes: boolean; waitSeconds: number } {
  try {
    limits.take(holder);
    return { passes: true, waitSeconds: 0 };
  } catch (error) {
    return {
      passes: false,
      waitSeconds: Number((error as { headers: Record<string, string> }).headers['Retry-After']),
    };
  }
}

describe('rate limits', () => {
  it('let the burst pass, then say how long to wait, and after it let one pass', () => {
    let now = 0;
    const limits = new RateLimits({ perMinute: 60, burst: 3 }, () => now);
    const of = (remaining: number, reset: number) => ({
      'RateLimit-Limit': '3',
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(reset),
    });
    expect([limits.take('a'), limits.take('a'), limits.take('a')]).toEqual([of(2, 1), of(1, 2), of(0, 1)]);
    expect(() => limits.take('a')).toThrow('This key may make 3 queries at once and 60 a minute: ask again in 1 s.');
    expect(limits.take('b')).toEqual(of(2, 1));
    now = 1000;
    expect(limits.take('a')).toEqual(of(0, 1));
    now = 100_000;
    expect(limits.take('a')).toEqual(of(2, 1));
  });

  it('never let more pass in any stretch of time than the burst and what comes in it, and waiting as told helps', () => {
    const params = fc.record({ perMinute: fc.integer({ min: 1, max: 6000 }), burst: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(params, fc.array(fc.nat(5000), { maxLength: 100 }), ({ perMinute, burst }, gaps) => {
        let now = 0;
        const limits = new RateLimits({ perMinute, burst }, () => now);
        const passed: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const first = taken(limits, 'key');
          if (!first.passes) {
            now += first.waitSeconds * 1000;
            expect(taken(limits, 'key').passes).toBe(true);
          }
          passed.push(now);
        }
        for (const [i, from] of passed.entries()) {
          const within = passed.slice(i).map((to, n) => [n + 1, to - from] as const);
          for (const [count, span] of within)
            expect(count).toBeLessThanOrEqual(burst + (span * perMinute) / 60_000 + 1e-6);
        }
      }),
    );
  });

  it('forget nobody who is in debt, however many others come', () => {
    let now = 0;
    const limits = new RateLimits({ perMinute: 1, burst: 1 }, () => now);
    limits.take('debtor');
    for (let n = 0; n < 30_000; n++) {
      now += 1;
      limits.take(`key ${n}`);
    }
    expect(taken(limits, 'debtor').passes).toBe(false);
  });
});
