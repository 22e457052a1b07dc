import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../../src/analysis/bootstrap-interval.js';
import { profitFactor } from '../../src/analysis/payoffs.js';
import { roi } from '../../src/analysis/roi.js';
import { wilsonInterval } from '../../src/analysis/statistics/wilson-interval.js';
import { winRate } from '../../src/analysis/win-rate.js';
import { UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column } from '../../src/frame/tabular/column-values.js';

const PNL = new DataFrame({
  proxy_wallet: Array.from({ length: 60 }, (_, at) => `w${at % 6}`),
  date: Array.from({ length: 60 }, (_, at) => `2026-01-${String(1 + Math.floor(at / 3)).padStart(2, '0')}`),
  pnl: Array.from({ length: 60 }, (_, at) => ((at * 37) % 41) - 15),
  invested: Array.from({ length: 60 }, (_, at) => 50 + (at % 7)),
});
const roiOf = (rows: Parameters<typeof roi>[0]) => roi(rows).roi;

describe('bootstrapInterval', () => {
  it('is the same for the same seed, and another for another', () => {
    const [one, again, other] = [7, 7, 8].map((seed) => bootstrapInterval(PNL, roiOf, { seed }));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one?.estimate).toBe(roiOf(PNL));
    expect((one?.low ?? 0) < roiOf(PNL) && roiOf(PNL) < (one?.high ?? 0)).toBe(true);
  });

  it('of a win rate is near the interval that is known for it', () => {
    const bets = new DataFrame({
      wins: Array.from({ length: 400 }, (_, at) => Number(at % 5 < 3)),
      losses: Array.from({ length: 400 }, (_, at) => Number(at % 5 >= 3)),
    });
    const { low, high, samples } = bootstrapInterval(bets, (rows) => winRate(rows).rate, { samples: 2000 });
    const known = wilsonInterval(240, 400, 0.95);
    expect(Math.abs(low - known.low)).toBeLessThan(0.008);
    expect(Math.abs(high - known.high)).toBeLessThan(0.008);
    expect(samples).toBe(2000);
  });

  it('of a mean has the standard error of the textbook', () => {
    const pnl = Array.from(column(PNL, 'pnl') as Float64Array);
    const mean = pnl.reduce((sum, value) => sum + value, 0) / 60;
    const error = Math.sqrt(pnl.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 60) / Math.sqrt(60);
    const meanOf = (rows: typeof PNL) =>
      (column(rows, 'pnl') as Float64Array).reduce((sum, value) => sum + value, 0) / 60;
    const { low, high } = bootstrapInterval(PNL, meanOf, { samples: 4000 });
    expect((high - low) / (2 * 1.96 * error)).toBeCloseTo(1, 1);
    expect((high + low) / 2).toBeCloseTo(mean, 0);
  });

  it('draws groups as wholes', () => {
    // Six wallets of ten rows each: whatever is drawn, each wallet's rows come tenfold and together.
    const sizes = new Set<number>();
    const counted = bootstrapInterval(
      PNL,
      (rows) => {
        const counts = new Map<unknown, number>();
        for (const wallet of column(rows, 'proxy_wallet') as string[])
          counts.set(wallet, (counts.get(wallet) ?? 0) + 1);
        for (const count of counts.values()) sizes.add(count % 10);
        return counts.size;
      },
      { by: 'proxy_wallet', samples: 50 },
    );
    expect([counted.estimate, [...sizes]]).toEqual([6, [0]]);
    expect(bootstrapInterval(PNL, roiOf, { by: 'week', samples: 20 }).samples).toBe(20);
  });

  it('draws every row equally often', () => {
    const drawn = new Float64Array(60);
    const marked = new DataFrame({ row: Array.from({ length: 60 }, (_, at) => at) });
    const count = (rows: typeof marked) => {
      for (const at of column(rows, 'row') as Float64Array) drawn[at] = (drawn[at] ?? 0) + 1;
      return 0;
    };
    bootstrapInterval(marked, count, { samples: 1000, seed: 3 });
    // The frame itself, then 1,000 draws of 60. χ² with 59 degrees of freedom stays below 98.3 in 999 of 1,000 cases.
    const chi = drawn.reduce((sum, times) => sum + (times - 1001) ** 2 / 1001, 0);
    expect(chi).toBeLessThan(98.3);
  });

  it('leaves out draws without a value, and is NaN without rows', () => {
    const rare = new DataFrame({ pnl: [5, 5, 5, 5, -1] });
    const { samples } = bootstrapInterval(rare, (rows) => profitFactor(rows).profitFactor, { samples: 500 });
    // No loss is drawn in (4/5)^5 = 33% of draws.
    expect(samples / 500).toBeCloseTo(0.67, 1);
    const none = new DataFrame([], { columns: ['pnl', 'invested'], dtypes: ['float32', 'float32'] });
    expect(bootstrapInterval(none, roiOf)).toMatchObject({ low: Number.NaN, high: Number.NaN, samples: 0 });
  });

  it('claims no interval of a single row, or a single group of rows', () => {
    const unknown = { low: Number.NaN, high: Number.NaN, samples: 0 };
    const one = new DataFrame({ pnl: [5], invested: [100], date: ['2025-11-05'] });
    expect(bootstrapInterval(one, roiOf)).toMatchObject({ estimate: 0.05, ...unknown });
    const week = new DataFrame({ pnl: [5, 7], invested: [100, 100], date: ['2025-11-04', '2025-11-05'] });
    expect(bootstrapInterval(week, roiOf, { by: 'week' })).toMatchObject({ estimate: 0.06, ...unknown });
    expect(bootstrapInterval(week, roiOf, { by: 'day' }).samples).toBe(1000);
  });

  it('has infinite ends where the measure is infinite, and none between −∞ and ∞', () => {
    const frame = new DataFrame({ pnl: [1, 1, 1, 1, 1] });
    const ends = (values: readonly number[]) => {
      let call = 0;
      const measure = () => values[call++ % values.length] as number;
      const { low, high } = bootstrapInterval(frame, measure, { samples: 2, confidence: 0.5 });
      return [low, high];
    };
    const { POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number;
    expect(ends([most])).toEqual([most, most]);
    // The first one measured is the frame itself.
    expect(ends([0, 3, most])).toEqual([most, most]);
    expect(ends([0, least, 3])).toEqual([least, least]);
    expect(ends([0, least, most])).toEqual([Number.NaN, Number.NaN]);
    expect(ends([0, 3, 7])).toEqual([4, 6]);
  });

  it('shows returns and win rates as percentages, profit in dollars, and what a function gives as it is', () => {
    const frame = new DataFrame({
      pnl: [20, -5, 30, 10],
      invested: [50, 50, 50, 50],
      wins: [1, 0, 2, 1],
      losses: [0, 1, 1, 1],
    });
    const linesOf = (measure: Parameters<typeof bootstrapInterval>[1]) =>
      String(bootstrapInterval(frame, measure, { samples: 50 }))
        .split('\n')
        .slice(0, 2);
    const [estimate, interval] = linesOf('roi');
    expect(estimate).toMatch(/^Estimate +27\.5%$/);
    expect(interval).toMatch(/^95% interval +-?\d+\.\d% to \d+\.\d%$/);
    expect(linesOf('winRate')[0]).toMatch(/^Estimate +57\.1%$/);
    expect(linesOf('pnl')[0]).toMatch(/^Estimate +\$55\.00$/);
    expect(linesOf((rows) => roi(rows).roi)[0]).toMatch(/^Estimate +0\.275$/);
    for (const [name, of] of [
      ['roi', roiOf],
      ['pnl', (rows: Parameters<typeof roi>[0]) => roi(rows).pnl],
    ] as const)
      expect({ ...bootstrapInterval(frame, name, { samples: 50 }) }).toEqual({
        ...bootstrapInterval(frame, of, { samples: 50 }),
      });
    expect(() => bootstrapInterval(frame, 'sharpe' as never)).toThrow(
      new UsageError(
        "measure of bootstrapInterval must be 'roi', 'winRate', 'pnl' or a function of rows, as (rows) => winRate(rows).rate; " +
          'got "sharpe".',
      ),
    );
  });

  it('says what it needs', () => {
    expect(() => bootstrapInterval(PNL, roi as never)).toThrow(/must give a number.*got a value of type object/);
    expect(() => bootstrapInterval(PNL, roiOf, { samples: 0 })).toThrow(UsageError);
    for (const seed of [0.5, -1, 2 ** 32, 2 ** 33 + 5, Number.NaN, '5' as never]) {
      const got = typeof seed === 'string' ? 'the text "5"' : String(seed);
      expect(() => bootstrapInterval(PNL, roiOf, { seed })).toThrow(
        new UsageError(`seed of bootstrapInterval must be a whole number from 0 to 4294967295; got ${got}.`),
      );
    }
    for (const seed of [0, 2 ** 32 - 1]) expect(bootstrapInterval(PNL, roiOf, { seed, samples: 2 }).samples).toBe(2);
    expect(() => bootstrapInterval(PNL, roiOf, { sample: 9 } as never)).toThrow(/Did you mean "samples"/);
    const shown = Reflect.get(bootstrapInterval(PNL, roiOf), Symbol.for('Jupyter.display'))();
    expect(shown['text/plain']).toMatch(/^Estimate .*\n95% interval .* to .*\nDrawn {9}1,000 times$/);
  });
});
