import { describe, expect, test } from 'vitest';
import { toCsv } from '../../../src/frame/csv/to-csv.js';
import { DataFrame, Series } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { exactColumn, exactSum } from '../../../src/frame/verbs/exact-sum.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';
import { groupBy } from '../../../src/frame/verbs/group-by.js';
import { sortBy } from '../../../src/frame/verbs/sort-by.js';
import { mean, sum } from '../../../src/frame/verbs/sum-and-mean.js';
import { COLUMNS, frameOf } from './random-frames.js';

const ROWS = 1_000_000;

/** Profits of a million rows, from a generator that repeats itself. */
function ledger(): { micros: BigInt64Array; wallets: Int32Array } {
  const micros = new BigInt64Array(ROWS);
  const wallets = new Int32Array(ROWS);
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  for (let row = 0; row < ROWS; row += 1) {
    micros[row] = (BigInt(next()) * 465n) % 1_000_000_000_000n;
    wallets[row] = (next() >>> 8) % 3;
  }
  return { micros, wallets };
}

describe('exact money', () => {
  test('sums a million rows to the last digit, where doubles do not', () => {
    const { micros, wallets } = ledger();
    const [text, , , money] = COLUMNS;
    const frame = frameFromVectors<{ text: string; money: number }>(text && money ? [text, money] : [], [
      { kind: 'text', codes: wallets, words: ['a', 'b', 'c'], distinct: true },
      { kind: 'micros', values: micros },
    ]);
    const totals = [0n, 0n, 0n];
    for (const [row, value] of micros.entries()) totals[wallets[row] ?? 0] = (totals[wallets[row] ?? 0] ?? 0n) + value;
    const whole = totals.reduce((total, value) => total + value, 0n);
    let doubles = 0;
    for (const value of micros) doubles += Number(value) / 1e6;
    expect(BigInt(Math.round(doubles * 1e6))).not.toBe(whole);

    expect(exactSum(frame, 'money')).toBe(whole);
    const groups = sortBy(groupBy(frame, 'text').rollup({ total: sum('money') }), 'text');
    expect(exactColumn(groups, 'total')).toEqual(BigInt64Array.from(totals));
    expect(exactSum(groups, 'total')).toBe(whole);
  });

  test('sums more rows than the low halves of their values would fit a double', () => {
    const many = 2 ** 22 + 1;
    const value = 2n ** 32n - 1n;
    const [, , , money] = COLUMNS;
    const micros = { kind: 'micros', values: new BigInt64Array(many).fill(value) } as const;
    expect(exactSum(frameFromVectors<{ money: number }>(money ? [money] : [], [micros]), 'money')).toBe(
      BigInt(many) * value,
    );
  });

  test('is read as integers, copied', () => {
    const frame = frameOf([{ text: null, number: 0, flag: null, money: -1_500_001n }]);
    exactColumn(frame, 'money')[0] = 7n;
    expect(exactColumn(frame, 'money')).toEqual(BigInt64Array.of(-1_500_001n));
    expect(exactColumn(frameOf([]), 'money')).toEqual(new BigInt64Array(0));
    expect(exactSum(frameOf([]), 'money')).toBe(0n);
    expect(exactSum(new DataFrame([], { columns: ['a'] }), 'a')).toBe(0n);
  });

  test('refuses doubles, missing values, and sums that 64 bits cannot hold', () => {
    const doubles = new DataFrame({ pnl: [1.5] });
    expect(() => exactSum(doubles, 'pnl')).toThrow(
      'The column "pnl" holds doubles, not exact micro-units: query the frame with { exact: true }.',
    );
    expect(() => exactColumn(doubles, 'pnl')).toThrow('query the frame with { exact: true }');
    const gap = frameOf([null, 1n].map((money) => ({ text: null, number: 0, flag: null, money })));
    expect(() => exactColumn(gap, 'money')).toThrow('The column "money" has no value in row 0');
    expect(exactSum(gap, 'money')).toBe(1n);
    const most = 2n ** 63n - 1n;
    const huge = frameOf([most, most].map((money) => ({ text: null, number: 0, flag: null, money })));
    expect(exactSum(huge, 'money')).toBe(2n * most);
    expect(() => groupBy(huge, []).rollup({ total: sum('money') })).toThrow('A sum of "money" exceeds 9.2 trillion');
    expect(groupBy(huge, []).rollup({ average: mean('money') }).values).toEqual([[Number(most) / 1e6]]);
  });
});

describe('exact money that danfo has read', () => {
  const exact = () => {
    const frame = frameOf(
      [999_999_999_999_999_999n, -1n, null].map((money) => ({ text: null, number: 0, flag: null, money })),
    );
    return frame as unknown as DataFrame<{ money: number }>;
  };

  test.each<[string, (frame: DataFrame<{ money: number }>) => unknown]>([
    ['a property', (frame) => frame.money],
    ['a sum', (frame) => frame.money.sum()],
    ['column()', (frame) => frame.column('money')],
    ['values', (frame) => frame.values],
    ['head()', (frame) => frame.head(1)],
    ['a comparison', (frame) => frame.money.gt(0)],
    ['getColumnData', (frame) => [...frame.getColumnData]],
  ])('stays exact after %s', (_, read) => {
    const frame = exact();
    read(frame);
    expect(exactSum(frame, 'money')).toBe(999_999_999_999_999_998n);
    expect(toCsv(frame).split('\n')[1]).toContain('999999999999.999999');
    expect(exactSum(filterRows(frame, frame.money.gt(0)), 'money')).toBe(999_999_999_999_999_999n);
  });

  test('is what it was changed to, and no longer exact', () => {
    const set = exact();
    void set.money;
    set.money = new Series([1, 2, 3]);
    expect(column(set, 'money')).toEqual(Float64Array.of(1, 2, 3));
    const within = exact();
    const cells = within.getColumnData[within.columns.indexOf('money')] ?? [];
    cells[1] = 7;
    expect(column(within, 'money')[1]).toBe(7);
    expect(() => exactSum(within, 'money')).toThrow('exact: true');
  });
});
