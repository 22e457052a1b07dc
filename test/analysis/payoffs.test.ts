import { describe, expect, it } from 'vitest';
import { expectancy, kellyFraction, payoffRatio, profitFactor } from '../../src/analysis/payoffs.js';
import { ColumnError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import fc from '../support/fast-check.js';

const frameOf = (pnl: readonly number[]) => new DataFrame({ pnl: [...pnl] }, { dtypes: ['float32'] });
// Won 10 + 20 + 30 = 60 in three buckets, lost 5 + 15 = 20 in two; nothing happened in two more.
const PNL = frameOf([10, -5, 0, 20, Number.NaN, -15, 30]);

it('tells what was won from what was lost', () => {
  expect(profitFactor(PNL)).toEqual({ profitFactor: 3, won: 60, lost: 20 });
  expect(payoffRatio(PNL)).toEqual({ payoffRatio: 2, averageWin: 20, averageLoss: 10, wins: 3, losses: 2 });
  // (60 − 20) / 5, and 0.6 · 20 − 0.4 · 10.
  expect(expectancy(PNL)).toEqual({ expectancy: 8, averageWin: 20, averageLoss: 10, winShare: 0.6, buckets: 5 });
});

it('bets a fifth on even money won six times of ten', () => {
  // Kelly: p − q at even odds. Here 0.6 − 0.4 / 1.
  const even = frameOf([1, 1, 1, 1, 1, 1, -1, -1, -1, -1]);
  expect(kellyFraction(even).kellyFraction).toBeCloseTo(0.2, 12);
  // 0.6 − 0.4 / 2.
  expect(kellyFraction(PNL)).toEqual({ kellyFraction: expect.closeTo(0.4, 12), winShare: 0.6, payoffRatio: 2 });
  expect(kellyFraction(frameOf([1, -3])).kellyFraction).toBeCloseTo(0.5 - 0.5 * 3, 12);
});

describe('without wins or losses', () => {
  it.each([[[]], [[0]], [[5, 0]], [[-5]]])('ratios of %j are NaN', (pnl) => {
    const frame = frameOf(pnl);
    expect(payoffRatio(frame).payoffRatio).toBeNaN();
    expect(kellyFraction(frame).kellyFraction).toBeNaN();
    if (!pnl.includes(-5)) expect(profitFactor(frame).profitFactor).toBeNaN();
    else expect(profitFactor(frame).profitFactor).toBe(0);
    expect(expectancy(frame).expectancy).toBe(pnl.some((value) => value !== 0) ? pnl[0] : Number.NaN);
  });
});

it('agrees with the definitions in a plain loop, for any order and scale', () => {
  const values = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 50 }), (pnl, scale) => {
      const [frame, other] = [frameOf(pnl), frameOf(pnl.toReversed().map((value) => scale * value))];
      const [up, down] = [pnl.filter((value) => value > 0), pnl.filter((value) => value < 0)];
      const total = (some: number[]) => some.reduce((sum, value) => sum + value, 0);
      const factor = down.length === 0 ? Number.NaN : total(up) / -total(down);
      expect(profitFactor(frame).profitFactor).toBe(factor);
      expect(profitFactor(other).profitFactor).toBe(factor);
      const { winShare, averageWin, averageLoss, expectancy: mean } = expectancy(frame);
      if (up.length > 0 && down.length > 0) {
        expect(mean).toBeCloseTo(winShare * averageWin - (1 - winShare) * averageLoss, 9);
        expect(kellyFraction(other).kellyFraction).toBeCloseTo(kellyFraction(frame).kellyFraction, 9);
        // What Kelly bets is worth betting where the profit factor is above 1.
        expect(Math.sign(Math.round(1e9 * kellyFraction(frame).kellyFraction))).toBe(Math.sign(total(pnl)));
      }
      expect(expectancy(other).expectancy).toBeCloseTo(scale * mean, 9);
    }),
  );
});

it('adds dollars without losing any on the way', () => {
  // Added one by one, 100,000 dimes come to more than 10,000 dollars.
  const dimes = Array<number>(100_001).fill(0.1).with(50_000, -0.7);
  expect(profitFactor(frameOf(dimes)).won).toBe(10_000);
  expect(profitFactor(frameOf(dimes.map((dollars) => -dollars))).lost).toBe(10_000);
});

it('names the missing column, and shows itself', () => {
  for (const measure of [profitFactor, payoffRatio, expectancy, kellyFraction]) {
    expect(() => measure(new DataFrame({ pnls: [1] }))).toThrow(
      new ColumnError('The frame has no column "pnl". Did you mean "pnls"?'),
    );
    expect(Reflect.get(measure(PNL), Symbol.for('Jupyter.display'))()['text/plain']).not.toMatch(/NaN|undefined/);
  }
});
