import { describe, expect, it } from 'vitest';
import { betaPrior } from '../../src/analysis/beta-prior.js';
import { leaderboard } from '../../src/analysis/leaderboard.js';
import { betaInterval, logGamma } from '../../src/analysis/statistics/beta-interval.js';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../src/frame/tabular/column-values.js';
import fc from '../support/fast-check.js';

interface Wallet {
  wins: number;
  losses: number;
}

function frameOf(wallets: readonly Wallet[]): DataFrame {
  return new DataFrame({
    proxy_wallet: wallets.map((_, at) => `w${at}`),
    wins: wallets.map(({ wins }) => wins),
    losses: wallets.map(({ losses }) => losses),
    pnl: wallets.map(({ wins, losses }) => wins - losses),
    invested: wallets.map(({ wins, losses }) => 10 * (wins + losses)),
  });
}

/**
 * The share of a Beta distribution below some log-odds u, by Simpson's rule over e^(αu) (1 + e^u)^−(α + β), which needs
 * no gamma function: what lies below is compared with what lies above.
 */
function heldBelow(odds: number, alpha: number, beta: number): number {
  const logOf = (u: number) => -alpha * Math.log1p(Math.exp(-u)) - beta * Math.log1p(Math.exp(u));
  const middle = Math.log(alpha / beta);
  const top = logOf(middle);
  const width = 12 * Math.sqrt(1 / alpha + 1 / beta) + 30 / Math.min(alpha, beta);
  const part = (from: number, to: number) => {
    if (!(to > from)) return 0;
    const step = (to - from) / 4000;
    let sum = 0;
    for (let at = 0; at <= 4000; at += 1)
      sum += (at === 0 || at === 4000 ? 1 : at % 2 === 1 ? 4 : 2) * Math.exp(logOf(from + at * step) - top);
    return (sum * step) / 3;
  };
  // Beyond ±55, the tails are e^(αu) and e^(−βu), whose integrals are known.
  const [from, to] = [Math.max(-55, middle - width), Math.min(55, middle + width)];
  const leftOf = (u: number) => Math.exp(alpha * u - top) / alpha;
  const rightOf = (u: number) => Math.exp(-beta * u - top) / beta;
  const [left, right] = [from === -55 ? leftOf(from) : 0, to === 55 ? rightOf(to) : 0];
  const whole = left + part(from, middle) + part(middle, to) + right;
  if (odds <= -55) return leftOf(odds) / whole;
  if (odds >= 55) return 1 - rightOf(odds) / whole;
  return odds < middle ? (left + part(from, odds)) / whole : 1 - (right + part(odds, to)) / whole;
}

describe('betaInterval', () => {
  it.each([
    // Uniform: the quantile is the share itself. Arcsine: sin²(π p / 2). Beta(n, 1): p^(1/n).
    [1, 1, 0.9, 0.05, 0.95],
    [0.5, 0.5, 0.95, Math.sin((Math.PI * 0.025) / 2) ** 2, Math.sin((Math.PI * 0.975) / 2) ** 2],
    [7, 1, 0.8, 0.1 ** (1 / 7), 0.9 ** (1 / 7)],
    [1, 40, 0.95, 1 - 0.975 ** (1 / 40), 1 - 0.025 ** (1 / 40)],
    [0.02, 1, 0.95, 0.025 ** 50, 0.975 ** 50],
  ])('of α %d and β %d for %d is the closed form', (alpha, beta, confidence, low, high) => {
    const interval = betaInterval(alpha, beta, confidence);
    expect(interval.low / low).toBeCloseTo(1, 9);
    expect(interval.high / high).toBeCloseTo(1, 9);
  });

  it('holds its share of the density, summed up step by step', () => {
    const shape = fc.double({ min: 1, max: 300, noNaN: true });
    fc.assert(
      fc.property(shape, shape, fc.double({ min: 0.1, max: 0.99, noNaN: true }), (alpha, beta, confidence) => {
        const { low, high } = betaInterval(alpha, beta, confidence);
        const logBeta = logGamma(alpha) + logGamma(beta) - logGamma(alpha + beta);
        const density = (x: number) => Math.exp((alpha - 1) * Math.log(x) + (beta - 1) * Math.log1p(-x) - logBeta);
        const steps = 4000;
        let held = 0;
        for (let at = 0; at < steps; at += 1) held += density(low + ((at + 0.5) / steps) * (high - low));
        expect((held * (high - low)) / steps).toBeCloseTo(confidence, 5);
      }),
      { numRuns: 40 },
    );
  });

  it('stays in [0, 1] and holds its share from parameters of 0.0001 to a million', () => {
    const parameters = [1e-4, 1e-3, 0.01, 0.1, 0.5, 1, 3, 40, 999, 2e4, 1e6];
    for (const alpha of parameters) {
      for (const beta of parameters) {
        const { low, high } = betaInterval(alpha, beta, 0.95);
        expect(0 <= low && low <= high && high <= 1, `${alpha}, ${beta}`).toBe(true);
        // A normal approximation is taken where both are large.
        const digits = Math.min(alpha, beta) > 1e4 ? 6 : 9;
        const { low: mirroredLow, high: mirroredHigh } = betaInterval(beta, alpha, 0.95);
        for (const [end, rest, share] of [
          [low, mirroredHigh, 0.025],
          [high, mirroredLow, 0.975],
        ] as const) {
          const held = heldBelow(Math.log(end / rest), alpha, beta);
          // Where no double is as near to 0 or 1 as the quantile, the end itself is.
          if (end === 0) expect(heldBelow(-744, alpha, beta)).toBeGreaterThan(share);
          else if (rest === 0) expect(heldBelow(744, alpha, beta)).toBeLessThan(share);
          else expect(held, `${alpha}, ${beta}, ${end}`).toBeCloseTo(share, digits);
        }
      }
    }
  });

  it('passes over to the normal approximation without a step', () => {
    // A standard deviation is 0.0022; where it is taken, the next quantile goes on as the ones before.
    const lows = [9_999, 10_000, 10_001, 10_002].map((alpha) => betaInterval(alpha, 30_000, 0.95).low);
    const [one = 0, two = 0, three = 0, four = 0] = lows;
    expect(three - two).toBeCloseTo(two - one, 7);
    expect(three - two).toBeCloseTo(four - three, 7);
  });
});

