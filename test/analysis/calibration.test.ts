import { describe, expect, it } from 'vitest';
import { calibration } from '../../src/analysis/calibration.js';
import { favouriteLongshotBias } from '../../src/analysis/favourite-longshot-bias.js';
import { wilsonInterval } from '../../src/analysis/statistics/wilson-interval.js';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../src/frame/tabular/column-values.js';
import fc from '../support/fast-check.js';

const forecasts = (...pairs: [number, number][]) =>
  new DataFrame(
    { probability: pairs.map(([p]) => p), outcome: pairs.map(([, o]) => o) },
    { dtypes: ['float32', 'float32'] },
  );
const none = Number.NaN;
const pair = fc.tuple(
  fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 100 }).map((cents) => cents / 100),
  ),
  fc.integer({ min: 0, max: 1 }),
);

describe('calibration', () => {
  it('compares what was said with what came, bin by bin', () => {
    // A quarter is on the edge of the first two of four bins and counts in the upper one; 1 counts in the last.
    const { low, high } = wilsonInterval(1, 3, 0.9);
    const last = wilsonInterval(2, 2, 0.9);
    const frame = forecasts([0.25, 0], [0.35, 1], [0.45, 0], [1, 1], [0.75, 1]);
    const rows = recordsOf(calibration(frame, { bins: 4, confidence: 0.9 }));
    const bare = { count: 0, mean_probability: none, frequency: none, freq_low: none, freq_high: none };
    expect(rows[0]).toEqual({ low: 0, high: 0.25, ...bare });
    expect(rows[1]).toEqual({
      low: 0.25,
      high: 0.5,
      count: 3,
      mean_probability: (0.25 + 0.35 + 0.45) / 3,
      frequency: 1 / 3,
      freq_low: low,
      freq_high: high,
    });
    expect(rows[2]).toEqual({ low: 0.5, high: 0.75, ...bare });
    expect(rows[3]).toMatchObject({
      count: 2,
      mean_probability: 0.875,
      frequency: 1,
      freq_low: last.low,
      freq_high: 1,
    });
  });

  it('puts each forecast into the bin whose edges hold it, and pools to the whole', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), fc.integer({ min: 1, max: 100 }), (pairs, bins) => {
        const rows = recordsOf(calibration(forecasts(...pairs), { bins }));
        expect(rows).toHaveLength(bins);
        for (const { low, high, count } of rows) {
          const here = pairs.filter(([p]) => p + 1e-12 >= low && (p + 1e-12 < high || high === 1));
          expect(count).toBe(here.length);
        }
        const hits = rows.reduce((sum, row) => sum + (row.count > 0 ? row.count * row.frequency : 0), 0);
        expect(hits).toBeCloseTo(
          pairs.reduce((sum, [, o]) => sum + o, 0),
          8,
        );
      }),
    );
  });

  it.each([
    ['below', 0.9 - 1e-11, 10, 8],
    ['on', 15 / 22, 22, 15],
  ])('is not misled by rounding %s an edge: %d of %d bins', (_, probability, bins, bin) => {
    const counts = recordsOf(calibration(forecasts([probability, 1]), { bins })).map(({ count }) => count);
    expect(counts.indexOf(1)).toBe(bin);
  });

  it('puts the price of the other side into the bin of its cents', () => {
    // 1 − 0.8 and 1 − 0.9 are an ulp and more below 0.2 and 0.1.
    const frame = forecasts([1 - 0.8, 1], [0.2, 0], [1 - 0.9, 0], [0.1, 0], [1 - 0.57, 1]);
    expect(column(calibration(frame), 'count')).toEqual(Float64Array.of(0, 2, 2, 0, 1, 0, 0, 0, 0, 0));
    expect(column(favouriteLongshotBias(frame), 'roi')[2]).toBeCloseTo(1 / 0.4 - 1, 12);
    expect(column(calibration(frame, { bins: 100 }), 'count')[43]).toBe(1);
  });

  it('reads true and false, and leaves out what is not known', () => {
    const frame = new DataFrame({ price: [0.9, 0.8, null, 0.7], won: [true, false, true, null] });
    const [row] = recordsOf(calibration(frame, { probability: 'price', outcome: 'won', bins: 1 }));
    expect(row).toMatchObject({ low: 0, high: 1, count: 2, frequency: 0.5 });
    expect(row?.mean_probability).toBeCloseTo(0.85, 15);
  });

  it('has all its bins without a forecast', () => {
    const empty = new DataFrame([], { columns: ['probability', 'outcome'], dtypes: ['float32', 'int32'] });
    expect(recordsOf(calibration(empty)).map(({ count }) => count)).toEqual(new Array(10).fill(0));
  });

  it('names what is wrong with a frame or an option', () => {
    expect(() => calibration(new DataFrame({ probabilty: [0.5], outcome: [1] }))).toThrow(
      new ColumnError('The frame has no column "probability". Did you mean "probabilty"?'),
    );
    expect(() => calibration(forecasts([1.5, 1]))).toThrow(/"probability" holds 1.5 in row 0.*in \[0, 1\]/);
    expect(() => calibration(forecasts([0.5, 1], [0.5, 0.5]))).toThrow(/"outcome" holds 0.5 in row 1.*0 or 1/);
    expect(() => calibration(new DataFrame({ probability: [0.5], outcome: ['Yes'] }))).toThrow(/"outcome" holds text/);
    for (const bins of [0, 2.5, 1001]) expect(() => calibration(forecasts([0.5, 1]), { bins })).toThrow(UsageError);
    expect(() => calibration(forecasts([0.5, 1]), { confidence: 95 })).toThrow(UsageError);
  });
});

