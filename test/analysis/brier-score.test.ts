import { describe, expect, it } from 'vitest';
import { brierScore } from '../../src/analysis/brier-score.js';
import { logLoss } from '../../src/analysis/log-loss.js';
import { UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import fc from '../support/fast-check.js';

const forecasts = (pairs: readonly (readonly [number, number])[]) =>
  new DataFrame(
    { probability: pairs.map(([p]) => p), outcome: pairs.map(([, o]) => o) },
    { dtypes: ['float32', 'float32'] },
  );
const empty = new DataFrame([], { columns: ['probability', 'outcome'], dtypes: ['float32', 'int32'] });
const pairs = fc.array(
  fc.tuple(
    fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.1, 0.5, 0.9, 1)),
    fc.integer({ min: 0, max: 1 }),
  ),
  { minLength: 1, maxLength: 40 },
);

describe('brierScore', () => {
  it('comes apart as it does by hand', () => {
    // Ten times 80%, of which 7 came: Σ(f − o)² = 7·0.04 + 3·0.64 = 2.2. Ten times 30%, 2 came: 2·0.49 + 8·0.09 = 1.7.
    // brier = 3.9/20 = 0.195; base rate 9/20 = 0.45; reliability = (10·0.1² + 10·0.1²)/20 = 0.01;
    // resolution = (10·0.25² + 10·0.25²)/20 = 0.0625; uncertainty = 0.45·0.55 = 0.2475; 0.01 − 0.0625 + 0.2475 = 0.195.
    const many = (count: number, p: number, hits: number) =>
      Array.from({ length: count }, (_, at) => [p, at < hits ? 1 : 0] as const);
    for (const bins of [10, 'distinct'] as const) {
      const score = brierScore(forecasts([...many(10, 0.8, 7), ...many(10, 0.3, 2)]), { bins });
      expect(score.brier).toBeCloseTo(0.195, 14);
      expect(score.reliability).toBeCloseTo(0.01, 14);
      expect(score.resolution).toBeCloseTo(0.0625, 14);
      expect(score.uncertainty).toBeCloseTo(0.2475, 14);
      expect(score.withinBins).toBeCloseTo(0, 14);
      expect(score.skill).toBeCloseTo(1 - 0.195 / 0.2475, 14);
      expect([score.baseRate, score.count]).toEqual([0.45, 20]);
    }
  });

  it('takes the prices of both sides for the same probability where their cents are', () => {
    // 1 − 0.8 is an ulp below 0.2: one bin with half of it true, reliability 0.3² and no resolution.
    const { reliability, resolution } = brierScore(
      forecasts([
        [1 - 0.8, 1],
        [0.2, 0],
      ]),
      { bins: 'distinct' },
    );
    expect([reliability, resolution]).toEqual([expect.closeTo(0.09, 12), 0]);
  });

  it('adds up with any bins, and by distinct probabilities without what bins hide', () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 50 }), (rows, bins) => {
        const naive = rows.reduce((sum, [p, o]) => sum + (p - o) ** 2, 0) / rows.length;
        const binned = brierScore(forecasts(rows), { bins });
        const { reliability, resolution, uncertainty, withinBins } = binned;
        expect(binned.brier).toBeCloseTo(naive, 12);
        expect(reliability - resolution + uncertainty + withinBins).toBeCloseTo(naive, 12);
        const distinct = brierScore(forecasts(rows), { bins: 'distinct' });
        expect(distinct.withinBins).toBeCloseTo(0, 12);
        expect(distinct.reliability - distinct.resolution + distinct.uncertainty).toBeCloseTo(naive, 12);
        expect(Math.min(reliability, resolution, uncertainty) >= 0).toBe(true);
      }),
    );
  });

  it('hides within bins what Stephenson, Coelho and Jolliffe found there', () => {
    // One bin: 0.2 said where nothing came, 0.6 where it did. f̄ = 0.4; Σ(f − f̄)² = 0.08; Σ(f − f̄)(o − ō) = 0.2;
    // withinBins = (0.08 − 0.4)/2 = −0.16; reliability = (0.4 − 0.5)² = 0.01; uncertainty 0.25: 0.1 = (0.04 + 0.16)/2.
    const score = brierScore(
      forecasts([
        [0.2, 0],
        [0.6, 1],
      ]),
      { bins: 1 },
    );
    expect(score.brier).toBeCloseTo(0.1, 14);
    expect(score.withinBins).toBeCloseTo(-0.16, 14);
    expect(score.reliability).toBeCloseTo(0.01, 14);
    expect(score.resolution).toBeCloseTo(0, 14);
  });

  it('is NaN without a forecast, and without skill where all came true', () => {
    const { count, ...rest } = brierScore(empty);
    expect([count, new Set(Object.values(rest))]).toEqual([0, new Set([Number.NaN])]);
    expect(brierScore(forecasts([[1, 1]]))).toMatchObject({ brier: 0, uncertainty: 0, skill: Number.NaN });
  });

  it('shows itself as a small table, and refuses unknown options', () => {
    const shown = Reflect.get(brierScore(forecasts([[0.5, 1]])), Symbol.for('Jupyter.display'))();
    expect(shown['text/plain']).toMatch(/^Brier score +0\.2500\nReliability/);
    expect(() => brierScore(empty, { bin: 5 } as object)).toThrow('"bin" is no option of brierScore');
  });
});

describe('logLoss', () => {
  it('is the mean surprise, in nats', () => {
    // −(ln 0.9 + ln 0.8)/2.
    const rows = [
      [0.9, 1],
      [0.2, 0],
    ] as const;
    expect(logLoss(forecasts(rows)).logLoss).toBeCloseTo(0.164252033486018, 14);
    expect(logLoss(forecasts([[0.5, 0]])).logLoss).toBeCloseTo(Math.LN2, 15);
  });

  it('is infinite where a certain forecast was wrong, unless clipped', () => {
    const rows = [
      [1, 0],
      [1, 1],
    ] as const;
    expect(logLoss(forecasts(rows))).toEqual({ logLoss: Number.POSITIVE_INFINITY, certainAndWrong: 1, count: 2 });
    const clipped = logLoss(forecasts(rows), { clip: 0.01 });
    expect(clipped.logLoss).toBeCloseTo(-(Math.log(0.01) + Math.log(0.99)) / 2, 14);
    expect(logLoss(forecasts([[0, 0]])).logLoss).toBe(0);
  });

  it('is the naive sum, and never below 0', () => {
    fc.assert(
      fc.property(pairs, (rows) => {
        const naive = rows.reduce((sum, [p, o]) => sum - Math.log(o === 1 ? p : 1 - p), 0) / rows.length;
        const { logLoss: loss } = logLoss(forecasts(rows));
        expect(loss).toBeGreaterThanOrEqual(0);
        if (Number.isFinite(naive)) expect(loss).toBeCloseTo(naive, 10);
        else expect(loss).toBe(naive);
      }),
    );
  });

  it('is NaN without a forecast, and refuses to clip at a half', () => {
    expect(logLoss(empty)).toEqual({ logLoss: Number.NaN, certainAndWrong: 0, count: 0 });
    expect(() => logLoss(empty, { clip: 0.5 })).toThrow(UsageError);
  });
});
