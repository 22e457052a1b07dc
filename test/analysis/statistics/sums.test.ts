import { describe, expect, it } from 'vitest';
import { roi } from '../../../src/analysis/roi.js';
import { sum } from '../../../src/analysis/statistics/sums.js';
import { winRate } from '../../../src/analysis/win-rate.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import fc from '../../support/fast-check.js';

const dollars = fc.array(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), { maxLength: 99 });

function framed(columns: Readonly<Record<string, Float64Array>>) {
  return frameFromVectors(
    Object.keys(columns).map((name) => ({ name, dtype: 'float64', nullable: true, meaning: '' }) as const),
    Object.values(columns).map((values) => ({ kind: 'number', values }) as const),
  );
}

describe('sum', () => {
  it('is what the exact sum of the doubles rounds to, or its neighbour', () => {
    fc.assert(
      fc.property(dollars, (whole) => {
        // Eighths are exact as doubles, and as whole numbers once they are taken eightfold.
        const exact = Number(whole.reduce((total, value) => total + BigInt(value), 0n)) / 8;
        expect(sum(whole.map((value) => value / 8))).toBe(exact);
      }),
    );
  });

  it('is infinite beyond all doubles', () => {
    expect([sum([1e308, 1e308]), sum([1e308, -1, 1e308]), sum([-1e308, -1e308, 1])]).toEqual([
      Infinity,
      Infinity,
      -Infinity,
    ]);
    expect(sum([1, Number.NaN])).toBeNaN();
  });

  it('keeps what additions round away, in any order', () => {
    const numbers = [1e16, 1, -1e16, 0.5, 3];
    for (let turn = 0; turn < numbers.length; turn += 1) {
      numbers.push(numbers.shift() ?? 0);
      expect(sum(numbers)).toBe(4.5);
      expect(sum([...numbers, 1])).toBe(5.5);
    }
    expect([sum([]), sum([-0]), sum([7])]).toEqual([0, 0, 7]);
  });
});

describe('totals of long columns', () => {
  const rows = 3 * 16_384 + 5;
  const wins = Float64Array.from({ length: rows }, (_, row) => row % 7);
  const losses = Float64Array.from({ length: rows }, (_, row) => row % 5);
  const total = (values: Float64Array) => values.reduce((all, value) => all + value, 0);

  it('count every row, and again when asked again', () => {
    const frame = framed({ wins, losses });
    const expected = { wins: total(wins), losses: total(losses) };
    expect(winRate(frame)).toMatchObject(expected);
    expect(winRate(frame)).toMatchObject(expected);
  });

  it.each([0, 1, 2, 3, rows - 1, rows - 2])('refuse a negative count in row %i each time', (row) => {
    const frame = framed({ wins, losses: losses.with(row, -1) });
    for (let time = 0; time < 2; time += 1) expect(() => winRate(frame)).toThrow(`holds -1 in row ${row}`);
    const paid = framed({ pnl: wins, invested: losses.with(row, -1) });
    for (let time = 0; time < 2; time += 1) expect(() => roi(paid)).toThrow(`holds -1 in row ${row}`);
  });

  it('see what became of a column that was looked through before', () => {
    const frame = new DataFrame({ wins: [1, 2], losses: [0, 1] });
    expect(winRate(frame)).toMatchObject({ wins: 3, losses: 1 });
    frame.addColumn('losses', [0, -1], { inplace: true });
    expect(() => winRate(frame)).toThrow('holds -1 in row 1');
    expect(winRate(framed({ wins, losses: losses.with(4, Number.NaN) }))).toMatchObject({ wins: total(wins) - 4 });
  });
});
