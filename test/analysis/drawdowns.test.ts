import { describe, expect, it } from 'vitest';
import { cumulativePnl } from '../../src/analysis/cumulative-pnl.js';
import { drawdown } from '../../src/analysis/drawdowns.js';
import { ColumnError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../src/frame/tabular/column-values.js';
import fc from '../support/fast-check.js';

const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().replace('.000', '');
const series = (...pnl: number[]) => new DataFrame({ date: pnl.map((_, at) => day(at)), pnl });
const nothing = new DataFrame([], { columns: ['date', 'pnl'], dtypes: ['string', 'float32'] });

describe('cumulativePnl', () => {
  it('adds up by date in any order of rows, wallets pooled', () => {
    const pnl = new DataFrame({
      date: [day(2), day(0), day(1), day(0)],
      proxy_wallet: ['a', 'a', 'a', 'b'],
      pnl: [-4, 1, 5, 2],
    });
    expect(recordsOf(cumulativePnl(pnl))).toEqual([
      { date: day(0), pnl: 3, cumulative_pnl: 3, drawdown: 0 },
      { date: day(1), pnl: 5, cumulative_pnl: 8, drawdown: 0 },
      { date: day(2), pnl: -4, cumulative_pnl: 4, drawdown: 4 },
    ]);
    expect(recordsOf(cumulativePnl(pnl, { by: 'proxy_wallet' }))).toEqual([
      { proxy_wallet: 'a', date: day(0), pnl: 1, cumulative_pnl: 1, drawdown: 0 },
      { proxy_wallet: 'a', date: day(1), pnl: 5, cumulative_pnl: 6, drawdown: 0 },
      { proxy_wallet: 'a', date: day(2), pnl: -4, cumulative_pnl: 2, drawdown: 4 },
      { proxy_wallet: 'b', date: day(0), pnl: 2, cumulative_pnl: 2, drawdown: 0 },
    ]);
  });

  it('ends at the sum, whatever the order, exactly in micro-dollars', () => {
    const micros = fc.array(fc.integer({ min: -5e13, max: 5e13 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(micros, fc.nat(), (values, turn) => {
        const dates = values.map((_, at) => day(at));
        const frame = (rows: number[]) =>
          new DataFrame({ date: rows.map((at) => dates[at] ?? ''), pnl: rows.map((at) => (values[at] ?? 0) / 1e6) });
        const order = values.map((_, at) => (at + turn) % values.length);
        const [straight, turned] = [cumulativePnl(frame(order.toSorted((a, b) => a - b))), cumulativePnl(frame(order))];
        expect(recordsOf(turned)).toEqual(recordsOf(straight));
        expect(column(straight, 'cumulative_pnl').at(-1)).toBe(values.reduce((sum, value) => sum + value, 0) / 1e6);
      }),
    );
  });

  it('has all its columns without a row', () => {
    const curve = cumulativePnl(nothing);
    expect([curve.shape[0], curve.columns]).toEqual([0, ['date', 'pnl', 'cumulative_pnl', 'drawdown']]);
  });

  it('names a missing column and a date that cannot be read', () => {
    expect(() => cumulativePnl(new DataFrame({ dat: ['2026-01-01'], pnl: [1] }))).toThrow(/no column "date".*"dat"/);
    expect(() => cumulativePnl(new DataFrame({ date: [null, day(0)], pnl: [1, 2] }))).toThrow(ColumnError);
  });
});

describe('drawdown', () => {
  it('is the deepest fall, with its dates', () => {
    // Curve 10, 6, 12, 2, 5, 12: down 10 from the 12 of day 2, made good on day 5.
    expect(drawdown(series(10, -4, 6, -10, 3, 7))).toEqual({ depth: 10, from: day(2), to: day(3), recovered: day(5) });
  });

  it('counts the starting 0', () => {
    expect(drawdown(series(-3, 1, -4))).toEqual({ depth: 6, from: null, to: day(2), recovered: null });
    expect(drawdown(series(-3, 3))).toEqual({ depth: 3, from: null, to: day(0), recovered: day(1) });
  });

  it('is the first of several equal ones, to the first of several lowest points', () => {
    expect(drawdown(series(5, -2, 0, 2, -2, 2))).toEqual({ depth: 2, from: day(0), to: day(1), recovered: day(3) });
  });

  it('is 0 where it never fell, NaN without rows', () => {
    expect(drawdown(series(1, 0, 2))).toEqual({ depth: 0, from: null, to: null, recovered: null });
    expect(drawdown(nothing)).toEqual({ depth: Number.NaN, from: null, to: null, recovered: null });
  });

  it('is not feigned by rounding', () => {
    expect(drawdown(series(0.3, -0.1, -0.2, 0.3)).recovered).toBe(day(3));
  });

  it('is at least the largest loss, and at most the sum of all', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 40 }), (pnl) => {
        const { depth } = drawdown(series(...pnl));
        const losses = pnl.map((value) => Math.max(0, -value));
        expect(depth).toBeGreaterThanOrEqual(Math.max(...losses));
        expect(depth).toBeLessThanOrEqual(losses.reduce((sum, value) => sum + value, 0));
      }),
    );
  });
});
