import { concat, DataFrame as DanfoFrame, Series as DanfoSeries, merge } from 'danfojs-node/dist/danfojs-base/index.js';
import { $toCSV } from 'danfojs-node/dist/danfojs-base/io/node/io.csv.js';
import { describe, expect, test, vi } from 'vitest';
import { ColumnError, UsageError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { toCsv } from '../../../src/frame/csv/to-csv.js';
import { DataFrame, Series } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns } from '../../../src/frame/danfo/frame-from-vectors.js';
import { frameFromRecords } from '../../../src/frame/decode/frame-from-records.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import type { Cell } from '../../../src/frame/vector/vector.js';
import { concatRows } from '../../../src/frame/verbs/concat-rows.js';
import { groupBy } from '../../../src/frame/verbs/group-by.js';
import { joinOn } from '../../../src/frame/verbs/join-on.js';
import { sortBy } from '../../../src/frame/verbs/sort-by.js';
import { sum } from '../../../src/frame/verbs/sum-and-mean.js';

// Each test shows danfo's own answer first, and then ours.

const none = Number.NaN;

const PNL: Column[] = [
  { name: 'wallet', dtype: 'string', nullable: false, meaning: '' },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, decimal: true, meaning: 'Realized.' },
];

test('1: query and iloc after a sort or a filter answer the rows that were asked for', () => {
  const data = { wallet: ['a', 'b', 'c'], pnl: [3, 1, 2] };
  const danfo = new DanfoFrame(data).sortValues('pnl');
  expect(danfo.values[0]).toEqual(['b', 1]);
  expect(danfo.query([true, false, false]).values).toEqual([['c', 2]]);
  expect(danfo.iloc({ rows: [true, false, false] }).values).toEqual([['c', 2]]);

  const ours = new DataFrame(data).sortValues('pnl');
  expect(ours.query([true, false, false]).values).toEqual([['b', 1]]);
  expect(ours.iloc({ rows: [true, false, false] }).values).toEqual([['b', 1]]);
  expect(ours.query(ours.pnl.gt(1)).values).toEqual([
    ['c', 2],
    ['a', 3],
  ]);
  expect(ours.query(ours.pnl.gt(1)).query([false, true]).values).toEqual([['a', 3]]);
  expect(ours.query([false, false, false]).shape).toEqual([0, 2]);
});

test('1: iloc of a Series after a sort answers the values that were asked for', () => {
  expect(new DanfoSeries([3, 1, 2]).sortValues().iloc([true, false, false]).values).toEqual([2]);
  expect(new Series([3, 1, 2]).sortValues().iloc([true, false, false]).values).toEqual([1]);
});

test('1: iloc refuses positions that there are not', () => {
  const data = { wallet: ['a', 'b', 'c'], pnl: [3, 1, 2] };
  expect(() => new DanfoFrame(data).iloc({ rows: [-1] })).toThrow('Cannot read properties of undefined');
  expect(new DanfoSeries(data.pnl).iloc([0, -1]).values).toEqual([3, undefined]);

  const ours = new DataFrame(data);
  for (const at of [-1, 3, 1.5, Number.NaN]) {
    const said = `iloc takes rows by their positions, from 0 to below 3; got ${at}. The last ones come by tail(n).`;
    expect(() => ours.iloc({ rows: [0, at] })).toThrow(new UsageError(said));
    expect(() => new Series(data.pnl).iloc([at])).toThrow(new UsageError(said));
  }
  const said = 'iloc takes columns by their positions, from 0 to below 2; got -1.';
  expect(() => ours.iloc({ columns: [-1] })).toThrow(new UsageError(said));
  expect(ours.iloc({ rows: [2, 0], columns: [1] }).values).toEqual([[2], [3]]);
  expect(ours.iloc({ rows: ['1:'] }).shape).toEqual([2, 2]);
});

test('1: iat refuses positions that there are not', () => {
  const data = { wallet: ['a', 'b', 'c'], pnl: [3, 1, 2] };
  expect(() => new DanfoFrame(data).iat(-1, 0)).toThrow('Cannot read properties of undefined');
  expect(new DanfoSeries(data.pnl).iat(-1)).toBe(undefined);

  const ours = new DataFrame(data);
  const said = 'iat takes rows by their positions, from 0 to below 3; got -1. The last ones come by tail(n).';
  expect(() => ours.iat(-1, 0)).toThrow(new UsageError(said));
  expect(() => ours.pnl.iat(-1)).toThrow(new UsageError(said));
  expect(() => ours.iat(0, 2)).toThrow('iat takes columns by their positions, from 0 to below 2; got 2.');
  expect([ours.iat(2, 0), ours.pnl.iat(2)]).toEqual(['c', 2]);
});

