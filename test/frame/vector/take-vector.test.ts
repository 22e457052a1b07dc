import { expect, test } from 'vitest';
import { lazyText } from '../../../src/frame/decode/text-builder.js';
import { runsOf, takeVector } from '../../../src/frame/vector/take-vector.js';
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

test('rows that follow one another are taken at once, of every kind, and are those that are taken one by one', () => {
  const all = 3000;
  const vectors: Vector[] = [
    { kind: 'number', values: Float64Array.from({ length: all }, (_, row) => (row % 7 ? row / 4 : Number.NaN)) },
    {
      kind: 'micros',
      values: BigInt64Array.from({ length: all }, (_, row) => (row % 7 ? BigInt(row) : MISSING_MICROS)),
    },
    {
      kind: 'text',
      codes: Int32Array.from({ length: all }, (_, row) => (row % 3) - 1),
      words: ['a', 'b'],
      distinct: true,
    },
    { kind: 'boolean', values: Int8Array.from({ length: all }, (_, row) => (row % 3) - 1) },
    { kind: 'mixed', cells: Array.from({ length: all }, (_, row) => (row % 2 ? row : `${row}`)) },
  ];
  const every = Array.from({ length: all }, (_, row) => row);
  // All but one in a hundred, the first and the last ones among them or not; two parts in another order; one row; none.
  const chosen = [
    every,
    every.filter((row) => row % 100 !== 0),
    every.filter((row) => row % 100 !== 99),
    [...every.slice(1500), ...every.slice(100, 1500)],
    [7],
    [],
  ];
  for (const rows of chosen.map((list) => Uint32Array.from(list))) {
    const runs = runsOf(rows);
    expect(runs).toBeDefined();
    for (const vector of vectors) expect(takeVector(vector, rows, runs)).toEqual(takeVector(vector, rows));
  }
  expect(runsOf(Uint32Array.from(every.slice(0, 300)))).toEqual([[0, 300]]);
  // Short runs, at first and later on.
  expect(runsOf(Uint32Array.from(every.filter((row) => row % 5 !== 0)))).toBeUndefined();
  expect(runsOf(Uint32Array.from(every.filter((row) => row < 400 || row % 2 === 0)))).toBeUndefined();
});
