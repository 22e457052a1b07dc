import { describe, expect, it } from 'vitest';
import { concentration, lorenzCurve } from '../../src/analysis/concentration.js';
import { volume } from '../../src/analysis/volume.js';
import { UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../src/frame/tabular/columns-of.js';
import fc from '../support/fast-check.js';

const markets = (...dollars: number[]) => new DataFrame({ volume_total: dollars }, { dtypes: ['float32'] });
const empty = new DataFrame([], { columns: ['volume_total'], dtypes: ['float32'] });
const amounts = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 40 });

describe('concentration', () => {
  it('is that of the four firms with 30, 30, 20 and 20 percent of the merger guidelines: 2,600 points', () => {
    // 0.3² + 0.3² + 0.2² + 0.2² = 0.26. Mean difference: 8 ordered pairs apart by 10, so Σ|x−y| = 80 and
    // Gini = 80 / (2 · 4 · 100) = 0.1.
    const result = concentration(markets(30, 20, 30, 20));
    expect(result.hhi).toBeCloseTo(0.26, 15);
    expect(result.effective).toBeCloseTo(1 / 0.26, 12);
    expect(result.gini).toBeCloseTo(0.1, 15);
    expect(result).toMatchObject({ top1: 0.3, top5: 1, top10: 1, members: 4, total: 100 });
  });

  it('of 1 to n has Gini (n − 1) / 3n', () => {
    // Σ (2i − n − 1)·i = n(n² − 1)/6, and n·Σi = n²(n + 1)/2.
    for (const n of [2, 3, 10, 1000]) {
      const result = concentration(markets(...Array.from({ length: n }, (_, at) => at + 1)));
      expect(result.gini).toBeCloseTo((n - 1) / (3 * n), 12);
    }
  });

  it('ranks equality and monopoly at its ends', () => {
    expect(concentration(markets(5, 5, 5, 5))).toMatchObject({ hhi: 0.25, effective: 4, gini: 0, top1: 0.25 });
    expect(concentration(markets(0, 0, 0, 7))).toMatchObject({ hhi: 1, effective: 1, gini: 0.75, top1: 1 });
  });

  it('is half the relative mean absolute difference, and one less twice the area below the Lorenz curve', () => {
    fc.assert(
      fc.property(amounts, (dollars) => {
        fc.pre(dollars.some((amount) => amount > 0));
        const { gini, hhi, top1, top5, top10 } = concentration(markets(...dollars));
        const [n, total] = [dollars.length, dollars.reduce((sum, amount) => sum + amount, 0)];
        const apart = dollars.flatMap((a) => dollars.map((b) => Math.abs(a - b))).reduce((sum, each) => sum + each, 0);
        expect(gini).toBeCloseTo(apart / (2 * n * total), 10);
        const curve = column(lorenzCurve(markets(...dollars)), 'share_of_volume');
        const area = curve.slice(1).reduce((sum, share, at) => sum + (share + (curve[at] ?? 0)) / 2 / n, 0);
        expect(gini).toBeCloseTo(1 - 2 * area, 10);
        expect(top1 <= top5 && top5 <= top10 && top10 <= 1 + 1e-12 && hhi >= 1 / n - 1e-12).toBe(true);
      }),
    );
  });

  it('by group is that of the groups that volume makes', () => {
    const frame = new DataFrame({ event_slug: ['a', 'b', null, 'a', null], volume_total: [1, 2, 4, 8, Number.NaN] });
    expect(concentration(frame, { by: 'event_slug' })).toEqual(concentration(volume(frame)));
    expect(concentration(frame, { by: 'event_slug' })).toMatchObject({ members: 3, total: 15, top1: 0.6 });
  });

  it('by group knows no group without an amount', () => {
    const markets = new DataFrame({ event_slug: ['a', 'b', 'c', 'a'], volume_total: [1, 3, Number.NaN, Number.NaN] });
    expect(concentration(markets, { by: 'event_slug' })).toMatchObject({ members: 2, gini: 0.25, total: 4 });
    expect(lorenzCurve(markets, { by: 'event_slug' }).shape[0]).toBe(3);
  });

  it('leaves out missing amounts, and is NaN without a dollar', () => {
    expect(concentration(markets(1, Number.NaN, 3))).toMatchObject({ members: 2, total: 4 });
    const undefinedRates = { hhi: Number.NaN, effective: Number.NaN, gini: Number.NaN, top1: Number.NaN };
    expect(concentration(markets(0, 0))).toMatchObject({ ...undefinedRates, members: 2, total: 0 });
    expect(concentration(empty)).toMatchObject({ ...undefinedRates, members: 0, total: 0 });
  });

  it('shows itself as a small table', () => {
    const shown = Reflect.get(concentration(markets(30, 20, 30, 20)), Symbol.for('Jupyter.display'))();
    expect(shown['text/plain']).toBe(
      [
        'Herfindahl–Hirschman index  0.260',
        'Effective number            3.8 of 4, by row',
        'Gini coefficient            0.100',
        'Largest, 5 and 10 largest   30.0%, 100.0%, 100.0%',
      ].join('\n'),
    );
  });

  it('names what is wrong', () => {
    expect(() => concentration(new DataFrame({ volume: [1] }))).toThrow(/no column "volume_total"/);
    expect(() => concentration(markets(1, -2))).toThrow(/holds -2 in row 1.*must not be negative/);
    expect(() => concentration(markets(1, Number.POSITIVE_INFINITY))).toThrow(/must not be infinite/);
    expect(() => concentration(markets(1), { By: 'event_slug' } as object)).toThrow(UsageError);
  });
});

describe('lorenzCurve', () => {
  it('climbs from (0, 0) to (1, 1), the smallest first', () => {
    expect(recordsOf(lorenzCurve(markets(6, 1, 1, 2)))).toEqual([
      { share_of_markets: 0, share_of_volume: 0 },
      { share_of_markets: 0.25, share_of_volume: 0.1 },
      { share_of_markets: 0.5, share_of_volume: 0.2 },
      { share_of_markets: 0.75, share_of_volume: 0.4 },
      { share_of_markets: 1, share_of_volume: 1 },
    ]);
  });

  it('rises, is convex and never above the diagonal', () => {
    fc.assert(
      fc.property(amounts, (dollars) => {
        const rows = recordsOf(lorenzCurve(markets(...dollars)));
        const steps = rows.slice(1).map((row, at) => row.share_of_volume - (rows[at]?.share_of_volume ?? 0));
        expect(steps.every((step, at) => step >= (steps[at - 1] ?? 0) - 1e-12)).toBe(true);
        expect(rows.every((row) => row.share_of_volume <= row.share_of_markets + 1e-12)).toBe(true);
      }),
    );
  });

  it('says whose shares they are', () => {
    const curve = lorenzCurve(new DataFrame({ w: ['a', 'b', 'a'], invested: [1, 2, 1] }), {
      value: 'invested',
      by: 'w',
    });
    expect(recordsOf(curve).map((row) => row.share_of_volume)).toEqual([0, 0.5, 1]);
    expect(columnsOf(curve)[0]?.meaning).toBe(
      'Share of the groups by w, those with the least invested first, in [0, 1].',
    );
  });

  it('has no rows without a dollar', () => {
    expect([lorenzCurve(empty).shape[0], lorenzCurve(markets(0, 0)).shape[0]]).toEqual([0, 0]);
  });
});