test('1: a condition has one boolean a row', () => {
  const data = { wallet: ['a', 'b', 'c'], pnl: [3, 1, 2] };
  expect(new DanfoFrame(data).query([true]).values).toEqual([['a', 3]]);
  expect(new DanfoSeries(data.pnl).iloc([true]).values).toEqual([3]);

  const ours = new DataFrame(data);
  for (const condition of [[true], [false, true, true, false]]) {
    const said = `A condition has one boolean a row, 3 in all; got ${condition.length}.`;
    expect(() => ours.query(condition)).toThrow(new UsageError(said));
    expect(() => ours.iloc({ rows: condition })).toThrow(new UsageError(said));
    expect(() => ours.pnl.iloc(condition)).toThrow(new UsageError(said));
  }
});

test('2: records with another key order, or without a key, keep their values in place', () => {
  const records = [{ wallet: 'a', pnl: 1.5 }, { pnl: 2, wallet: 'b' }, { wallet: 'c' }];
  expect(new DanfoFrame(records.slice(0, 2)).values[1]).toEqual([2, 'b']);
  expect(new DanfoFrame(records.slice(0, 2), { columns: ['pnl', 'wallet'] }).pnl.values[0]).toBe('a');

  const values = [
    ['a', 1.5],
    ['b', 2],
    ['c', none],
  ];
  expect(frameFromRecords(PNL, records).values).toEqual(values);
  expect(new DataFrame(records).values).toEqual(values);
  expect(new DataFrame(records, { columns: ['pnl', 'wallet'] }).values).toEqual(values.map(([a, b]) => [b, a]));
  expect(new DataFrame(records, { columns: ['who', 'how much'] }).columns).toEqual(['who', 'how much']);
  expect(new DataFrame([{ a: 'x' }, { b: 'y' }]).values).toEqual([
    ['x', null],
    [null, 'y'],
  ]);
  expect(new DataFrame([JSON.parse('{"__proto__":1}'), { a: 2 }]).values).toEqual([
    [1, none],
    [none, 2],
  ]);
});

describe('3: decimal text', () => {
  const records = ['10', '9.5', '2.25'].map((pnl) => ({ wallet: 'a', pnl }));

  test('is summed, averaged and sorted as numbers', () => {
    const danfo = new DanfoFrame(records);
    expect(danfo.groupby(['wallet']).sum().values).toEqual([['a', '109.52.25']]);
    expect(new DanfoFrame(records.slice(0, 1)).pnl.dtype).toBe('int32');
    expect(danfo.pnl.mean()).toBe(none);
    expect(danfo.sortValues('pnl').pnl.values).toEqual(['10', '2.25', '9.5']);

    const ours = frameFromRecords<{ wallet: string; pnl: number }>(PNL, records);
    expect(ours.groupby(['wallet']).sum().values).toEqual([['a', 21.75]]);
    expect(ours.pnl.mean()).toBe(7.25);
    expect(ours.sortValues('pnl').pnl.values).toEqual([2.25, 9.5, 10]);
  });

  test('is text where nobody said that it is a number: sums of it are refused, not glued together', () => {
    const ours = new DataFrame(records);
    expect(ours.dtypes).toEqual(['string', 'string']);
    expect(() => ours.groupby(['wallet']).sum()).toThrow("Can't perform math operation");
    expect(() => ours.pnl.mean()).toThrow('String data type does not support');
  });

  test('is converted by asType without a change to the frame it came from', () => {
    const danfo = new DanfoFrame(records);
    danfo.asType('pnl', 'float32');
    expect(danfo.values[0]).toEqual(['a', 10]);

    const ours = new DataFrame(records);
    expect(ours.asType('pnl', 'float32').column('pnl').values).toEqual([10, 9.5, 2.25]);
    expect(ours.asType('pnl', 'float32').dtypes).toEqual(['string', 'float32']);
    expect([ours.pnl.values, ours.values[0], ours.dtypes]).toEqual([
      ['10', '9.5', '2.25'],
      ['a', '10'],
      ['string', 'string'],
    ]);
    ours.asType('pnl', 'float32', { inplace: true });
    expect(column(ours, 'pnl')).toEqual(Float64Array.of(10, 9.5, 2.25));
    for (const dtype of ['constructor', '__proto__']) {
      expect(() => ours.asType('pnl', dtype as 'string')).toThrow(`dtype ${dtype} not supported`);
    }
  });

  test('is missing where it is no plain decimal, and missing values stay missing', () => {
    const texts = ['', '0x10', '12abc', '-1.5'];
    expect(new DanfoFrame({ a: texts }).asType('a', 'float32').a.values).toEqual([0, 16, none, -1.5]);
    expect(new DanfoFrame({ a: texts }).asType('a', 'int32').a.values).toEqual([none, 16, 12, -1]);
    expect(() => new DanfoFrame({ a: [1, null] }).asType('a', 'string')).toThrow(TypeError);

    const ours = new DataFrame({ a: texts });
    expect(ours.asType('a', 'float32').column('a').values).toEqual([none, none, none, -1.5]);
    expect(ours.asType('a', 'int32').column('a').values).toEqual([none, none, none, -1]);
    expect(new DataFrame({ a: [1, none] }).asType('a', 'string').column('a').values).toEqual(['1', null]);
  });
});

