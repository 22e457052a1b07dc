import { describe, expect, test } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { withColumns } from '../../../src/frame/verbs/with-columns.js';
import fc from '../../support/fast-check.js';

const frame = () => new DataFrame({ wallet: ['a', 'b', 'c'], pnl: [3, -1, Number.NaN], invested: [6, 4, 0] });

describe('withColumns', () => {
  test('computes columns from rows, and leaves the frame as it was', () => {
    const before = frame();
    const after = withColumns(before, {
      roi: (row) => row.pnl / row.invested,
      won: (row) => row.pnl > 0,
      place: (_, at) => `#${at}`,
    });
    expect(after.columns).toEqual(['wallet', 'pnl', 'invested', 'roi', 'won', 'place']);
    expect(after.values).toEqual([
      ['a', 3, 6, 0.5, true, '#0'],
      ['b', -1, 4, -0.25, false, '#1'],
      ['c', Number.NaN, 0, Number.NaN, false, '#2'],
    ]);
    expect(
      columnsOf(after)
        .slice(3)
        .map(({ dtype }) => dtype),
    ).toEqual(['float64', 'boolean', 'string']);
    expect(before.columns).toEqual(['wallet', 'pnl', 'invested']);
    expect(column(after, 'roi')).toEqual(Float64Array.of(0.5, -0.25, Number.NaN));
  });

  test('takes lists, and replaces a column in its place, from the old values', () => {
    const after = withColumns(frame(), { pnl: (row) => -row.pnl, double: (row) => row.pnl * 2, tag: [null, 'x', 'y'] });
    expect(after.columns).toEqual(['wallet', 'pnl', 'invested', 'double', 'tag']);
    expect(column(after, 'pnl')).toEqual(Float64Array.of(-3, 1, Number.NaN));
    expect(column(after, 'double')).toEqual(Float64Array.of(6, -2, Number.NaN));
    expect(column(after, 'tag')).toEqual([null, 'x', 'y']);
    const typed = Float64Array.of(1, 2, 3);
    const copied = withColumns(frame(), { typed });
    typed[0] = 9;
    expect(column(copied, 'typed')).toEqual(Float64Array.of(1, 2, 3));
  });

  test('refuses what does not fit', () => {
    expect(() => withColumns(frame(), { a: [1, 2] })).toThrow('has 2 values, but the frame has 3 rows');
    expect(() => withColumns(frame(), { a: (row) => Reflect.get(row, 'pnll') })).toThrow('Did you mean "pnl"?');
    expect(() => withColumns(frame(), { a: 5 as never })).toThrow('needs a function of a row or a list for "a"');
  });

  test('of an empty frame has no rows', () => {
    const empty = withColumns(new DataFrame([], { columns: ['a'] }), { b: () => 1, c: [] });
    expect([empty.shape[0], empty.columns]).toEqual([0, ['a', 'b', 'c']]);
  });

  test('agrees with a map over the rows', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true })), (values) => {
        const made = withColumns(new DataFrame([], { columns: [] }), {});
        expect(made.shape[1]).toBe(0);
        if (values.length === 0) return;
        const squared = withColumns(new DataFrame({ value: values }), { squared: (row) => row.value ** 2 });
        expect([...column(squared, 'squared')]).toEqual(values.map((value) => value ** 2));
      }),
    );
  });
});

test('refuses a function whose braces return nothing, as filterRows does', () => {
  const frame = new DataFrame({ pnl: [1, -1] });
  const silent = ((row: { pnl: number }) => {
    row.pnl > 0;
  }) as unknown as () => boolean;
  expect(() => withColumns(frame, { won: silent })).toThrow(
    'The function for "won" has braces but returns nothing: write { return row.pnl > 0; }.',
  );
});
