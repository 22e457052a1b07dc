import { describe, expect, expectTypeOf, test } from 'vitest';
import { ColumnError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns } from '../../../src/frame/danfo/frame-from-vectors.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { max, min } from '../../../src/frame/verbs/extreme.js';
import { groupBy } from '../../../src/frame/verbs/group-by.js';
import { count } from '../../../src/frame/verbs/measure.js';
import { pivot } from '../../../src/frame/verbs/pivot.js';
import { sortBy, topN } from '../../../src/frame/verbs/sort-by.js';
import { mean, std, sum } from '../../../src/frame/verbs/sum-and-mean.js';
import fc from '../../support/fast-check.js';

interface Row {
  wallet: string | null;
  pnl: number;
}

const COLUMNS: Column[] = [
  { name: 'wallet', dtype: 'string', nullable: true, meaning: 'Address.' },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Profit.' },
];

const frameOf = (...rows: [string | null, number][]) =>
  frameFromColumns<Row>(COLUMNS, [rows.map(([wallet]) => wallet), rows.map(([, pnl]) => pnl)]);

describe('sortBy', () => {
  const frame = frameOf(['b', 1], [null, 3], ['a', Number.NaN], ['B', -5], ['b', 0.5]);

  test('sorts by several keys, with missing values last either way', () => {
    expect(sortBy(frame, 'pnl').values).toEqual([
      ['B', -5],
      ['b', 0.5],
      ['b', 1],
      [null, 3],
      ['a', Number.NaN],
    ]);
    expect(column(sortBy(frame, { column: 'pnl', descending: true }), 'pnl')).toEqual(
      Float64Array.of(3, 1, 0.5, -5, Number.NaN),
    );
    expect(sortBy(frame, ['wallet', { column: 'pnl', descending: true }]).values).toEqual([
      ['B', -5],
      ['a', Number.NaN],
      ['b', 1],
      ['b', 0.5],
      [null, 3],
    ]);
  });

  test('leaves its frame as it was, keeps what is known of the columns, and takes an empty one', () => {
    expect(columnsOf(sortBy(frame, 'pnl'))).toEqual(COLUMNS);
    expect(frame.values[0]).toEqual(['b', 1]);
    expect(sortBy(frameOf(), 'pnl').shape).toEqual([0, 2]);
    // @ts-expect-error A misspelt name is a type error.
    expect(() => sortBy(frame, 'pln')).toThrow(ColumnError);
  });

  test('is stable and agrees with a plain sort', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }))), (rows) => {
        const plain = rows.toSorted((a, b) => a[1] - b[1]);
        expect(sortBy(frameOf(...rows), 'pnl').values).toEqual(plain);
      }),
    );
  });
});

test('topN takes the greatest values', () => {
  const frame = frameOf(['a', 1], ['b', Number.NaN], ['c', 7], ['d', 7]);
  expect(topN(frame, 2, 'pnl').values).toEqual([
    ['c', 7],
    ['d', 7],
  ]);
  expect(topN(frame, 9, 'pnl').shape).toEqual([4, 2]);
  expect(topN(frame, 0, 'pnl').shape).toEqual([0, 2]);
  expect(() => topN(frame, -1, 'pnl')).toThrow('The count of topN must be a whole number from 0; got -1.');
  // @ts-expect-error A number as text.
  expect(() => topN(frame, '5', 'pnl')).toThrow('The count of topN must be a whole number from 0; got "5".');
});