test('4: ids in hexadecimal and empty text are text, whatever stands in the first 20 rows', () => {
  const records = [{ wallet: '0x10', note: '' }];
  expect(new DanfoFrame(records).dtypes).toEqual(['int32', 'int32']);
  const late = { a: [...Array<Cell>(25).fill(1), 'x'] };
  expect(new DanfoFrame(late).dtypes).toEqual(['int32']);

  expect(frameFromRecords([], records).dtypes).toEqual(['string', 'string']);
  expect(new DataFrame(records).dtypes).toEqual(['string', 'string']);
  expect(new DataFrame(late).dtypes).toEqual(['string']);
  expect(new Series(['0x10', '']).dtype).toBe('string');
  const ours = new DataFrame({ a: [1] });
  Reflect.set(ours, 'a', ['0x10']);
  expect(ours.dtypes).toEqual(['string']);
  expect(ours.addColumn('b', ['1']).dtypes).toEqual(['string', 'string']);
});

describe('5: groups', () => {
  const summed = (data: Record<string, readonly Cell[]>, ...keys: string[]) =>
    groupBy(new DataFrame(data), keys).rollup({ v: sum('v') }).values;
  const danfoSummed = (data: Record<string, readonly Cell[]>, dtypes: string[], ...keys: string[]) =>
    new DanfoFrame(data as object, { dtypes }).groupby(keys).sum().values;

  test('keys of several columns do not run into each other', () => {
    const data = { a: ['x-y', 'x'], b: ['z', 'y-z'], v: [1, 2] };
    expect(danfoSummed(data, ['string', 'string', 'int32'], 'a', 'b')).toEqual([['x-y', 'z', 3]]);
    expect(summed(data, 'a', 'b')).toEqual([
      ['x-y', 'z', 1],
      ['x', 'y-z', 2],
    ]);
  });

  test('a missing key is not the empty text', () => {
    const data = { a: ['x', null, undefined, ''], v: [1, 2, 3, 4] };
    expect(danfoSummed(data, ['string', 'int32'], 'a')).toEqual([
      ['x', 1],
      [null, 9],
    ]);
    expect(summed(data, 'a')).toEqual([
      ['x', 1],
      [null, 5],
      ['', 4],
    ]);
  });

  test('a key may be named like a member of an object', () => {
    const data = { a: ['constructor', '__proto__', 'constructor'], v: [1, 2, 3] };
    expect(() => danfoSummed(data, ['string', 'int32'], 'a')).toThrow(TypeError);
    expect(summed(data, 'a')).toEqual([
      ['constructor', 4],
      ['__proto__', 2],
    ]);
  });

  test('a missing value leaves the sum of the others', () => {
    const data = { a: ['x', 'x'], v: [1, none] };
    expect(danfoSummed(data, ['string', 'float32'], 'a')).toEqual([['x', none]]);
    expect(summed(data, 'a')).toEqual([['x', 1]]);
  });

  test('a frame without rows has no groups', () => {
    const options = { columns: ['a', 'v'], dtypes: ['string', 'float32'] };
    expect(() => new DanfoFrame([], options).groupby(['a']).sum()).toThrow(TypeError);
    const ours = groupBy(new DataFrame([], options), 'a').rollup({ v: sum('v') });
    expect([ours.shape, ours.columns]).toEqual([
      [0, 2],
      ['a', 'v'],
    ]);
  });

  test('many groups take time by their number of rows', () => {
    const rows = 100_000;
    const keys = Array.from({ length: rows }, (_, row) => `0x${row % 20_000}`);
    const sums = column(
      groupBy(new DataFrame({ a: keys, v: Array<number>(rows).fill(1) }), 'a').rollup({ v: sum('v') }),
      'v',
    );
    expect([sums.length, sums.every((value) => value === 5)]).toEqual([20_000, true]);
  });
});

