import { describe, expect, it } from 'vitest';
import { memoryVerdict } from '../../../bench/soak-memory.js';
import { isAllWell, soakReport } from '../../../bench/soak-report.js';
import { runSoak } from '../../../bench/soak-run.js';

// `npm run soak` does the same for minutes.
it('seconds of mixed load fail nothing while versions switch and workers are killed', async () => {
  const report = await runSoak({ seconds: 10 });
  expect(report.failures).toEqual([]);
  expect(report.kills).toBeGreaterThan(0);
  expect(report.switches).toBeGreaterThan(0);
  expect(report.versions.size).toBeGreaterThan(1);
  const kinds = ['candles', 'client', 'leaderboard', 'lifetimes', 'markets', 'markets by state', 'paged wallet'];
  const more = ['positions', 'rare', 'trades', 'wallet', 'wallet by market', 'wrong'];
  expect([...report.times.keys()].sort()).toEqual([...kinds, ...more]);
  expect(isAllWell(report)).toBe(true);
  expect(soakReport(report)).toMatch(/^all +\d+ +0 .*^primary .*^all is as it must be$/ms);
});

describe('the verdict on memory', () => {
  const minutes = (of: (second: number) => number) =>
    memoryVerdict({ name: 'worker', samples: Array.from({ length: 300 }, (_, n) => [n, of(n)] as const) });

  it('is flat where it rises at first alone, or swings', () => {
    expect(minutes((second) => 150 - 50 * Math.exp(-second / 20)).isFlat).toBe(true);
    expect(minutes((second) => 150 + 20 * Math.sin(second)).isFlat).toBe(true);
  });

  it('is not flat where it rises all the time', () => {
    expect(minutes((second) => 100 + second * 0.2).isFlat).toBe(false);
  });

  it('is none where a process lived for seconds', () => {
    expect(memoryVerdict({ name: 'worker', samples: [[0, 100] as const, [30, 200] as const] }).isFlat).toBe(undefined);
  });
});
