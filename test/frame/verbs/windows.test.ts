import { describe, expect, test } from 'vitest';
import { ColumnError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { type CumulativeMeasure, cumulative } from '../../../src/frame/verbs/cumulative.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';
import { type RollingMeasure, type RollingWindow, rolling } from '../../../src/frame/verbs/rolling.js';
import { shift } from '../../../src/frame/verbs/shift.js';
import { askPandas, hasPandas } from '../../support/ask-pandas.js';
import fc from '../../support/fast-check.js';
import { frameOf, keyOf, type RandomRow, randomRows, rawRows } from './random-frames.js';

const start = Date.UTC(2025, 0, 1);
/** Rows of several wallets in order of time, some of them at one moment, some without a value. */
const rows = Array.from({ length: 240 }, (_, at) => ({
  wallet: 'abc'[(at * 7) % 3] as string,
  time: new Date(start + Math.floor((at * at) / 3) * 3_600_000).toISOString(),
  pnl: at % 11 === 3 ? Number.NaN : Math.round(Math.sin(at * 12.9898) * 1e6) / 100,
}));
const frame = new DataFrame(rows);
const json = rows.map((row) => ({ ...row, pnl: Number.isNaN(row.pnl) ? null : row.pnl }));
const plain = (values: Float64Array) => Array.from(values, (value) => (Number.isNaN(value) ? null : value));
const near = (values: unknown) =>
  (values as (number | null)[]).map((value) => (value === null ? null : expect.closeTo(value, 6)));

describe.skipIf(!hasPandas())('as pandas has it:', () => {
  const measures: RollingMeasure[] = ['sum', 'mean', 'std', 'min', 'max', 'median', 'count'];
  const read =
    "f = pd.DataFrame(given); f['time'] = pd.to_datetime(f['time'], utc=True); f['pnl'] = f['pnl'].astype(float)";

  test('rolling over rows, whole and by group, with a least number of values', () => {
    const answers = askPandas(
      `${read}
answer = []
for name in ['sum', 'mean', 'std', 'min', 'max', 'median', 'count']:
    of = lambda s, w, m: getattr(s.rolling(w, min_periods=0 if name == 'count' else m), name)()
    answer += [of(f.pnl, 7, 7), of(f.pnl, 5, 2), f.groupby('wallet').pnl.transform(lambda s: of(s, 4, 4))]
`,
      json,
    ) as unknown[];
    const ours = measures.flatMap((measure) => [
      rolling(frame, { column: 'pnl', window: 7, measure }),
      rolling(frame, { column: 'pnl', window: 5, measure, minValues: measure === 'count' ? 0 : 2 }),
      rolling(frame, { column: 'pnl', window: 4, measure, by: 'wallet' }),
    ]);
    for (const [at, made] of ours.entries()) {
      expect(plain(column(made, 'rolling_pnl')), `${at}`).toEqual(near(answers[at]));
    }
  });

  test('rolling over a span of time', () => {
    const answers = askPandas(
      `${read}
answer = []
for name in ['sum', 'mean', 'std', 'min', 'max', 'median', 'count']:
    for span in ['7D', '36H']:
        answer.append(getattr(f.rolling(span, on='time').pnl, name)())
        parts = [getattr(g.rolling(span, on='time').pnl, name)() for _, g in f.groupby('wallet')]
        answer.append(pd.concat(parts).sort_index())
`,
      json,
    ) as (number | null)[][];
    const windows: RollingWindow[] = ['7 days', '36 hours'];
    const ours = measures.flatMap((measure) =>
      windows.flatMap((window) => [
        rolling(frame, { column: 'pnl', window, measure, time: 'time' }),
        rolling(frame, { column: 'pnl', window, measure, time: 'time', by: ['wallet'] }),
      ]),
    );
    for (const [at, made] of ours.entries()) {
      // Of a window without a value pandas has no count.
      const theirs = at < 24 ? answers[at] : answers[at]?.map((value) => value ?? 0);
      expect(plain(column(made, 'rolling_pnl')), `${at}`).toEqual(near(theirs));
    }
  });

  test('shift and cumulative', () => {
    const answers = askPandas(
      `${read}
g = f.groupby('wallet').pnl
answer = [f.pnl.shift(1), f.pnl.shift(-2), g.shift(3), f.pnl.cumsum(), f.pnl.cummin(), g.cumsum(), g.cummax(),
    (f.pnl / 2000).cumprod()]
`,
      json,
    ) as unknown[];
    const by = 'wallet';
    const small = new DataFrame(rows.map(({ pnl }) => ({ pnl: pnl / 2000 })));
    const ours = [
      column(shift(frame, { column: 'pnl' }), 'shifted_pnl'),
      column(shift(frame, { column: 'pnl', rows: -2, as: 'later' }), 'later'),
      column(shift(frame, { column: 'pnl', rows: 3, by }), 'shifted_pnl'),
      column(cumulative(frame, { column: 'pnl' }), 'cumulative_pnl'),
      column(cumulative(frame, { column: 'pnl', measure: 'min' }), 'cumulative_pnl'),
      column(cumulative(frame, { column: 'pnl', by }), 'cumulative_pnl'),
      column(cumulative(frame, { column: 'pnl', by: ['wallet'], measure: 'max' }), 'cumulative_pnl'),
      column(cumulative(small, { column: 'pnl', measure: 'product' }), 'cumulative_pnl'),
    ];
    for (const [at, values] of ours.entries()) expect(plain(values), `${at}`).toEqual(near(answers[at]));
  });
});

describe('on random frames, like plain JavaScript:', () => {
  test('exact amounts stay exact, in the rows of each group', () => {
    const small = randomRows.map((all) =>
      all.map((row): RandomRow => ({ ...row, money: row.money === null ? null : BigInt.asIntN(58, row.money) })),
    );
    fc.assert(
      fc.property(small, fc.integer({ min: 1, max: 4 }), (given, window) => {
        const source = frameOf(given);
        const befores = given.map((row, at) =>
          given.slice(0, at + 1).filter((other) => keyOf(other.flag) === keyOf(row.flag)),
        );
        const present = (all: readonly RandomRow[]) => all.flatMap(({ money }) => money ?? []);
        const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
        const lastOf = (made: Parameters<typeof rawRows>[0]) => rawRows(made).map((cells) => cells.at(-1));
        expect(lastOf(rolling(source, { column: 'money', window, measure: 'sum', by: 'flag', minValues: 1 }))).toEqual(
          befores.map((all) => (present(all.slice(-window)).length > 0 ? sum(present(all.slice(-window))) : null)),
        );
        expect(lastOf(cumulative(source, { column: 'money', by: 'flag' }))).toEqual(
          given.map(({ money }, at) => (money === null ? null : sum(present(befores[at] ?? [])))),
        );
        expect(lastOf(cumulative(source, { column: 'money', by: 'flag', measure: 'count' }))).toEqual(
          befores.map((all) => present(all).length),
        );
        expect(lastOf(shift(source, { column: 'text', by: 'flag' }))).toEqual(
          befores.map((all) => all.at(-2)?.text ?? null),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('columns of windows', () => {
  const amounts = frameOf([{ text: 'a', number: 1, flag: true, money: 5n }]);

  test('are described, with their units', () => {
    const all = rolling(cumulative(shift(amounts, { column: 'money' }), { column: 'money' }), {
      ...{ column: 'money', window: 2, measure: 'mean', by: 'text' },
    });
    expect(columnsOf(all).slice(-3)).toEqual([
      { name: 'shifted_money', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'money 1 row earlier.' },
      {
        ...{ name: 'cumulative_money', dtype: 'float64', unit: 'USD', nullable: true, decimal: true },
        meaning: 'Sum of money up to each row.',
      },
      {
        ...{ name: 'rolling_money', dtype: 'float64', unit: 'USD', nullable: true },
        meaning: 'Mean of money over 2 rows, for each text.',
      },
    ]);
    expect(rolling(frameOf([]), { column: 'number', window: 3, measure: 'std' }).shape).toEqual([0, 5]);
  });

  test.each<[string, () => unknown, string]>([
    ['no such measure', () => rolling(frame, { column: 'pnl', window: 3, measure: 'var' as 'std' }), 'got "var"'],
    ['no measure', () => rolling(frame, { column: 'pnl', window: 3 } as never), 'must be one of sum, mean'],
    [
      'a window of half a row',
      () => rolling(frame, { column: 'pnl', window: 1.5, measure: 'sum' }),
      'number of rows from 1',
    ],
    [
      '7d',
      () => rolling(frame, { column: 'pnl', window: '7d' as '7 days', measure: 'sum' }),
      'text such as "7 days"; got "7d"',
    ],
    ['no time', () => rolling(frame, { column: 'pnl', window: '7 days', measure: 'sum' }), 'needs the column of times'],
    [
      'a time for rows',
      () => rolling(frame, { column: 'pnl', window: 7, measure: 'sum', time: 'time' }),
      'has no use for the option time',
    ],
    [
      'no length',
      () => rolling(frame, { column: 'pnl', window: '0 days', measure: 'sum', time: 'time' }),
      'longer than nothing',
    ],
    [
      'half a value',
      () => rolling(frame, { column: 'pnl', window: 7, measure: 'sum', minValues: 0.5 }),
      'minValues of rolling',
    ],
    ['an unknown option', () => rolling(frame, { colum: 'pnl' } as never), 'Did you mean "column"?'],
    ['half a row', () => shift(frame, { column: 'pnl', rows: 0.5 }), 'rows of shift must be a whole number; got 0.5'],
    ['no column', () => shift(frame, {} as never), 'got no name'],
    ['no options', () => shift(frame, undefined as never), 'The options of shift must be an object'],
    ['keys', () => shift(frame, { column: 'pnl', by: {} as never }), 'by of shift must be the name of a column'],
    [
      'a mean',
      () => cumulative(frame, { column: 'pnl', measure: 'mean' as CumulativeMeasure }),
      'no measure "mean": give one of sum',
    ],
    ['a list', () => cumulative([] as never, { column: 'pnl' } as never), 'This needs a frame'],
  ])('refuse %s', (_, call, message) => {
    expect(call).toThrow(UsageError);
    expect(call).toThrow(message);
  });

  test('refuse columns that do not fit, and rows out of order', () => {
    const text = () => rolling(frame, { column: 'wallet' as 'pnl', window: 2, measure: 'sum' });
    expect(text).toThrow('The column "wallet" holds text, but numbers are needed.');
    expect(() => cumulative(frame, { column: 'pnl', as: 'wallet' })).toThrow('The frame has a column "wallet" already');
    const turned = new DataFrame(rows.toReversed());
    expect(() => rolling(turned, { column: 'pnl', window: '2 days', measure: 'sum', time: 'time' })).toThrow(
      new ColumnError(
        `rolling needs rows in order of time, but "time" of row 1, counted from 0, is before that of row 0: sort first, as in sortBy(frame, 'time').`,
      ),
    );
    const large = frameOf([1, 2, 3].map((number) => ({ text: 'a', number, flag: true, money: 2n ** 62n })));
    expect(() => cumulative(large, { column: 'money' })).toThrow('beyond ±9.2 trillion');
    expect(() => rolling(large, { column: 'money', window: 2, measure: 'sum' })).toThrow(ColumnError);
  });
});

test('a span of time asks the rows that are left, not those that a filter dropped', () => {
  const mixed = new DataFrame([
    { t: 'total', v: 9 },
    { t: '2025-01-01', v: 2 },
    { t: null, v: 7 },
    { t: '2025-01-02', v: 3 },
  ]);
  const week = { column: 'v', window: '7 days', time: 't', measure: 'sum' } as const;
  const left = rolling(
    filterRows(mixed, (row) => row.t !== 'total' && row.t !== null),
    week,
  );
  expect([...column(left, 'rolling_v')]).toEqual([2, 5]);
  const named = filterRows(mixed, (row) => row.t !== 'total');
  expect(() => rolling(named, week)).toThrow('rolling needs a time in each row, but "t" lacks one in row 1');
});
