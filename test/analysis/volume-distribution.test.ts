import { expect, it } from 'vitest';
import { volumeDistribution } from '../../src/analysis/volume-distribution.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../src/frame/tabular/column-values.js';
import fc from '../support/fast-check.js';

const markets = (...dollars: number[]) => new DataFrame({ volume_total: dollars }, { dtypes: ['float32'] });
const bin = (low: number, high: number, count: number, volume: number, shares: [number, number]) => ({
  low,
  high,
  markets: count,
  volume_total: volume,
  share_of_markets: shares[0],
  share_of_volume: shares[1],
});

it('counts markets between 1, 2 and 5 times the powers of ten, the empty bins between too', () => {
  expect(recordsOf(volumeDistribution(markets(0, 50, 1.5, 19.99, 0, 5, 1, 22.51)))).toEqual([
    bin(0, 0, 2, 0, [0.25, 0]),
    bin(1, 2, 2, 2.5, [0.25, 0.025]),
    bin(2, 5, 0, 0, [0, 0]),
    bin(5, 10, 1, 5, [0.125, 0.05]),
    bin(10, 20, 1, 19.99, [0.125, 0.1999]),
    bin(20, 50, 1, 22.51, [0.125, 22.51 / 100]),
    bin(50, 100, 1, 50, [0.125, 0.5]),
  ]);
});

it('puts every amount where it belongs, and loses none', () => {
  const amount = fc.oneof(
    fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    fc.tuple(fc.constantFrom(1, 2, 5), fc.integer({ min: -9, max: 12 })).map(([m, e]) => Number(`${m}e${e}`)),
    fc.constantFrom(1e-6, 1e15, 0),
  );
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 30 }), (dollars) => {
      const bins = recordsOf(volumeDistribution(markets(...dollars)));
      for (const { low, high, markets: count } of bins) {
        const here = dollars.filter((each) => (high === 0 ? each === 0 : each >= low && each < high && each > 0));
        expect([low, count]).toEqual([low, here.length]);
      }
      const whole = bins.filter(({ high }) => high > 0);
      expect(whole.slice(1).map(({ low }) => low)).toEqual(whole.slice(0, -1).map(({ high }) => high));
      expect(bins.reduce((sum, { markets: count }) => sum + count, 0)).toBe(dollars.length);
    }),
  );
});

it('takes amounts of any size', () => {
  const bins = recordsOf(volumeDistribution(markets(1e-300, Number.MAX_VALUE))).filter((row) => row.markets > 0);
  expect(bins.map(({ low, high }) => [low, high])).toEqual([
    [1e-300, 2e-300],
    [1e308, Number.POSITIVE_INFINITY],
  ]);
  const [least] = recordsOf(volumeDistribution(markets(Number.MIN_VALUE, 1e-310)));
  expect([least?.low, least?.markets]).toEqual([Number.MIN_VALUE, 1]);
});

it('leaves out missing volumes, and has no rows without a market', () => {
  expect(recordsOf(volumeDistribution(markets(Number.NaN, 3)))).toEqual([bin(2, 5, 1, 3, [1, 1])]);
  expect(recordsOf(volumeDistribution(markets(0)))).toEqual([bin(0, 0, 1, 0, [1, Number.NaN])]);
  const empty = volumeDistribution(new DataFrame([], { columns: ['volume_total'], dtypes: ['float32'] }));
  expect([empty.shape[0], empty.columns.length]).toEqual([0, 6]);
  expect(column(volumeDistribution(markets(Number.NaN)), 'low')).toHaveLength(0);
});

it('names what is wrong', () => {
  expect(() => volumeDistribution(new DataFrame({ volume: [1] }))).toThrow(/no column "volume_total"/);
  expect(() => volumeDistribution(markets(2, -1))).toThrow(/holds -1 in row 1/);
});