test('6: arithmetic and comparison are in doubles', () => {
  // The tensors of the real library hold 32-bit floats; here danfo stands on our arithmetic in both cases.
  expect(Float32Array.of(16777217)[0]).toBe(16777216);

  const ours = new DataFrame({ a: [16777217, 0.1] });
  expect(ours.add(1).values).toEqual([[16777218], [1.1]]);
  expect(ours.gt(16777216).values).toEqual([[true], [false]]);
  expect(ours.mul(0.2).values).toEqual([[16777217 * 0.2], [0.1 * 0.2]]);
});

test('7: CSV is quoted, dates are ISO 8601, and missing numbers are empty', () => {
  const data = { question: ['Yes, or "no"?', ''], volume: [none, 1.5], at: [new Date(0), null] };
  const danfo = new DanfoFrame(data);
  expect(() => danfo.toCSV()).toThrow('deprecated');
  expect($toCSV(danfo)).toMatch(/^question,volume,at\nYes, or "no"\?,NaN,(Thu Jan 01 1970|Wed Dec 31 1969) /);

  const ours = new DataFrame(data);
  const text = 'question,volume,at\n"Yes, or ""no""?",,1970-01-01T00:00:00Z\n"",1.5,\n';
  expect(toCsv(ours)).toBe(text);
  expect(Reflect.get(ours, 'toCSV').call(ours)).toBe(text);
});

describe('8: frames under each other', () => {
  test('leave the given frames alone, and an only column keeps its name', () => {
    const first = new DanfoFrame({ a: [1], b: [2] });
    concat({ dfList: [first, new DanfoFrame({ a: [3], b: [4] })], axis: 0 });
    expect(first.getColumnData).toEqual([
      [1, 3],
      [2, 4],
    ]);
    const only = concat({ dfList: [new DanfoFrame({ a: [1] }), new DanfoFrame({ a: [2] })], axis: 0 });
    expect(only).toBeInstanceOf(DanfoSeries);

    const ours = new DataFrame({ a: [1] });
    const both = concatRows(ours, new DataFrame({ a: [2] }));
    expect([both.columns, both.values, ours.values]).toEqual([['a'], [[1], [2]], [[1]]]);
  });

  test('may be large', () => {
    const rows = 200_000;
    const data = { a: Array<number>(rows).fill(1), b: Array<number>(rows).fill(1) };
    expect(() => concat({ dfList: [new DanfoFrame(data), new DanfoFrame(data)], axis: 0 })).toThrow(RangeError);
    expect(concatRows(new DataFrame(data), new DataFrame(data)).shape).toEqual([2 * rows, 2]);
  });
});

test('9: apply hands over every value at its position, and cumulations pass missing ones by', () => {
  const rows = [
    [1, null, 3],
    [4, 5, 6],
  ];
  const third = (values: Cell[]) => values[2] ?? 'none';
  expect(new DanfoFrame(rows).apply(third).values).toEqual(['none', 6]);
  expect(new DataFrame(rows).apply(third).values).toEqual([3, 6]);
  expect(new DataFrame(rows).apply((values) => values.length, { axis: 0 }).values).toEqual([2, 2, 2]);
  const sorting = new DataFrame({ a: [2, 1] });
  sorting.apply((values) => values.sort()[0] ?? null, { axis: 0 });
  expect(sorting.values).toEqual([[2], [1]]);

  const data = { a: [1, none, 3], b: [3, 2, 4] };
  expect(() => new DanfoFrame(data).cumSum({ axis: 0 })).toThrow('IndexError');
  const ours = new DataFrame(data);
  expect(ours.cumSum({ axis: 0 }).column('a').values).toEqual([1, none, 4]);
  expect(ours.cumProd({ axis: 0 }).column('b').values).toEqual([3, 6, 24]);
  expect(ours.cumMin({ axis: 0 }).column('b').values).toEqual([3, 2, 2]);
  expect(ours.cumMax({ axis: 1 }).values).toEqual([
    [1, 3],
    [none, 2],
    [3, 4],
  ]);
  expect(new DanfoSeries(data.a).cumSum().values).toEqual([1, none, none]);
  expect(ours.a.cumSum().values).toEqual([1, none, 4]);
});

