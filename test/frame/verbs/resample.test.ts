import { describe, expect, test } from 'vitest';
import { ColumnError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { column, recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { bucketBy } from '../../../src/frame/verbs/bucket-by.js';
import { correlate } from '../../../src/frame/verbs/correlate.js';
import { fillDays } from '../../../src/frame/verbs/fill-days.js';
import { count } from '../../../src/frame/verbs/measure.js';
import { resample } from '../../../src/frame/verbs/resample.js';
import { mean, sum } from '../../../src/frame/verbs/sum-and-mean.js';
import { askPandas, hasPandas } from '../../support/ask-pandas.js';
import { frameOf, rawRows } from './random-frames.js';

const start = Date.UTC(2025, 9, 20);
const rows = Array.from({ length: 60 }, (_, at) => ({
  wallet: at % 3 === 0 ? 'a' : 'b',
  time: new Date(start + ((at * at * 37) % 900) * 3_600_000).toISOString().replace('.000Z', 'Z'),
  pnl: at % 13 === 3 ? Number.NaN : ((at * 7919) % 2000) / 10 - 100,
  size: (at * 31) % 17,
}));
const frame = new DataFrame(rows);
const json = rows.map((row) => ({ ...row, pnl: Number.isNaN(row.pnl) ? null : row.pnl }));
const READ =
  "f = pd.DataFrame(given); f['time'] = pd.to_datetime(f['time'], utc=True); f['pnl'] = f['pnl'].astype(float)";
const plain = (values: Iterable<unknown>) => Array.from(values, (value) => (Number.isNaN(value) ? null : value));
const near = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'number' ? expect.closeTo(value, 8) : value));

describe.skipIf(!hasPandas())('as pandas has it:', () => {
  test('resample by day, month and week from Sunday, in UTC and in New York', () => {
    const answers = askPandas(
      `${READ}
answer = []
for zone, rule in [('UTC', 'D'), ('UTC', 'MS'), ('UTC', 'W-SAT'), ('America/New_York', 'D'), ('America/New_York', 'H')]:
    s = f.assign(time=f.time.dt.tz_convert(zone)).set_index('time')
    kwargs = dict(closed='left', label='left') if rule == 'W-SAT' else {}
    r = s.resample('W-SUN' if rule == 'W-SAT' else rule, **kwargs)
    stamps = r.size().index.tz_convert('UTC').strftime('%Y-%m-%dT%H:%M:%SZ')
    answer.append([stamps, r.pnl.sum(), r.pnl.mean(), r.size()])
`,
      json,
    ) as unknown[][][];
    const measures = { total: sum('pnl'), mean: mean('pnl'), n: count() };
    const newYork = { zone: 'America/New_York' };
    const ours = [
      resample(frame, { column: 'time', period: 'day', measures }),
      resample(frame, { column: 'time', period: 'month', measures }),
      resample(frame, { column: 'time', period: 'week', weekStart: 'sunday', measures }),
      resample(frame, { column: 'time', period: 'day', ...newYork, measures }),
      resample(frame, { column: 'time', period: 'hour', ...newYork, measures }),
    ];
    for (const [at, made] of ours.entries()) {
      const found = (['time', 'total', 'mean', 'n'] as const).map((name) => plain(column(made, name)));
      expect(found, `${at}`).toEqual((answers[at] ?? []).map(near));
    }
  });

  test('correlate, also of ranks', () => {
    const answers = askPandas(
      `${READ}
f['square'] = f['size'] ** 2
answer = [f[['pnl', 'size', 'square']].corr(m).values for m in ['pearson', 'spearman']]
`,
      json,
    ) as unknown[][][];
    const wide = new DataFrame(rows.map((row) => ({ ...row, square: row.size ** 2 })));
    for (const [at, method] of (['pearson', 'spearman'] as const).entries()) {
      const made = correlate(wide, { method });
      expect(column(made, 'column')).toEqual(['pnl', 'size', 'square']);
      expect((['pnl', 'size', 'square'] as const).map((name) => [...column(made, name)])).toEqual(
        (answers[at] ?? []).map(near),
      );
    }
  });
});

