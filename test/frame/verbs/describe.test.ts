import { expect, test } from 'vitest';
import { ColumnError } from '../../../src/base/errors.js';
import { toCsv } from '../../../src/frame/csv/to-csv.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns } from '../../../src/frame/danfo/frame-from-vectors.js';
import { describe } from '../../../src/frame/verbs/describe.js';
import { distinct } from '../../../src/frame/verbs/group-by.js';
import { frameOf, rawRows } from './random-frames.js';

const NONE = new Array<number>(7).fill(Number.NaN);

test('describe says one row of facts a column', () => {
  const frame = frameFromColumns(
    [
      { name: 'date', dtype: 'datetime', nullable: true, meaning: '' },
      { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: '' },
      { name: 'closed', dtype: 'boolean', nullable: true, meaning: '' },
    ],
    [
      ['2026-01-02', null, '2026-01-01', '2026-01-01', '2026-01-03'],
      [4, 1, Number.NaN, 2, 3],
      [true, true, null, true, true],
    ],
  );
  expect(rawRows(describe(frame))).toEqual([
    ['date', 'datetime', null, 4, 1, 3, ...NONE, '2026-01-01', '2026-01-03'],
    ['pnl', 'float64', 'USD', 4, 1, 4, 2.5, Math.sqrt(5 / 3), 1, 1.75, 2.5, 3.25, 4, null, null],
    ['closed', 'boolean', null, 4, 1, 1, ...NONE, null, null],
  ]);
});

test('an invalid date is named by its column and row', () => {
  const dates = new DataFrame([[new Date(0)], [new Date(Number.NaN)]], { columns: ['when'] });
  const error = new ColumnError(
    'The column "when" holds an invalid date in row 1, counted from 0: put null where there is none.',
  );
  expect(() => describe(dates)).toThrow(error);
  expect(() => distinct(dates)).toThrow(error);
  expect(() => toCsv(dates)).toThrow(error);
  expect(() => toCsv(dates, { quoting: 'all' })).toThrow(error);
});

test('quartiles of numbers whose difference no double holds are between them', () => {
  const [least, , , , , , , , min, q1, median] = describe(new DataFrame({ a: [-1e308, 1e308, 1e308] })).values[0] ?? [];
  expect([least, min, q1, median]).toEqual(['a', -1e308, 0, 1e308]);
});

test('describe gives the mean and the deviation of numbers that add up to no double', () => {
  const [row = []] = rawRows(describe(new DataFrame({ a: [-1e308, -1e308, 1.5e308, 1e308, 1e308] })));
  const relative = row.slice(6, 8).map((measure) => Number((Number(measure) / 1e308).toFixed(12)));
  expect(relative).toEqual([0.3, 1.204159457879]);
});

test('describe takes exact amounts, mixed columns, and frames without rows or columns', () => {
  const exact = frameOf([1n, 3n, null].map((money) => ({ text: '', number: 0, flag: null, money })));
  const [money = []] = rawRows(describe(exact)).slice(-1);
  expect(money.slice(0, 8)).toEqual(['money', 'float64', 'USD', 2, 1, 2, 2e-6, expect.closeTo(Math.SQRT2 * 1e-6, 12)]);
  const mixed = new DataFrame({ a: [1, '1', null, 1] });
  expect(rawRows(describe(mixed))).toEqual([['a', 'string', null, 3, 1, 2, ...NONE, null, null]]);
  expect(rawRows(describe(frameOf([])))[1]).toEqual(['number', 'float64', null, 0, 0, 0, ...NONE, null, null]);
  expect(describe(new DataFrame([])).shape).toEqual([0, 15]);
});