test('9: a summary leaves missing values out, and says nothing of a column that has none', () => {
  const data = { a: [1, none, 3], b: [2, 4, 6], nothing: [none, none, none], name: ['x', 'y', 'z'] };
  const danfo = new DanfoFrame({ a: data.a }).describe();
  expect(danfo.values).toEqual([[2], [none], [none], [1], [none], [3], [none]]);
  const ours = new DataFrame(data).describe();
  expect(ours.columns).toEqual(['a', 'b', 'nothing']);
  expect(ours.index).toEqual(['count', 'mean', 'std', 'min', 'median', 'max', 'variance']);
  expect(ours.values).toEqual([
    [2, 3, 0],
    [2, 4, none],
    [Math.SQRT2, 2, none],
    [1, 2, none],
    [2, 4, none],
    [3, 6, none],
    [2, 4, none],
  ]);
  expect(new DataFrame({ b: data.b }).describe().values).toEqual(new DanfoFrame({ b: data.b }).describe().values);
  expect(() => new DanfoFrame({ name: data.name }).describe()).toThrow(TypeError);
  expect(() => new DataFrame({ name: data.name }).describe()).toThrow(ColumnError);
});

describe('10: joins', () => {
  const danfoJoined = (left: object, right: object, on: string[]) =>
    merge({ left: new DanfoFrame(left), right: new DanfoFrame(right), on, how: 'inner' }).values;

  test('keys of several columns do not run into each other', () => {
    const [left, right] = [
      { a: ['x_y', 'p'], b: ['z', 'q'], v: [1, 2] },
      { a: ['x', 'p'], b: ['y_z', 'q'], w: [3, 4] },
    ];
    expect(danfoJoined(left, right, ['a', 'b'])).toEqual([
      ['x_y', 'z', 1, 3],
      ['p', 'q', 2, 4],
    ]);
    expect(joinOn(new DataFrame(left), new DataFrame(right), ['a', 'b']).values).toEqual([['p', 'q', 2, 4]]);
  });

  test('a missing key is not the empty text', () => {
    const [left, right] = [
      { a: [null, 'q'], v: [1, 9] },
      { a: ['', 'q'], w: [2, 3] },
    ];
    expect(danfoJoined(left, right, ['a'])).toEqual([
      [null, 1, 2],
      ['q', 9, 3],
    ]);
    expect(joinOn(new DataFrame(left), new DataFrame(right), 'a').values).toEqual([['q', 9, 3]]);
  });

  test('1 is not "1"', () => {
    const [left, right] = [
      { a: [1], v: [1] },
      { a: ['1'], w: [2] },
    ];
    expect(danfoJoined(left, right, ['a'])).toEqual([[1, 1, 2]]);
    expect(() =>
      joinOn(new DataFrame<object>(left as never), new DataFrame<object>(right as never), 'a' as never),
    ).toThrow(ColumnError);
  });

  test('many rows take time by their number', () => {
    const rows = 50_000;
    const keys = Array.from({ length: rows }, (_, row) => `0x${row}`);
    const joined = joinOn(new DataFrame({ a: keys }), new DataFrame({ a: keys.toReversed(), w: keys }), 'a');
    expect([joined.shape, joined.values[0]]).toEqual([
      [rows, 2],
      ['0x0', `0x${rows - 1}`],
    ]);
  });
});