it('logGamma agrees with factorials and Γ(½) = √π', () => {
  expect(Math.exp(logGamma(11))).toBeCloseTo(3_628_800, 4);
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
});

describe('betaPrior', () => {
  it('is what the formula gives by hand', () => {
    // Rates 1, 0.5 and 0 of 10 each: p = 0.5, spread 10·0.25 + 0 + 10·0.25 = 5, over p(1−p) = 20; chance k − 1 = 2;
    // γ = (20 − 2) / (30 − 300/30 − 2) = 1, so that α + β = 0, raised to 1: α = β = 0.5.
    const apart = [10, 5, 0].map((wins) => ({ wins, losses: 10 - wins }));
    expect(betaPrior(frameOf(apart))).toEqual({ alpha: 0.5, beta: 0.5 });
    // Rates 0.8, 0.5, 0.2: spread 2 · 10 · 0.09 = 1.8, over 0.25 = 7.2; γ = 5.2 / 18; α + β = 18/5.2 − 1 = 2.4615….
    const prior = betaPrior(frameOf([8, 5, 2].map((wins) => ({ wins, losses: 10 - wins }))));
    expect([prior.alpha, prior.beta]).toEqual([
      expect.closeTo((18 / 5.2 - 1) / 2, 12),
      expect.closeTo((18 / 5.2 - 1) / 2, 12),
    ]);
  });

  it('is as strong as all results together where they differ by no more than chance', () => {
    const alike = [6, 6, 6].map((wins) => ({ wins, losses: 4 }));
    expect(betaPrior(frameOf(alike))).toEqual({ alpha: 18, beta: 12 });
    // Of one event each, all of the spread is chance.
    expect(betaPrior(frameOf([1, 0, 1, 0, 1].map((wins) => ({ wins, losses: 1 - wins }))))).toEqual({
      alpha: 3,
      beta: 2,
    });
  });

  it('says nothing where nothing can be learnt, and is NaN where nothing was decided', () => {
    expect(betaPrior(frameOf([{ wins: 3, losses: 1 }]))).toEqual({ alpha: 1, beta: 1 });
    expect(betaPrior(frameOf([3, 4].map((wins) => ({ wins, losses: 0 }))))).toEqual({ alpha: 1, beta: 1 });
    expect(String(betaPrior(frameOf([{ wins: 0, losses: 0 }])))).toMatch(/Prior wins +–\nPrior losses +–/);
    expect(betaPrior(frameOf([{ wins: 0, losses: 0 }]))).toEqual({ alpha: Number.NaN, beta: Number.NaN });
  });

  it('finds the spread that results were drawn with', () => {
    // Beta(6, 4) by its quantiles, 200 groups, and wins rounded from 400 decided each: little chance is left.
    const wallets = Array.from({ length: 200 }, (_, at) => {
      const confidence = Math.abs((2 * (at + 0.5)) / 200 - 1);
      const { low, high } = betaInterval(6, 4, confidence);
      const wins = Math.round(400 * (at < 100 ? low : high));
      return { wins, losses: 400 - wins };
    });
    const { alpha, beta } = betaPrior(frameOf(wallets));
    expect(alpha / (alpha + beta)).toBeCloseTo(0.6, 2);
    expect(Math.abs(alpha + beta - 10)).toBeLessThan(1);
  });
});

