import { describe, expect, it } from 'vitest';
import { studentCriticalValue } from '../../../src/analysis/statistics/beta-interval.js';
import { ratioInterval } from '../../../src/analysis/statistics/ratio-interval.js';

describe('ratioInterval', () => {
  it.each([
    [5, 0.9],
    [10, 0.9],
    [30, 0.92],
  ])('holds the truth of fair bets on %i markets nearly as often as it says', (markets, least) => {
    let state = 20_251;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    let [held, told] = [0, 0];
    for (let round = 0; round < 4000; round += 1) {
      const stakes = Array.from({ length: markets }, () => 5 + 45 * random());
      const { low, high } = ratioInterval(
        stakes.map((stake) => (random() < 0.5 ? stake : -stake)),
        stakes,
        0.95,
      );
      if (Number.isNaN(low)) continue;
      told += 1;
      if (low <= 0 && high >= 0) held += 1;
    }
    expect(held / told).toBeGreaterThan(least);
    expect(held / told).toBeLessThan(0.97);
    // Five bets come out alike once in 16 times.
    expect(told / 4000).toBeGreaterThan(markets === 5 ? 0.92 : 0.99);
  });

  it("is Student's interval of a mean where the bottoms are equal", () => {
    const tops = [3, 5, 4, 8, 10];
    const deviation = Math.sqrt(tops.reduce((sum, top) => sum + (top - 6) ** 2, 0) / 4 / 5);
    const { low, high } = ratioInterval(tops, [1, 1, 1, 1, 1], 0.95);
    expect([low, high]).toEqual([
      expect.closeTo(6 - 2.776445 * deviation, 5),
      expect.closeTo(6 + 2.776445 * deviation, 5),
    ]);
  });

  it('is none where nothing tells how far markets differ', () => {
    const none = { low: Number.NaN, high: Number.NaN };
    expect(ratioInterval([1, 2, 3, 4], [1, 1, 1, 1], 0.95)).toEqual(none);
    expect(ratioInterval([0.1, 0.3, 0.7, 1.1, 1.3], [1, 3, 7, 11, 13], 0.95)).toEqual(none);
    expect(ratioInterval([-0.1, -0.3, -0.7, -1.1, -1.3], [0.1, 0.3, 0.7, 1.1, 1.3], 0.95)).toEqual(none);
  });
});

// Abramowitz and Stegun (1964), table 26.10.
it.each([
  [0.95, 1, 12.706],
  [0.95, 4, 2.776],
  [0.99, 9, 3.25],
  [0.9, 29, 1.699],
  [0.95, 120, 1.98],
  [0.95, 30_000, 1.96],
])('the critical value of Student at %f with %i degrees of freedom is %f', (confidence, freedom, expected) => {
  expect(studentCriticalValue(confidence, freedom)).toBeCloseTo(expected, 2);
});
