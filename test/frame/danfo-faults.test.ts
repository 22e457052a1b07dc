import { DataFrame as DanfoFrame } from 'danfojs-node/dist/danfojs-base/index.js';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../src/contract/column.js';
import { column } from '../../src/frame/column.js';
import { toCsv } from '../../src/frame/csv.js';
import { DataFrame, Series } from '../../src/frame/danfo.js';
import { frameFromRecords } from '../../src/frame/frame-from-records.js';

const PNL: Column[] = [
  { name: 'wallet', dtype: 'string', nullable: false, meaning: '' },
  { name: 'pnl', dtype: 'float64', nullable: true, decimal: true, meaning: '' },
];

describe('faults of danfo that our frames do not have', () => {
  test('query after a sort answers the rows that were asked for', () => {
    const data = { wallet: ['a', 'b', 'c'], pnl: [3, 1, 2] };
    const danfo = new DanfoFrame(data).sortValues('pnl');
    expect(danfo.query([true, false, false]).values).not.toEqual([['b', 1]]);

    const ours = new DataFrame(data).sortValues('pnl');
    expect(ours.query([true, false, false]).values).toEqual([['b', 1]]);
    expect(ours.query(ours.pnl.gt(1)).values).toEqual([
      ['c', 2],
      ['a', 3],
    ]);
    expect(ours.iloc({ rows: [false, false, true] }).values).toEqual([['a', 3]]);
  });

  test('records with another key order, or without a key, keep their values in place', () => {
    const records = [{ wallet: 'a', pnl: '1.5' }, { pnl: '2', wallet: 'b' }, { wallet: 'c' }];
    const danfo = new DanfoFrame(records);
    expect(danfo.values[1]).toEqual(['2', 'b']);

    expect(frameFromRecords(PNL, records).values).toEqual([
      ['a', 1.5],
      ['b', 2],
      ['c', Number.NaN],
    ]);
  });

  test('decimal text becomes numbers, so that sums are sums', () => {
    const records = [
      { wallet: 'a', pnl: '1.5' },
      { wallet: 'a', pnl: '2.25' },
    ];
    const danfo = new DanfoFrame(records);
    expect(danfo.groupby(['wallet']).sum().values).toEqual([['a', '1.52.25']]);

    const ours = frameFromRecords<{ wallet: string; pnl: number }>(PNL, records);
    expect(ours.groupby(['wallet']).sum().values).toEqual([['a', 3.75]]);
    expect(ours.pnl.mean()).toBe(1.875);
  });

  test('ids in hexadecimal and empty text are text', () => {
    const records = [{ wallet: '0x10', note: '' }];
    expect(new DanfoFrame(records).dtypes).toEqual(['int32', 'int32']);

    const ours = frameFromRecords([], records);
    expect(ours.dtypes).toEqual(['string', 'string']);
    expect(ours.values).toEqual([['0x10', '']]);
  });

  test('arithmetic and comparison are in doubles', () => {
    const float32 = new Float32Array([16777217]);
    expect(float32[0]).toBe(16777216);

    const ours = new DataFrame({ a: [16777217, 0.1] });
    expect(ours.add(1).values).toEqual([[16777218], [1.1]]);
    expect(ours.gt(16777216).values).toEqual([[true], [false]]);
    expect(ours.mul(0.2).values).toEqual([[16777217 * 0.2], [0.1 * 0.2]]);
  });

  test('CSV is quoted, and missing numbers are empty', () => {
    const data = { question: ['Yes, or "no"?', ''], volume: [Number.NaN, 1.5] };
    const danfo = new DanfoFrame(data);
    expect(() => danfo.toCSV()).toThrow('deprecated');

    expect(toCsv(new DataFrame(data))).toBe('question,volume\n"Yes, or ""no""?",\n"",1.5\n');
    expect(Reflect.get(new DataFrame(data), 'toCSV').call(new DataFrame(data))).toBe(toCsv(new DataFrame(data)));
  });

  test('columns named like members of the frame hide none of them', () => {
    const data = { size: [1, 2], values: [3, 4], index: [5, 6], shape: [7, 8] };
    expect(new DanfoFrame({ size: [1, 2] }).size).not.toBe(2);

    const ours = new DataFrame(data);
    expect([ours.size, ours.shape, ours.index]).toEqual([8, [2, 4], [0, 1]]);
    expect(ours.values).toEqual([
      [1, 3, 5, 7],
      [2, 4, 6, 8],
    ]);
    expect(column(ours, 'values')).toEqual(Float64Array.of(3, 4));
    expect(ours.head(1).column('size').values).toEqual([1]);
    expect(ours.sortValues('size', { ascending: false }).column('shape').values).toEqual([8, 7]);
  });

  test('assigning a Series to a column stores its values', () => {
    const danfo = new DanfoFrame({ a: [1, 2] });
    danfo.a = new DanfoFrame({ b: [3, 4] }).b;
    expect(Array.isArray(danfo.getColumnData[0])).toBe(false);

    const ours = new DataFrame({ a: [1, 2] });
    ours.a = new Series([3, 4]);
    expect(column(ours, 'a')).toEqual(Float64Array.of(3, 4));
    expect(ours.values).toEqual([[3], [4]]);
  });
});