describe('groupBy', () => {
  test('shows the key of -0 as 0, whichever comes first', () => {
    const f = new DataFrame({ k: [-0, 0, 1], v: [1, 2, 4] });
    expect(groupBy(f, 'k').rollup({ n: count() }).values).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(pivot(f, { rows: 'k', columns: 'v', values: count() }).values.map(([k]) => k)).toEqual([0, 1]);
  });

  test('measures each group, missing values left out', () => {
    const frame = frameOf(['b', 1], [null, 3], ['', 4], ['b', 2.5], ['c', Number.NaN], ['b', Number.NaN]);
    const groups = groupBy(frame, 'wallet').rollup({
      total: sum('pnl'),
      average: mean('pnl'),
      least: min('pnl'),
      most: max('pnl'),
      rows: count(),
      known: count('pnl'),
    });
    expectTypeOf(column(groups, 'total')).toEqualTypeOf<Float64Array>();
    expectTypeOf(column(groups, 'wallet')).toEqualTypeOf<(string | null)[]>();
    expect(groups.columns).toEqual(['wallet', 'total', 'average', 'least', 'most', 'rows', 'known']);
    expect(groups.values).toEqual([
      ['b', 3.5, 1.75, 1, 2.5, 3, 2],
      [null, 3, 3, 3, 3, 1, 1],
      ['', 4, 4, 4, 4, 1, 1],
      ['c', 0, Number.NaN, Number.NaN, Number.NaN, 1, 0],
    ]);
    expect(columnsOf(groups)[1]).toEqual({
      ...{ name: 'total', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Sum of pnl.' },
    });
  });

  test('keeps keys apart that joined text would confuse, and takes names of members of objects', () => {
    const frame = new DataFrame({ a: ['x-y', 'x', 'constructor'], b: ['z', 'y-z', '__proto__'], v: [1, 2, 3] });
    expect(groupBy(frame, ['a', 'b']).rollup({ v2: sum('v') }).values).toEqual([
      ['x-y', 'z', 1],
      ['x', 'y-z', 2],
      ['constructor', '__proto__', 3],
    ]);
  });

  test('of no rows answers no groups, and no key one group', () => {
    expect(groupBy(frameOf(), 'wallet').rollup({ total: sum('pnl') }).shape).toEqual([0, 2]);
    expect(groupBy(frameOf(['a', 1], ['b', 2]), []).rollup({ total: sum('pnl') }).values).toEqual([[3]]);
  });

  test('refuses what it cannot measure', () => {
    const groups = groupBy(frameOf(['a', 1]), 'wallet');
    // @ts-expect-error A sum of text.
    expect(() => groups.rollup({ total: sum('wallet') })).toThrow('The column "wallet" holds text');
    expect(() => groups.rollup({ wallet: sum('pnl') })).toThrow('The measure "wallet" is named like a key');
  });

  test('partitions the rows: group sums add up to the whole', () => {
    const row = fc.tuple(fc.option(fc.constantFrom('a', 'b', '')), fc.integer());
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const groups = groupBy(frameOf(...rows), 'wallet').rollup({ total: sum('pnl'), rows: count() });
        const add = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
        expect(add(column(groups, 'total'))).toBe(rows.reduce((total, [, value]) => total + value, 0));
        expect(add(column(groups, 'rows'))).toBe(rows.length);
        expect(groups.shape[0]).toBe(new Set(rows.map(([wallet]) => wallet)).size);
      }),
    );
  });

  test('takes numbers whose sum or squares no double holds', () => {
    const frame = frameOf(
      ['a', 1e308],
      ['a', 1.5e308],
      ['b', -Number.MAX_VALUE],
      ['b', -Number.MAX_VALUE],
      ['c', 1e-201],
      ['c', 3e-201],
      ['d', 1],
      ['d', 3],
    );
    const rows = groupBy(frame, 'wallet').rollup({ middle: mean('pnl'), spread: std('pnl') });
    expect(column(rows, 'middle')).toEqual(Float64Array.of(1.25e308, -Number.MAX_VALUE, 2e-201, 2));
    const expected = [Math.SQRT1_2 * 5e307, 1, Math.SQRT2 * 1e-201, Math.SQRT2];
    const ratios = column(rows, 'spread').map((spread, at) => spread / (expected[at] as number));
    expect(Array.from(ratios, (ratio) => Number(ratio.toFixed(12)))).toEqual([1, 0, 1, 1]);
  });

  test('knows no deviation from an infinite mean, as of returns on nothing', () => {
    const { POSITIVE_INFINITY: infinity, NEGATIVE_INFINITY: least, NaN: nan } = Number;
    const frame = frameOf(
      ['a', infinity],
      ['a', infinity],
      ['b', infinity],
      ['b', least],
      ['b', 5],
      ['c', infinity],
      ['c', 1],
      ['d', 1],
      ['d', 3],
    );
    const spread = groupBy(frame, 'wallet').rollup({ spread: std('pnl') });
    expect(column(spread, 'spread')).toEqual(Float64Array.of(nan, nan, nan, Math.SQRT2));
  });
});

test('a rollup reads each column once, however many measures there are', () => {
  const names = Array.from({ length: 999 }, (_, at) => `c${at}`);
  // Neither kept as vectors nor described: everything that is asked of a column goes over its values.
  const frame = new DataFrame(Object.fromEntries(names.map((name) => [name, [1, 2, 3, 4]])));
  let read = 0;
  const arrays = frame.getColumnData;
  const counted = {
    columns: frame.columns,
    shape: frame.shape,
    getColumnData: new Proxy(arrays, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) read += 1;
        return Reflect.get(target, key);
      },
    }),
  };
  const measures = Object.fromEntries(names.map((name) => [`sum ${name}`, sum(name)]));
  const sums = groupBy(counted as never, []).rollup(measures);
  expect(sums.values).toEqual([names.map(() => 10)]);
  expect(read).toBeLessThan(20 * names.length);
});
