import { expect, test } from 'vitest';
import { lazyText } from '../../../src/frame/decode/text-builder.js';
import { takeVector } from '../../../src/frame/vector/take-vector.js';
import { cellsOf, MISSING_MICROS, type Vector } from '../../../src/frame/vector/vector.js';

test('taking rows of text whose words are not made yet makes none, and once read they are right', () => {
  let made = 0;
  const lazy = lazyText(Int32Array.of(0, 1, -1), false, () => {
    made += 1;
    return ['a', 'b'];
  });
  const taken = takeVector(lazy, Uint32Array.of(2, 1));
  const missing = takeVector(taken, Int32Array.of(-1, 1, 0));
  expect(made).toBe(0);
  expect([cellsOf(missing), cellsOf(taken), cellsOf(lazy)]).toEqual([
    [null, 'b', null],
    [null, 'b'],
    ['a', 'b', null],
  ]);
  expect(made).toBe(1);
});

test.each([0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 19])(
  '%i rows are taken as given, of every kind, repeated and not in order',
  (many) => {
    const rows = Array.from({ length: many }, (_, at) => (at * 5 + 2) % 7);
    const vectors: Vector[] = [
      { kind: 'number', values: Float64Array.of(1.5, -0, Number.NaN, 3, 4, 5, 6) },
      { kind: 'micros', values: BigInt64Array.of(1n, 2n, MISSING_MICROS, 3n, 4n, 5n, 6n) },
      { kind: 'text', codes: Int32Array.of(0, 1, -1, 0, 1, 0, 1), words: ['a', 'b'], distinct: true },
      { kind: 'boolean', values: Int8Array.of(0, 1, -1, 1, 1, 0, 0) },
    ];
    for (const vector of vectors) {
      const expected = rows.map((row) => cellsOf(vector)[row]);
      expect(cellsOf(takeVector(vector, Uint32Array.from(rows)))).toEqual(expected);
      expect(cellsOf(takeVector(vector, Int32Array.from(rows)))).toEqual(expected);
    }
  },
);
