import { describe, expect, test } from 'vitest';
import { AnswerError, UsageError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../../src/frame/decode/frame-from-records.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { topN } from '../../../src/frame/verbs/sort-by.js';

const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;

describe('columns that are inferred', () => {
  test.each([
    [[9.5, nan, 10.5], 'float64', [9.5, nan, 10.5]],
    [[1.5, infinity, -infinity], 'float64', [1.5, infinity, -infinity]],
    [[1, nan, null], 'int32', [1, nan, nan]],
    [[nan, null], 'float64', [nan, nan]],
    [['1.5', nan], 'float64', [1.5, nan]],
    [[true, nan], 'boolean', [true, null]],
    [['a', nan], 'string', ['a', null]],
    [['2025-11-05', nan], 'datetime', ['2025-11-05', null]],
    [[null, undefined], 'string', [null, null]],
  ])('of %j are %s', (values, dtype, cells) => {
    const frame = frameFromRecords<{ v: unknown }>(
      [],
      values.map((v) => ({ v })),
    );
    expect(columnsOf(frame)).toMatchObject([{ dtype }]);
    expect(recordsOf(frame).map(({ v }) => v)).toEqual(cells);
  });

  test('of numbers sort by size, missing ones last', () => {
    const frame = frameFromRecords([], [{ roi: 9.5 }, { roi: nan }, { roi: 10.5 }]);
    expect(recordsOf(topN(frame, 3, 'roi'))).toEqual([{ roi: 10.5 }, { roi: 9.5 }, { roi: nan }]);
  });
});

test('the records of a frame give the same columns again, missing values included', () => {
  const frame = new DataFrame({
    whole: [1, nan, -3],
    double: [0.5, nan, infinity],
    text: ['a', null, 'b'],
    time: ['2025-11-05', null, '2025-11-05T00:00:00.500Z'],
    verdict: [true, null, false],
    numbers: [nan, nan, nan],
    nothing: [null, null, null],
  });
  const again = frameFromRecords(columnsOf(frame), [...recordsOf(frame)]);
  expect(columnsOf(again)).toEqual(columnsOf(frame));
  expect(recordsOf(again)).toEqual(recordsOf(frame));
  expect(vectorsOf(again).map(({ kind }) => kind)).toEqual(vectorsOf(frame).map(({ kind }) => kind));
});

test('Dates are moments, as in new DataFrame; what no column can hold is refused in words', () => {
  const records = [
    { d: new Date(0), n: 1 },
    { d: null, n: 2 },
    { d: new Date('2026-01-02T03:04:05.678Z'), n: 3 },
  ];
  const frame = frameFromRecords<{ d: string | null; n: number }>([], records);
  expect(columnsOf(frame)).toMatchObject([{ name: 'd', dtype: 'datetime', nullable: true }, { dtype: 'int32' }]);
  expect(recordsOf(frame).map(({ d }) => d)).toEqual(['1970-01-01T00:00:00Z', null, '2026-01-02T03:04:05.678Z']);
  expect(records[0]?.d).toEqual(new Date(0));
  const column: Column = { name: 'd', dtype: 'datetime', nullable: false, meaning: '' };
  expect(recordsOf(frameFromRecords([column], [{ d: new Date(0) }]))).toEqual([{ d: '1970-01-01T00:00:00Z' }]);
  for (const [value, what] of [
    [() => 1, 'a function'],
    [Symbol('s'), 'a symbol'],
    [new Map([[1, 2]]), 'a Map'],
    [new Set([1]), 'a Set'],
    [Promise.resolve(1), 'a promise'],
    [new Date(Number.NaN), 'a Date of no time'],
  ] as const) {
    const wrong = () => frameFromRecords([], [{ d: 1 }, { d: value }]);
    expect(wrong, what).toThrow(AnswerError);
    expect(wrong).toThrow(`got ${what} in the field "d" of row 1, counted from 0, but a column holds numbers`);
  }
});

describe('what was forgotten is told with what would be right', () => {
  const given = frameFromRecords as unknown as (...given: readonly unknown[]) => unknown;
  const column: Column = { name: 'a', dtype: 'float64', nullable: false, meaning: '' };
  test.each([
    [[[{ a: 1 }]], 'got no records: give frameFromRecords(columns, records)'],
    [[[column], null], 'got records of type null'],
    [[undefined, [{ a: 1 }]], 'got undefined as columns'],
    [[[{ a: 1 }], [{ a: 1 }]], 'got {"a":1} as a column: a column is { name:'],
    [[['a'], [{ a: 1 }]], 'got "a" as a column'],
    [[[{ ...column, dtype: 'number' }], []], 'as a column'],
  ])('%j', (values, message) => {
    expect(() => given(...values)).toThrow(UsageError);
    expect(() => given(...values)).toThrow(message);
    expect(() => given(...values)).toThrow('make new DataFrame(records)');
  });
});
