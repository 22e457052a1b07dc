import { describe, expect, it } from 'vitest';
import { bucketStart, dateOfDay, dayOfDate, GRANULARITIES, type Granularity } from '../../src/contract/time.js';
import fc from '../support/fast-check.js';

function startOf(granularity: Granularity, date: string, first = '2026-01-01'): string {
  return dateOfDay(bucketStart(granularity, dayOfDate(date) ?? Number.NaN, dayOfDate(first) ?? Number.NaN));
}

describe('bucketStart', () => {
  it.each<[Granularity, string, string]>([
    ['1d', '2026-01-31', '2026-01-31'],
    ['3d', '2026-01-01', '2026-01-01'],
    ['3d', '2026-01-03', '2026-01-01'],
    ['3d', '2026-01-04', '2026-01-04'],
    ['3d', '2026-02-01', '2026-01-31'],
    ['1w', '2026-01-01', '2025-12-29'],
    ['1w', '2025-12-28', '2025-12-22'],
    ['1w', '2025-12-29', '2025-12-29'],
    ['1w', '2026-01-04', '2025-12-29'],
    ['1w', '2026-01-05', '2026-01-05'],
    ['1w', '1969-12-31', '1969-12-29'],
    ['1w', '1970-01-01', '1969-12-29'],
    ['1m', '2026-01-31', '2026-01-01'],
    ['1m', '2026-02-01', '2026-02-01'],
    ['1m', '2024-02-29', '2024-02-01'],
    ['1m', '2025-12-31', '2025-12-01'],
    ['1m', '1969-12-31', '1969-12-01'],
    ['all', '2026-05-05', '2026-01-01'],
  ])('%s of %s is %s', (granularity, date, start) => expect(startOf(granularity, date)).toBe(start));

  it('counts three days from the given first day, also before it', () => {
    expect(startOf('3d', '2026-01-04', '2026-01-02')).toBe('2026-01-02');
    expect(startOf('3d', '2026-01-05', '2026-01-02')).toBe('2026-01-05');
    expect(startOf('3d', '2026-01-01', '2026-01-02')).toBe('2025-12-30');
  });

  it('puts each day in exactly one bucket, and a bucket starts in itself', () => {
    const day = fc.integer({ min: -10_000, max: 40_000 });
    fc.assert(
      fc.property(fc.constantFrom(...GRANULARITIES), day, fc.nat(400), (granularity, first, later) => {
        const start = bucketStart(granularity, first + later, first);
        expect(start).toBeLessThanOrEqual(first + later);
        expect(bucketStart(granularity, start, first)).toBe(start);
        const next = bucketStart(granularity, first + later + 1, first);
        expect([start, first + later + 1]).toContain(next);
      }),
    );
  });

  it('starts weeks on Mondays and months on the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 40_000 }), (day) => {
        expect(new Date(bucketStart('1w', day, 0) * 86_400_000).getUTCDay()).toBe(1);
        expect(new Date(bucketStart('1m', day, 0) * 86_400_000).getUTCDate()).toBe(1);
      }),
    );
  });
});
