import { describe, expect, test } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { count } from '../../../src/frame/verbs/measure.js';
import { pivot } from '../../../src/frame/verbs/pivot.js';
import { sum } from '../../../src/frame/verbs/sum-and-mean.js';
import { frameOf, rawRows } from './random-frames.js';

const frame = frameOf([
  { text: 'a', number: 1, flag: true, money: 1n },
  { text: 'b', number: 2, flag: null, money: 2n },
  { text: 'a', number: 1, flag: true, money: 4n },
  { text: 'a', number: 1, flag: false, money: null },
]);

describe('pivot', () => {
  test('spreads a measure over columns, exact amounts staying exact', () => {
    const table = pivot(frame, { rows: 'text', columns: 'flag', values: sum('money') });
    expect(table.columns).toEqual(['text', 'true', 'null', 'false']);
    expect(rawRows(table)).toEqual([
      ['a', 5n, null, 0n],
      ['b', null, 2n, null],
    ]);
    expect(columnsOf(table)[1]).toEqual({
      ...{ name: 'true', dtype: 'float64', unit: 'USD', nullable: true, decimal: true },
      meaning: 'Sum of money where flag is true.',
    });
  });

  test('takes the columns that are named, in their order, also one without rows', () => {
    const table = pivot(frame, {
      rows: ['text', 'number'],
      columns: 'flag',
      values: count(),
      names: ['false', 'maybe'],
    });
    expect(table.columns).toEqual(['text', 'number', 'false', 'maybe']);
    expect(table.values).toEqual([
      ['a', 1, 1, Number.NaN],
      ['b', 2, Number.NaN, Number.NaN],
    ]);
  });

  test('names columns by numbers and members of objects, and takes no rows', () => {
    const odd = new DataFrame({ k: ['x', 'x', 'x'], n: ['__proto__', 'constructor', 'size'], v: [1, 2, 3] });
    const table = pivot(odd, { rows: 'k', columns: 'n', values: sum('v') });
    expect(table.columns).toEqual(['k', '__proto__', 'constructor', 'size']);
    expect(table.values).toEqual([['x', 1, 2, 3]]);
    expect(pivot(odd, { rows: 'k', columns: 'v', values: count() }).columns).toEqual(['k', '1', '2', '3']);
    expect(pivot(frameOf([]), { rows: 'text', columns: 'flag', values: count() }).shape).toEqual([0, 1]);
  });

  test('refuses two columns of one name', () => {
    const clash = new DataFrame({ k: ['x', 'y'], n: ['k', null], m: ['null', null], v: [1, 2] });
    expect(() => pivot(clash, { rows: 'k', columns: 'n', values: sum('v') })).toThrow('two columns "k"');
    expect(() => pivot(clash, { rows: 'k', columns: 'm', values: sum('v') })).toThrow('two columns "null"');
  });
});
