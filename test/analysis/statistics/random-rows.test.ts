import { describe, expect, it } from 'vitest';
import { randomRows } from '../../../src/analysis/statistics/random-rows.js';

/** Counts of each number below a bound. */
function timesOf(rows: Iterable<number>, below: number): number[] {
  const times = new Array<number>(below).fill(0);
  for (const row of rows) times[row] = (times[row] ?? 0) + 1;
  return times;
}

/** The generator as its authors state it, with big integers: the rows in the order of drawing. */
function drawnOneByOne(seed: number, count: number, below: number): number[] {
  const word = (value: bigint) => BigInt.asUintN(32, value);
  const turn = (value: bigint, by: bigint) => word((value << by) | (value >> (32n - by)));
  const mixed = (value: bigint) => {
    const one = word((word(value) ^ (word(value) >> 16n)) * 0x21f0aaadn);
    const two = word((one ^ (one >> 15n)) * 0x735a2d97n);
    return two ^ (two >> 15n);
  };
  const at = (place: bigint) => mixed(BigInt(seed) + word(place * 0x9e3779b9n));
  let [a, b, c, d] = [at(1n), at(2n), at(3n), at(4n)];
  return Array.from({ length: count }, () => {
    const row = Number((word(turn(word(b * 5n), 7n) * 9n) * BigInt(below)) >> 32n);
    const shifted = word(b << 9n);
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = turn(d, 11n);
    return row;
  });
}

describe('random rows', () => {
  it('are those of xoshiro128**, in the order of the rows', () => {
    const rows = randomRows(7)(1000, 300);
    expect([...rows]).toEqual(drawnOneByOne(7, 1000, 300).sort((a, b) => a - b));
  });

  it('are others with each draw, and as many as were asked for however few there are to draw from', () => {
    const draw = randomRows(1);
    const [first, second] = [draw(2000, 3), draw(2000, 3)];
    const expected = drawnOneByOne(1, 4000, 3);
    expect(timesOf(first, 3)).toEqual(timesOf(expected.slice(0, 2000), 3));
    expect(timesOf(second, 3)).toEqual(timesOf(expected.slice(2000), 3));
    expect(draw(0, 0)).toHaveLength(0);
  });
});
