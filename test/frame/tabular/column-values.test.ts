import { describe, expect, expectTypeOf, test } from 'vitest';
import { ColumnError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { column, numericColumn } from '../../../src/frame/tabular/column-values.js';

interface Row {
  pnl: number | null;
  wallet: string;
  note: string | null;
  closed: boolean;
}

const frame = new DataFrame<Row>([
  { pnl: 1.5, wallet: '0x1', note: null, closed: true },
  { pnl: null, wallet: '0x2', note: 'late', closed: false },
]);

describe('column', () => {
  test('answers doubles, text and booleans by the type of the column', () => {
    expect(column(frame, 'pnl')).toEqual(Float64Array.of(1.5, Number.NaN));
    expect(column(frame, 'wallet')).toEqual(['0x1', '0x2']);
    expect(column(frame, 'note')).toEqual([null, 'late']);
    expect(column(frame, 'closed')).toEqual([true, false]);
    expectTypeOf(column(frame, 'pnl')).toEqualTypeOf<Float64Array>();
    expectTypeOf(column(frame, 'wallet')).toEqualTypeOf<string[]>();
    expectTypeOf(column(frame, 'note')).toEqualTypeOf<(string | null)[]>();
    expectTypeOf(column(frame, 'closed')).toEqualTypeOf<boolean[]>();
  });

  test('is a copy', () => {
    column(frame, 'pnl').fill(0);
    expect(column(frame, 'pnl')[0]).toBe(1.5);
  });

  test('names the nearest column where there is none of the name', () => {
    // @ts-expect-error A misspelt name is a type error.
    expect(() => column(frame, 'pnll')).toThrow(new ColumnError('The frame has no column "pnll". Did you mean "pnl"?'));
    const untyped: DataFrame = frame;
    expect(() => column(untyped, 'x')).toThrow('The frame has no column "x". It has pnl, wallet, note, closed.');
  });

  test('refuses mixed values', () => {
    const mixed = new DataFrame({ a: [1, 'x'] });
    expect(() => column(mixed, 'a')).toThrow('The column "a" mixes number and string values');
  });

  test('gives dates as text and an all-missing column by its dtype', () => {
    const dates = new DataFrame({ at: [new Date(0)] });
    expect(column(dates as DataFrame, 'at')).toEqual(['1970-01-01T00:00:00Z']);
    const missing = new DataFrame([[Number.NaN, null]], { columns: ['a', 'b'], dtypes: ['float32', 'string'] });
    expect(column(missing, 'a')).toEqual(Float64Array.of(Number.NaN));
    expect(column(missing, 'b')).toEqual([null]);
  });

  test('of unknown rows takes any name, and every typed frame is such a frame', () => {
    const untyped: DataFrame = frame;
    expectTypeOf(column(untyped, 'anything-at-all'.slice(0, 0) || 'pnl')).toEqualTypeOf<
      Float64Array | (string | null)[] | (boolean | null)[]
    >();
    expectTypeOf(frame.wallet.values).toEqualTypeOf<string[]>();
    const narrower: DataFrame<{ pnl: number | null }> = frame;
    expect(column(narrower, 'pnl')[0]).toBe(1.5);
  });
});

test('numericColumn refuses text', () => {
  expect(numericColumn(frame, 'pnl')).toEqual(Float64Array.of(1.5, Number.NaN));
  expect(() => numericColumn(frame, 'wallet')).toThrow('The column "wallet" holds text, but numbers are needed.');
  expect(() => numericColumn(frame, 'closed')).toThrow('The column "closed" holds booleans');
});