describe('favouriteLongshotBias', () => {
  it('is what a share of each price returned', () => {
    // Of twenty at 5 cents one pays: a dollar for a dollar. Of ten at 12.5 cents one pays: 0.1 / 0.125 − 1 = −20%.
    const dear = Array.from({ length: 20 }, (_, at): [number, number] => [0.05, at === 0 ? 1 : 0]);
    const fair = Array.from({ length: 10 }, (_, at): [number, number] => [0.125, at === 0 ? 1 : 0]);
    const cheap: [number, number][] = [
      [0.5, 1],
      [0.75, 1],
    ];
    const rows = recordsOf(favouriteLongshotBias(forecasts(...dear, ...fair, ...cheap), { bins: 10 }));
    expect(rows[0]).toMatchObject({ count: 20, frequency: 0.05 });
    expect(rows[0]?.roi).toBeCloseTo(0, 12);
    expect(rows[1]?.roi).toBeCloseTo(0.1 / 0.125 - 1, 12);
    expect(rows[5]).toMatchObject({ mean_price: 0.5, roi: 1, roi_high: 1 });
    expect(rows[5]?.roi_low).toBeCloseTo(wilsonInterval(1, 1, 0.95).low / 0.5 - 1, 12);
    expect(rows[9]).toMatchObject({ count: 0, roi: none, roi_low: none, roi_high: none });
  });

  it('is NaN where all prices are 0', () => {
    expect(recordsOf(favouriteLongshotBias(forecasts([0, 0]), { bins: 1 }))[0]).toMatchObject({ count: 1, roi: none });
  });

  it('pools: Σ outcome / Σ price − 1', () => {
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 40 }), (pairs) => {
        const paid = pairs.reduce((sum, [p]) => sum + p, 0);
        fc.pre(paid > 1e-6);
        const [row] = recordsOf(favouriteLongshotBias(forecasts(...pairs), { bins: 1 }));
        const won = pairs.reduce((sum, [, o]) => sum + o, 0);
        expect((row?.roi ?? none) / (won / paid - 1 || 1)).toBeCloseTo(won === paid ? 0 : 1, 6);
        expect(
          Number(row?.roi_low) <= Number(row?.roi) + 1e-9 && Number(row?.roi) <= Number(row?.roi_high) + 1e-9,
        ).toBe(true);
      }),
    );
  });
});