describe('11: sorting', () => {
  test('puts missing values last and sorts the others', () => {
    const numbers = { a: [3, none, 1, null, 2] };
    expect(new DanfoFrame(numbers).sortValues('a').values).not.toEqual([[1], [2], [3], [none], [null]]);
    const ours = new DataFrame(numbers);
    expect(ours.sortValues('a').values).toEqual([[1], [2], [3], [none], [null]]);
    expect(ours.sortValues('a', { ascending: false }).values).toEqual([[3], [2], [1], [none], [null]]);
    expect(ours.sortValues('a').index).toEqual([2, 4, 0, 1, 3]);
    expect(column(sortBy(ours, 'a'), 'a')).toEqual(Float64Array.of(1, 2, 3, none, none));

    const texts = { a: ['b', null, 'A', 'a'] };
    expect(new DanfoFrame(texts).sortValues('a').values).toEqual([['b'], [null], ['A'], ['a']]);
    expect(new DataFrame(texts).sortValues('a').values).toEqual([['A'], ['a'], ['b'], [null]]);
  });

  test('keeps equal rows in their order, also in place', () => {
    const data = { key: [1, 0, 1, 0], row: [0, 1, 2, 3] };
    const ours = new DataFrame(data);
    expect(ours.sortValues('key', { ascending: false }).column('row').values).toEqual([0, 2, 1, 3]);
    ours.sortValues('key', { inplace: true });
    expect([column(ours, 'row'), ours.index]).toEqual([Float64Array.of(1, 3, 0, 2), [1, 3, 0, 2]]);
  });

  test('of a Series is the right way round, and argSort with it', () => {
    expect(new DanfoSeries(['b', 'a', 'c']).sortValues().values).toEqual(['c', 'b', 'a']);
    expect(new DanfoSeries([2, none, 1]).sortValues().values).toEqual([1, none, 2]);
    expect(new Series(['b', 'a', 'c']).sortValues().values).toEqual(['a', 'b', 'c']);
    expect(new Series([2, none, 1]).sortValues().values).toEqual([1, 2, none]);
    expect(new Series([2, 3, 1]).argSort({ ascending: false }).values).toEqual([1, 0, 2]);
  });

  test('takes time by the number of rows', () => {
    const rows = 100_000;
    const ours = new DataFrame({ a: Array.from({ length: rows }, (_, row) => (row * 7919) % rows) });
    expect(
      ours
        .sortValues('a')
        .column('a')
        .values.every((value, row) => value === row),
    ).toBe(true);
  });
});

describe('11: setting columns', () => {
  test('assigning a Series to a column stores its values', () => {
    const danfo = new DanfoFrame({ a: [1, 2] });
    danfo.a = new DanfoSeries([3, 4]);
    expect(Array.isArray(danfo.getColumnData[0])).toBe(false);

    const ours = new DataFrame({ a: [1, 2] });
    const given = [3, 4];
    ours.a = new Series(given);
    given[0] = 99;
    expect(column(ours, 'a')).toEqual(Float64Array.of(3, 4));
    expect(ours.values).toEqual([[3], [4]]);
    Reflect.set(ours, 'a', Float64Array.of(5, 6));
    expect([ours.a.values, ours.values]).toEqual([
      [5, 6],
      [[5], [6]],
    ]);
  });

  test('addColumn of a name that is there answers a new frame', () => {
    const danfo = new DanfoFrame({ a: [1] });
    expect(danfo.addColumn('a', [5])).toBeUndefined();
    expect(danfo.values).toEqual([[5]]);

    const ours = new DataFrame({ a: [1], b: [2] });
    const added = ours.addColumn('a', ['5']);
    expect([added.values, added.dtypes]).toEqual([[['5', 2]], ['string', 'int32']]);
    expect([ours.values, ours.getColumnData]).toEqual([[[1, 2]], [[1], [2]]]);
    ours.addColumn('a', [7], { inplace: true });
    expect(ours.values).toEqual([[7, 2]]);
  });

  test('addColumn between others labels each column by its own values', () => {
    const data = { a: ['x'], b: [1] };
    expect(new DanfoFrame(data).addColumn('c', [0.5], { atIndex: 0 }).dtypes).toEqual(['string', 'int32', 'float32']);
    expect(new DataFrame(data).addColumn('c', [0.5], { atIndex: 0 }).dtypes).toEqual(['float32', 'string', 'int32']);
  });

  test('what is known of a column goes with its name, and goes away with its values', () => {
    const frame = () => frameFromColumns(PNL, [['a'], [1.5]]);
    const known = (of: { columns: string[] }) =>
      columnsOf(of as DataFrame).map(({ name, dtype, unit = '' }) => [name, dtype, unit]);
    expect(known(frame().rename({ pnl: 'profit' }))).toEqual([
      ['wallet', 'string', ''],
      ['profit', 'float64', 'USD'],
    ]);
    const swapped = frame();
    swapped.rename({ pnl: 'wallet', wallet: 'pnl' }, { inplace: true });
    expect(known(swapped)).toEqual([
      ['pnl', 'string', ''],
      ['wallet', 'float64', 'USD'],
    ]);
    expect(known(frame().addColumn('pnl', ['x']))).toEqual([
      ['wallet', 'string', ''],
      ['pnl', 'string', ''],
    ]);
    const mapped = frame();
    mapped.replace(1.5, 'none', { inplace: true });
    expect(known(mapped)[1]).toEqual(['pnl', 'string', '']);
  });
});