test('resample by group has each period of each, also those without rows', () => {
  const few = new DataFrame([
    { w: 'b', t: '2025-01-05', v: 1 },
    { w: 'a', t: '2025-02-01T10:00:00Z', v: 2 },
    { w: 'b', t: '2025-01-26', v: 4 },
    { w: 'b', t: null, v: 8 },
    { w: 'c', t: null, v: 16 },
  ]);
  const made = resample(few, { column: 't', period: 'week', by: 'w', measures: { v: sum('v'), m: mean('v') } });
  expect(recordsOf(made)).toEqual([
    { w: 'b', t: '2024-12-30T00:00:00Z', v: 1, m: 1 },
    { w: 'b', t: '2025-01-06T00:00:00Z', v: 0, m: Number.NaN },
    { w: 'b', t: '2025-01-13T00:00:00Z', v: 0, m: Number.NaN },
    { w: 'b', t: '2025-01-20T00:00:00Z', v: 4, m: 4 },
    { w: 'a', t: '2025-01-27T00:00:00Z', v: 2, m: 2 },
  ]);
  expect(columnsOf(made)[1]).toMatchObject({ name: 't', dtype: 'datetime', nullable: false });
  const quarters = resample(few, { column: 't', period: 'quarter', measures: { n: count() } });
  expect(recordsOf(quarters)).toEqual([{ t: '2025-01-01T00:00:00Z', n: 3 }]);
  const threes = resample(few, {
    column: 't',
    period: '3 days',
    from: '2025-01-01',
    by: ['w'],
    measures: { n: count() },
  });
  expect(column(threes, 'n').reduce((all, n) => all + n)).toBe(3);
  expect(column(threes, 't').slice(0, 2)).toEqual(['2025-01-04T00:00:00Z', '2025-01-07T00:00:00Z']);
  expect(resample(frameOf([]), { column: 'text', period: 'day', measures: { n: count() } }).shape).toEqual([0, 2]);
});

test('fillDays refuses the days of another time zone', () => {
  const few = new DataFrame([{ t: '2025-01-01T12:00:00Z' }, { t: '2025-01-04T12:00:00Z' }]);
  const zoned = bucketBy(few, 't', 'day', { zone: 'America/New_York', as: 'day' });
  expect(() => fillDays(zoned, { column: 'day' })).toThrow(UsageError);
  expect(() => fillDays(zoned, { column: 'day' })).toThrow(
    /counts days of UTC, but "day" holds those of America\/New_York: resample/,
  );
  expect(fillDays(bucketBy(few, 't', 'day', { as: 'day' }), { column: 'day' }).shape[0]).toBe(4);
});

test('of a column with itself the correlation is exactly 1', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const values = Array.from({ length: 7 }, (_, at) => Math.sin(seed * 12.9898 + at * 78.233) * 43_758.5453);
    expect(recordsOf(correlate(new DataFrame({ a: values })))).toEqual([{ column: 'a', a: 1 }]);
  }
  expect(column(correlate(new DataFrame({ a: [2, 2] })), 'a')).toEqual(Float64Array.of(Number.NaN));
});

