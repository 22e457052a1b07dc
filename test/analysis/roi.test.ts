import { describe, expect, it } from 'vitest';
import { roi, roiBy } from '../../src/analysis/roi.js';
import { trackRecord } from '../../src/analysis/track-record.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import fc from '../support/fast-check.js';

describe('roi', () => {
  it('pools profit over dollars invested, and does not average returns', () => {
    // Mean of 100% and 0% would be 50%.
    expect(roi(new DataFrame({ pnl: [10, 0], invested: [10, 990] }))).toEqual({ roi: 0.01, pnl: 10, invested: 1000 });
  });

  it('reads lifetime records too', () => {
    const lifetime = new DataFrame({ total_pnl: [-25, 5], total_invested: [50, 50], roi_pct: [-50, 10] });
    expect(roi(lifetime)).toEqual({ roi: -0.2, pnl: -20, invested: 100 });
  });

  it('is NaN where nothing was invested', () => {
    expect(roi(new DataFrame({ pnl: [12], invested: [0] }))).toEqual({ roi: Number.NaN, pnl: 12, invested: 0 });
    const empty = new DataFrame([], { columns: ['pnl', 'invested'], dtypes: ['float32', 'float32'] });
    expect(roi(empty)).toEqual({ roi: Number.NaN, pnl: 0, invested: 0 });
  });

  it('says why it is below −100%, which no loss of what was invested can be', () => {
    // 100 dollars of January are lost in February, in which 10 were paid.
    const pnl = new DataFrame({
      date: ['2026-01-05T00:00:00Z', '2026-02-05T00:00:00Z', '2026-01-05T00:00:00Z'],
      proxy_wallet: ['a', 'a', 'b'],
      pnl: [0, -100, -30],
      invested: [100, 10, 30],
      wins: [0, 0, 0],
      losses: [0, 1, 1],
    });
    const february = filterRows(pnl, ({ date }) => date >= '2026-02');
    const why = 'lost more than was invested: stakes were paid before these records';
    expect(roi(february)).toEqual({ roi: -10, pnl: -100, invested: 10 });
    expect(String(roi(february))).toMatch(new RegExp(`^ROI +-1000.0%\\n.*Note +${why}$`, 's'));
    expect(String(roi(pnl))).not.toContain('Note');
    expect(recordsOf(roiBy(february, { by: 'proxy_wallet' }))).toMatchObject([{ roi: -10, note: why }]);
    expect(recordsOf(roiBy(pnl, { by: 'proxy_wallet' })).map(({ note }) => note)).toEqual([null, null]);
    expect(recordsOf(trackRecord(february))[0]?.note).toBe(`only 1 decided: too few to judge the win rate; ${why}`);
    // All that was invested may be lost.
    expect(String(roi(filterRows(pnl, (row) => row.proxy_wallet === 'b')))).not.toContain('Note');
  });

  it('leaves out rows that lack one of the two', () => {
    expect(roi(new DataFrame({ pnl: [1, Number.NaN, 5], invested: [10, 20, Number.NaN] })).invested).toBe(10);
  });

  it('does not depend on the order of rows, to the cent of large sums', () => {
    const row = fc.record({ pnl: fc.integer({ min: -1e9, max: 1e9 }), invested: fc.nat(1e9) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 50 }), (rows) => {
        const [one, other] = [rows, rows.toReversed()].map((some) =>
          roi(new DataFrame({ pnl: some.map((r) => r.pnl / 100), invested: some.map((r) => r.invested / 100) }, typed)),
        );
        expect(one?.pnl).toBeCloseTo(other?.pnl ?? Number.NaN, 6);
        expect(one?.pnl).toBeCloseTo(rows.reduce((sum, r) => sum + r.pnl, 0) / 100, 6);
      }),
    );
  });

  it('names the column that is missing, or paid less than nothing', () => {
    expect(() => roi(new DataFrame({ pnl: [1], investd: [2] }))).toThrow(
      'The frame has no column "invested". Did you mean "investd"?',
    );
    expect(() => roi(new DataFrame({ pnl: [1], invested: [-2] }))).toThrow(/"invested" holds -2 in row 0/);
  });
});

const typed = { dtypes: ['float32', 'float32'] };
