import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import fc from '../../support/fast-check.js';

interface Tensor {
  shape: number[];
  arraySync(): unknown;
  transpose(): Tensor;
  add(other: Tensor | number): Tensor;
  sub(other: Tensor): Tensor;
  mul(other: Tensor): Tensor;
  mod(other: Tensor): Tensor;
  divNoNan(other: Tensor): Tensor;
  max(axis?: number): Tensor;
  min(axis?: number): Tensor;
  argMax(): Tensor;
  argMin(): Tensor;
  mean(axis?: number): Tensor;
  sqrt(): Tensor;
}

interface Tensorflow {
  Tensor: new (...given: never[]) => Tensor;
  scalar(value: number): Tensor;
  tensor1d(values: readonly unknown[], dtype?: string): Tensor;
  tensor2d(values: readonly unknown[], shape?: readonly number[]): Tensor;
  moments(tensor: Tensor, axis: number): { mean: Tensor; variance: Tensor };
  data: {
    array(items: readonly number[]): {
      shuffle(buffer: number, seed: string): { take(count: number): { toArray(): Promise<number[]> } };
    };
  };
}

interface Statistics {
  mean(values: readonly number[]): number;
  median(values: readonly number[]): number;
  mode<Value>(values: readonly Value[]): Value[];
  std(values: readonly number[]): number;
  variance(values: readonly number[]): number;
}

const require = createRequire(import.meta.url);
const tf = require('../../../vendor/tfjs-shim/index.js') as Tensorflow;
const statistics = require('../../../vendor/tfjs-shim/statistics.js') as Statistics;

describe('tensors', () => {
  const matrix = tf.tensor2d([
    [1, 2, 3],
    [4, 5, 6],
  ]);

  test('stretch lengths of one and keep doubles', () => {
    expect(matrix.add(16777216.5).arraySync()).toEqual([
      [16777217.5, 16777218.5, 16777219.5],
      [16777220.5, 16777221.5, 16777222.5],
    ]);
    expect(matrix.mul(tf.tensor2d([10, 100], [2, 1])).arraySync()).toEqual([
      [10, 20, 30],
      [400, 500, 600],
    ]);
    expect(matrix.sub(tf.tensor1d([1, 1, 1])).arraySync()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(() => matrix.add(tf.tensor1d([1, 2]))).toThrow('Shapes do not fit each other: 3 against 2');
    expect(() => tf.tensor2d([[1, 2], [3]])).toThrow('rows must be of equal length');
  });

  test('read what danfo puts in: booleans, missing values, decimal text', () => {
    const read = tf.tensor1d([true, false, null, undefined, '', '1.5', 'x']).arraySync();
    expect(read).toEqual([1, 0, Number.NaN, Number.NaN, Number.NaN, 1.5, Number.NaN]);
    expect(tf.tensor1d(['x'], 'string').arraySync()).toEqual(['x']);
    expect(tf.tensor2d([], [0, 2]).arraySync()).toEqual([]);
  });

  test('take remainders with the sign of the divisor, and 0 for a division by 0', () => {
    const left = tf.tensor1d([7, -7, 7, -7]);
    expect(left.mod(tf.tensor1d([3, 3, -3, -3])).arraySync()).toEqual([1, 2, -2, -1]);
    expect(left.divNoNan(tf.tensor1d([0, 0, 2, 2])).arraySync()).toEqual([0, 0, 3.5, -3.5]);
  });

  test('fold along an axis', () => {
    expect(matrix.max(0).arraySync()).toEqual([4, 5, 6]);
    expect(matrix.min(1).arraySync()).toEqual([1, 4]);
    expect(matrix.mean().arraySync()).toBe(3.5);
    expect(tf.tensor1d([1, Number.NaN]).max().arraySync()).toBeNaN();
    const { mean, variance } = tf.moments(matrix, 0);
    expect([mean.arraySync(), variance.sqrt().arraySync()]).toEqual([
      [2.5, 3.5, 4.5],
      [1.5, 1.5, 1.5],
    ]);
    expect(tf.moments(matrix, 1).variance.arraySync()).toEqual([2 / 3, 2 / 3]);
  });

  test('name the place of the first greatest and least value, missing ones left out', () => {
    const places = (values: unknown[]) => {
      const vector = tf.tensor1d(values);
      return [vector.argMax().arraySync(), vector.argMin().arraySync()];
    };
    expect(places([3, 1, 7, 7, 1])).toEqual([2, 1]);
    expect(places([null, 2, Number.NaN, -0.5])).toEqual([1, 3]);
    expect(places([Number.NEGATIVE_INFINITY])).toEqual([0, 0]);
    expect(places([false, true])).toEqual([1, 0]);
    expect([places([]), places([null])]).toEqual([
      [-1, -1],
      [-1, -1],
    ]);
    expect(() => tf.tensor1d(['x'], 'string').argMax()).toThrow('convert the values first');
  });

  test('transpose twice to themselves', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double()), { minLength: 1 }), (rows) => {
        expect(tf.tensor2d(rows).transpose().transpose().arraySync()).toEqual(rows);
      }),
    );
  });
});

test('shuffles keep all items and repeat by their seed', async () => {
  const items = Array.from({ length: 50 }, (_, at) => at);
  const shuffled = await tf.data.array(items).shuffle(5, '1').take(50).toArray();
  expect(shuffled).not.toEqual(items);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
  expect(await tf.data.array(items).shuffle(5, '1').take(3).toArray()).toEqual(shuffled.slice(0, 3));
  expect(await tf.data.array(items).shuffle(5, '2').take(50).toArray()).not.toEqual(shuffled);
});

test('statistics agree with those of mathjs', () => {
  const mathjs = require('mathjs') as Statistics;
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 });
  fc.assert(
    fc.property(values, (list) => {
      expect(statistics.median(list)).toBe(mathjs.median(list));
      expect(statistics.mode(list).toSorted()).toEqual(mathjs.mode(list).toSorted());
      expect(statistics.mean(list)).toBeCloseTo(mathjs.mean(list), 9);
      expect(statistics.std(list)).toBeCloseTo(mathjs.std(list), 9);
      expect(statistics.variance(list)).toBeCloseTo(mathjs.variance(list), 6);
    }),
  );
  expect(() => statistics.mean([])).toThrow('empty array');
});