describe('11: the rest', () => {
  test('drop takes names and labels exactly', () => {
    const data = { pnl: [1], pnl_total: [2], x: [3] };
    expect(() => new DanfoFrame(data).drop({ columns: 'pnl_total' as never })).toThrow('DtypeError');
    expect(new DataFrame(data).drop({ columns: 'pnl_total' as never }).columns).toEqual(['pnl', 'x']);
    expect(() => new DataFrame(data).drop({ columns: ['pn' as never] })).toThrow('"pn" not found');
    const ours = new DataFrame(data);
    ours.drop({ columns: ['pnl'], inplace: true });
    expect([ours.columns, ours.values, ours.dtypes]).toEqual([['pnl_total', 'x'], [[2, 3]], ['int32', 'int32']]);
    expect(new DataFrame({ a: [1, 2] }).drop({ index: 1 as never }).values).toEqual([[1]]);
  });

  test('columns named like members of the frame hide none of them', () => {
    expect(new DanfoFrame({ size: [1, 2] }).size).not.toBe(2);
    expect(new DanfoFrame({ index: [1, 2] }).index).not.toEqual([0, 1]);
    expect(new DanfoFrame({ values: [1, 2] }).values).not.toEqual([[1], [2]]);

    const ours = new DataFrame({ size: [1, 2], values: [3, 4], index: [5, 6], shape: [7, 8] });
    expect([ours.size, ours.shape, ours.index]).toEqual([8, [2, 4], [0, 1]]);
    expect(ours.values).toEqual([
      [1, 3, 5, 7],
      [2, 4, 6, 8],
    ]);
    expect(column(ours, 'values')).toEqual(Float64Array.of(3, 4));
    expect(ours.head(1).column('size').values).toEqual([1]);
    expect(ours.sortValues('size', { ascending: false }).column('shape').values).toEqual([8, 7]);
  });

  test('a copy, and every frame made of another, has rows of its own', () => {
    const danfo = new DanfoFrame({ a: [1] });
    danfo.copy().a = [9];
    expect(danfo.values).toEqual([[9]]);

    for (const make of [
      (frame: DataFrame) => frame.copy(),
      (frame: DataFrame) => frame.rename({ b: 'c' }),
      (frame: DataFrame) => frame.resetIndex(),
      (frame: DataFrame) => frame.append([[3, 4]], [9]),
      (frame: DataFrame) => frame.dropNa(),
    ]) {
      const ours = new DataFrame({ a: [1], b: [2] });
      const other = make(ours);
      Reflect.set(other, 'a', Array(other.shape[0]).fill(9));
      expect([ours.values, ours.getColumnData]).toEqual([[[1, 2]], [[1], [2]]]);
    }
  });

  test('fillNa of some columns, and dropDuplicates of a column, leave the frame alone', () => {
    const danfo = new DanfoFrame({ a: [none], b: [none] });
    danfo.fillNa(1, { columns: ['a'] });
    expect(danfo.values).toEqual([[1, none]]);
    const ours = new DataFrame({ a: [none], b: [none] });
    expect(ours.fillNa(1, { columns: ['a'] }).values).toEqual([[1, none]]);
    expect(ours.values).toEqual([[none, none]]);

    const repeated = { a: [1, 2, 1, 3] };
    const other = new DanfoFrame(repeated);
    other.a.dropDuplicates({ keep: 'last' });
    expect(other.getColumnData).toEqual([[3, 1, 2, 1]]);
    const mended = new DataFrame(repeated);
    expect(mended.a.dropDuplicates({ keep: 'last' }).values).toEqual([2, 1, 3]);
    expect(mended.a.dropDuplicates().index).toEqual([0, 1, 3]);
    expect(mended.getColumnData).toEqual([[1, 2, 1, 3]]);
  });
});