describe('leaderboard', () => {
  it('does not let three wins of three lead', () => {
    const board = leaderboard(
      frameOf([
        { wins: 3, losses: 0 },
        { wins: 70, losses: 30 },
        { wins: 20, losses: 80 },
      ]),
      { prior: { alpha: 5, beta: 5 } },
    );
    const interval = betaInterval(75, 35, 0.95);
    expect(recordsOf(board)[0]).toEqual({
      rank: 1,
      proxy_wallet: 'w1',
      decided: 100,
      win_rate: 0.7,
      shrunken_rate: 75 / 110,
      ...interval,
      pnl: 40,
      roi: 0.04,
      small_sample: false,
      note: null,
    });
    expect(recordsOf(board).map((row) => [row.rank, row.proxy_wallet, row.shrunken_rate, row.small_sample])).toEqual([
      [1, 'w1', 75 / 110, false],
      [2, 'w0', 8 / 13, true],
      [3, 'w2', 25 / 110, false],
    ]);
  });

  it('draws every rate towards the mean of the prior, keeps the order of counts, and does not depend on rows', () => {
    const wallet = fc.record({ wins: fc.nat(60), losses: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(wallet, { minLength: 2, maxLength: 12 }), (wallets) => {
        fc.pre(wallets.some(({ wins, losses }) => wins + losses > 0));
        const frame = frameOf(wallets);
        const { alpha, beta } = betaPrior(frame);
        const rows = recordsOf(leaderboard(frame));
        const mean = alpha / (alpha + beta);
        for (const { win_rate: raw, shrunken_rate: shrunken, low, high, decided } of rows) {
          if (decided > 0) expect(Math.abs(shrunken - mean)).toBeLessThanOrEqual(Math.abs(raw - mean) + 1e-12);
          else expect(shrunken).toBeCloseTo(mean, 12);
          expect(low <= shrunken + 1e-9 && shrunken <= high + 1e-9 && low >= 0 && high <= 1).toBe(true);
        }
        const lows = rows.map(({ low }) => low);
        expect(lows).toEqual(lows.toSorted((a, b) => b - a));
        const halves = wallets.map(({ wins, losses }) => ({ wins: wins / 2, losses: losses / 2 }));
        const doubled = new DataFrame(
          Object.fromEntries(
            frame.columns.map((name) => {
              const all = column(frameOf(halves), name);
              return [name, [...Array.from<unknown>(all), ...Array.from<unknown>(all)]];
            }),
          ) as never,
        );
        const again = recordsOf(leaderboard(doubled));
        expect(again.map(({ decided }) => decided)).toEqual(rows.map(({ decided }) => decided));
      }),
      { numRuns: 50 },
    );
  });

  it('stays between 0 and 1 where hardly anybody won', () => {
    const losers = Array.from({ length: 50 }, () => ({ wins: 0, losses: 40 }));
    const rows = recordsOf(leaderboard(frameOf([{ wins: 1, losses: 1 }, ...losers])));
    expect(rows.every(({ low, high }) => 0 <= low && low <= high && high <= 1)).toBe(true);
  });

  it('ranks by any column and period, also where nothing was decided', () => {
    const frame = new DataFrame({
      date: ['2026-01-05T00:00:00Z', '2026-01-12T00:00:00Z'],
      slug: ['x', 'y'],
      wins: [0, 0],
      losses: [0, 0],
      pnl: [0, 0],
      invested: [0, 5],
    });
    expect(leaderboard(frame, { by: 'week' }).columns.slice(0, 2)).toEqual(['rank', 'date']);
    expect(
      recordsOf(leaderboard(frame, { by: 'slug' })).map(({ rank, slug, low, roi }) => [rank, slug, low, roi]),
    ).toEqual([
      [1, 'x', Number.NaN, Number.NaN],
      [2, 'y', Number.NaN, 0],
    ]);
    const none = { columns: frame.columns, dtypes: ['string', 'string', 'int32', 'int32', 'float32', 'float32'] };
    expect(leaderboard(new DataFrame([], none), { by: 'slug' }).shape[0]).toBe(0);
  });

  it('names what is wrong', () => {
    const frame = frameOf([{ wins: 1, losses: 1 }]);
    expect(() => leaderboard(frame, { prior: { alpha: 0, beta: 1 } })).toThrow(UsageError);
    expect(() => leaderboard(frame, { by: 'pnl' })).toThrow(/cannot group by "pnl"/);
    expect(() => leaderboard(frame, { byy: 'x' } as never)).toThrow(/Did you mean "by"/);
    expect(() => leaderboard(frame, { by: 'wallet' })).toThrow(ColumnError);
    expect(() => leaderboard(frameOf([{ wins: -1, losses: 1 }]))).toThrow(/"wins" holds -1 in row 0/);
  });
});