test('fillDays gives each day a row, once', () => {
  const few = new DataFrame([
    { w: 'b', t: '2025-01-04', v: 1, p: 0.5 },
    { w: 'a', t: '2025-01-01', v: 2, p: 0.6 },
    { w: 'b', t: '2025-01-02', v: 4, p: 0.7 },
    { w: 'b', t: '2025-01-02', v: 8, p: Number.NaN },
  ]);
  const made = fillDays(few, { column: 't', by: 'w', zero: 'v', last: 'p', to: '2025-01-02' });
  expect(made.values).toEqual([
    ['b', '2025-01-02', 4, 0.7],
    ['b', '2025-01-02', 8, Number.NaN],
    ['b', '2025-01-03', 0, Number.NaN],
    ['b', '2025-01-04', 1, 0.5],
    ['a', '2025-01-01', 2, 0.6],
    ['a', '2025-01-02', 0, 0.6],
  ]);
  const whole = fillDays(new DataFrame([{ t: '2025-01-01T05:00:00Z', v: 'x' }]), { column: 't', from: '2024-12-31' });
  expect(whole.values).toEqual([
    ['2024-12-31T00:00:00Z', null],
    ['2025-01-01T05:00:00Z', 'x'],
  ]);
  expect(columnsOf(whole).map(({ dtype, nullable }) => [dtype, nullable])).toEqual([
    ['datetime', false],
    ['string', true],
  ]);
  const exact = frameOf(['2025-01-01', '2025-01-03'].map((text) => ({ text, number: 1, flag: true, money: 5n })));
  expect(rawRows(fillDays(exact, { column: 'text', zero: ['money', 'number'], last: ['flag'] }))).toEqual([
    ['2025-01-01', 1, true, 5n],
    ['2025-01-02', 0, true, 0n],
    ['2025-01-03', 1, true, 5n],
  ]);
  expect(fillDays(frameOf([]), { column: 'text' }).shape).toEqual([0, 4]);
  // Days of a whole year, none of which is there twice or missing.
  const ends = new DataFrame({ t: ['2023-12-31T23:59:59.5Z', '2024-12-31'] });
  const days = column(fillDays(ends, { column: 't' }), 't').map((time) => time.slice(0, 10));
  expect([days.length, new Set(days).size, days[1], days.at(-1)]).toEqual([367, 367, '2024-01-01', '2024-12-31']);
});

describe('refused with what would be right:', () => {
  const measures = { n: count() };
  test.each<[string, () => unknown, string]>([
    ['no measures', () => resample(frame, { column: 'time', period: 'day' } as never), 'resample needs measures'],
    [
      'a measure that is none',
      () => resample(frame, { column: 'time', period: 'day', measures: { n: 5 } } as never),
      'measures.n must be a measure',
    ],
    [
      'a period',
      () => resample(frame, { column: 'time', period: 'days' as 'day', measures }),
      'There is no period "days"',
    ],
    ['a list of options', () => resample(frame, [] as never), 'The options of resample must be an object'],
    ['no options', () => fillDays(frame, undefined as never), 'The options of fillDays must be an object'],
    [
      'no date',
      () => fillDays(frame, { column: 'time', from: '1 May' }),
      'from of fillDays must be a date such as 2026-01-31; got "1 May"',
    ],
    ['an option', () => fillDays(frame, { column: 'time', zeros: 'pnl' } as never), 'Did you mean "zero"?'],
    [
      'kendall',
      () => correlate(frame, { method: 'kendall' as 'pearson' }),
      'must be pearson or spearman; got "kendall"',
    ],
    ['a number of columns', () => correlate(frame, { columns: 5 as never }), 'columns of correlate must be'],
    [
      'hours of ten thousand years',
      () => resample(new DataFrame({ t: ['0001-01-01', '9999-01-01'] }), { column: 't', period: 'hour', measures }),
      'more than 5000000 periods',
    ],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(UsageError);
    expect(call).toThrow(message);
  });

  test.each<[string, () => unknown, string]>([
    ['a column of text', () => correlate(frame, { columns: ['wallet' as 'pnl'] }), 'holds text, but numbers'],
    ['zeros in text', () => fillDays(frame, { column: 'time', zero: 'wallet' as 'pnl' }), 'holds text, but numbers'],
    ['a column told twice', () => fillDays(frame, { column: 'time', zero: 'pnl', last: 'pnl' }), 'two columns "pnl"'],
    [
      'a day that is missing',
      () => fillDays(new DataFrame({ t: ['2025-01-01', null] }), { column: 't' }),
      'lacks one in row 1',
    ],
    [
      'a key named like a measure',
      () => resample(frame, { column: 'time', period: 'day', by: 'wallet', measures: { wallet: count() } }),
      'two columns "wallet"',
    ],
    [
      'text that is no time',
      () => resample(frame, { column: 'wallet', period: 'day', measures }),
      'There is no time in row 0',
    ],
    ['a misspelt column', () => fillDays(frame, { column: 'tme' as 'time' }), 'Did you mean "time"?'],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(ColumnError);
    expect(call).toThrow(message);
  });
});