describe('frames out of columns', () => {
  test('may have no rows, or nothing at all', () => {
    expect(() => new DanfoFrame({ a: [] })).toThrow('end must be greater than start');
    const ours = new DataFrame({ a: [], b: [] });
    expect([ours.shape, ours.columns, ours.index, ours.values]).toEqual([[0, 2], ['a', 'b'], [], []]);
    expect([ours.head().shape, toCsv(ours), ours.dtypes.length]).toEqual([[0, 2], 'a,b\n', 2]);
    expect(new DataFrame({}).shape).toEqual([0, 0]);
  });

  test('may have typed arrays, and must be of equal length', () => {
    expect(() => new DanfoFrame({ a: Float64Array.of(1, 2) })).toThrow('Column names length mismatch');
    const typed = new DataFrame({ a: Float64Array.of(1.5, 2) as never, b: ['x', 'y'] });
    expect([typed.values, typed.dtypes]).toEqual([
      [
        [1.5, 'x'],
        [2, 'y'],
      ],
      ['float32', 'string'],
    ]);
    expect(() => new DataFrame({ a: [1, 2], b: [1] })).toThrow('"a" has 2 values, "b" 1');
  });
});

test('a column may be named constructor', () => {
  expect(() => new DanfoFrame({ a: [1], constructor: [2] })).toThrow('File format not supported!');
  const rows = [
    [1, 2],
    [3, 4],
  ];
  const columns = new DataFrame({ a: [1, 3], constructor: [2, 4] });
  const records = new DataFrame(rows.map(([a, b]) => ({ a, constructor: b })));
  for (const frame of [columns, records]) {
    expect([frame.columns, frame.values]).toEqual([['a', 'constructor'], rows]);
    expect(frame).toBeInstanceOf(DataFrame);
    expect(Object.getPrototypeOf(frame).constructor).toBe(DataFrame);
    expect(frame.head(1).values).toEqual([[1, 2]]);
    expect(frame.groupby(['a']).sum().values).toEqual(rows);
    expect(frame.describe().columns).toEqual(['a', 'constructor']);
    expect([frame.describe().index[1], frame.describe().values[1]]).toEqual(['mean', [2, 3]]);
    expect(frame.rename({ a: 'b' }).columns).toEqual(['b', 'constructor']);
  }
  expect(new DataFrame({ a: [1], constructor: [2] }, { columns: ['x', 'y'] }).columns).toEqual(['x', 'y']);
});

test('print and toString show the table that console.log shows', () => {
  const frame = new DataFrame({ volume: [1234567.891] });
  expect(String(new DanfoFrame({ volume: [1234567.891] }))).toContain('1234567.891');
  expect(String(frame)).toBe('      volume\n────────────\n1,234,567.89\n1 row × 1 column');
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  frame.print();
  expect(log.mock.calls).toEqual([[String(frame)]]);
  log.mockRestore();
});

test('a new frame refuses what is neither rows nor columns', () => {
  for (const none of [null, 5, [null]] as never[]) expect(() => new DanfoFrame(none)).toThrow();
  // Danfo makes frames without a column of some, and drops cells of others.
  expect(new DanfoFrame([1, 2] as never).columns).toEqual([]);
  expect(new DanfoFrame([[1], [2, 3]]).columns).toEqual(['0']);

  const cases: [data: unknown, got: string][] = [
    [null, 'null'],
    ['x', '"x"'],
    [5, '5'],
    [new Map([['a', [1]]]), 'a value of type object'],
    [new Series([1]), 'a Series'],
    [Float64Array.of(1, 2), 'a value of type object'],
    [[null], 'null as row 0, counted from 0'],
    [[{ a: 1 }, null], 'null as row 1, counted from 0'],
    [[{ a: 1 }, 5], '5 as row 1, counted from 0'],
    [[1, 2], '1 as row 0, counted from 0'],
    [['abc', 'b'], '"abc" as row 0, counted from 0'],
    [[[1], 5], '5 as row 1, counted from 0'],
    [[[1], [2, 3]], '2 cells in row 1, counted from 0, where row 0 has 1'],
    [[[]], 'rows without cells'],
    [[{}, {}], 'rows without cells'],
    [{ a: 5 }, '5 as its column "a"'],
    [{ a: [1], b: null }, 'null as its column "b"'],
    [{ a: 'xy' }, '"xy" as its column "a"'],
  ];
  for (const [data, got] of cases) {
    const said =
      "new DataFrame takes records, rows of cells or columns, such as [{ wallet: '0xa', pnl: 12.5 }], [['0xa', 12.5]] " +
      `or { wallet: ['0xa'], pnl: [12.5] }; got ${got}.`;
    expect(() => new DataFrame(data as never), got).toThrow(new UsageError(said));
  }
  for (const none of [undefined, [], {}]) expect(new DataFrame(none as never).shape).toEqual([0, 0]);
  const records = [Object.assign(Object.create(null), { a: 1 }), { a: 2 }];
  expect(new DataFrame(records).values).toEqual([[1], [2]]);
});
