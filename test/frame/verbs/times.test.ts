import { expect, test } from 'vitest';
import type { Column } from '../../../src/contract/definition.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { FrameBuilder } from '../../../src/frame/decode/frame-builder.js';
import { frameFromRecords } from '../../../src/frame/decode/frame-from-records.js';
import { isShortestTime } from '../../../src/frame/decode/scan-values.js';
import { column, recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { toIsoTime } from '../../../src/frame/vector/iso-time.js';
import { describe as summary } from '../../../src/frame/verbs/describe.js';
import { max, min } from '../../../src/frame/verbs/extreme.js';
import { distinct, groupBy } from '../../../src/frame/verbs/group-by.js';
import { joinOn } from '../../../src/frame/verbs/join-on.js';
import { nUnique } from '../../../src/frame/verbs/measure.js';
import { pivot } from '../../../src/frame/verbs/pivot.js';
import { sortBy, topN } from '../../../src/frame/verbs/sort-by.js';
import { sum } from '../../../src/frame/verbs/sum-and-mean.js';
import { withColumns } from '../../../src/frame/verbs/with-columns.js';
import fc from '../../support/fast-check.js';

const COLUMNS: readonly Column[] = [
  { name: 'at', dtype: 'datetime', nullable: false, meaning: 'When.' },
  { name: 'v', dtype: 'int32', nullable: false, meaning: 'What.' },
];
type Row = { at: string; v: number };
const framed = (...times: string[]) =>
  frameFromRecords<Row>(
    COLUMNS,
    times.map((at, v) => ({ at, v })),
  );
const texts = (...times: string[]) => {
  const builder = new FrameBuilder<Row>(COLUMNS);
  builder.appendText(new TextEncoder().encode(JSON.stringify(times.map((at, v) => ({ at, v })))));
  return builder.build();
};

const SPELLINGS = [
  ['2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ['2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00Z'],
  ['2025-01-01T00:00Z', '2025-01-01T00:00:00Z'],
  ['2025-01-01 02:00:00+02', '2025-01-01T00:00:00Z'],
  ['2025-01-01T00:00:00.5Z', '2025-01-01T00:00:00.500Z'],
  ['2025-01-01T00:00:00.500000Z', '2025-01-01T00:00:00.500Z'],
  ['2025-01-01T00:00:00.500001+00', '2025-01-01T00:00:00.500001Z'],
  ['2025-01-01T00:00:00.123456789Z', '2025-01-01T00:00:00.123456789Z'],
  ['2025-01-01', '2025-01-01'],
] as const;

test('times are held in one form, whether they come as records or as text', () => {
  const [given, held] = [SPELLINGS.map(([from]) => from), SPELLINGS.map(([, to]) => to)];
  expect(column(framed(...given), 'at')).toEqual(held);
  expect(column(texts(...given), 'at')).toEqual(held);
  const utc = SPELLINGS.filter(([from]) => !from.includes('+'));
  const inferred = frameFromRecords<{ at: string }>(
    [],
    utc.map(([at]) => ({ at })),
  );
  expect(column(inferred, 'at')).toEqual(utc.map(([, to]) => to));
});

test('also in a column that hardly repeats', () => {
  const times = Array.from({ length: 6000 }, (_, row) => new Date(1.7e12 + row * 250).toISOString());
  expect(column(texts(...times), 'at')).toEqual(times.map((time) => time.replace('.000Z', 'Z')));
});

test('bytes tell the form as text does', () => {
  const digits = fc.stringMatching(/^[05]{0,10}$/);
  fc.assert(
    fc.property(digits, (fraction) => {
      const text = `2025-01-01T00:00:00${fraction === '' ? '' : `.${fraction}`}Z`;
      const bytes = new TextEncoder().encode(`"${text}"`);
      expect(isShortestTime(bytes, 1, text.length + 1)).toBe(toIsoTime(text) === text);
    }),
  );
});

test('a day that does not exist is no time', () => {
  for (const at of [
    '2000-02-30T00:00:00Z',
    '2025-02-29',
    '1900-02-29T00:00:00Z',
    '2025-04-31T10:00:00.5Z',
    '2025-02-30 10:00',
  ]) {
    const message = `Page 1, row 2: the field "at" is ${JSON.stringify(at)}; it should be ISO 8601 text`;
    expect(() => framed('2000-02-29', at)).toThrow(message);
    expect(() => texts('2000-02-29', at)).toThrow(message);
    expect(columnsOf(frameFromRecords([], [{ at }]))[0]?.dtype).toBe('string');
  }
});

const ORDER = [
  '2024-12-31T23:59:59.999Z',
  '2025-01-01T00:00:00Z',
  '2025-01-01T00:00:00.001Z',
  '2025-01-01T00:00:00.001001Z',
  '2025-01-01T00:00:00.500Z',
  '2025-01-01T00:00:01Z',
  '2025-01-02',
  '2025-01-02T00:00:00.100Z',
];

test('times sort as moments, with a fraction of a second and without', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ORDER, { minLength: 1 }), (times) => {
      const frame = framed(...times);
      const sorted = ORDER.filter((time) => times.includes(time));
      expect(column(sortBy(frame, 'at'), 'at')).toEqual(sorted);
      expect(column(sortBy(frame, { column: 'at', descending: true }), 'at')).toEqual(sorted.toReversed());
      expect(column(topN(frame, 1, 'at'), 'at')).toEqual(sorted.slice(-1));
      expect(column(frame.sortValues('at') as typeof frame, 'at')).toEqual(sorted);
      const ends = groupBy(frame, []).rollup({ from: min('at'), to: max('at') });
      expect([...recordsOf(ends)]).toEqual([{ from: sorted[0], to: sorted.at(-1) }]);
      expect([...recordsOf(summary(frame))][0]).toMatchObject({ earliest: sorted[0], latest: sorted.at(-1) });
    }),
    { numRuns: 50 },
  );
});

test('equal moments are equal keys, whatever their forms', () => {
  const frames = [
    framed('2025-01-01', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.5Z'),
    new DataFrame({
      at: ['2025-01-01', '2025-01-01T00:00Z', '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.50Z'],
      v: [0, 1, 2, 3],
    }),
    withColumns(framed('2025-01-01', '2025-01-01', '2025-01-01', '2025-01-01'), {
      at: (_, row) => new Date(row < 3 ? '2025-01-01' : '2025-01-01T00:00:00.500Z'),
    }),
  ];
  const right = frameFromRecords<{ at: string; w: number }>(
    [...COLUMNS.slice(0, 1), { name: 'w', dtype: 'int32', nullable: false, meaning: '' }],
    [
      { at: '2025-01-01T00:00:00Z', w: 1 },
      { at: '2025-01-01T00:00:00.500Z', w: 2 },
    ],
  );
  for (const frame of frames as DataFrame<Row>[]) {
    expect(column(joinOn(frame, right, 'at'), 'w')).toEqual(Float64Array.of(1, 1, 1, 2));
    expect(joinOn(right, frame, 'at').shape).toEqual([4, 3]);
    expect(joinOn(frame, right, 'at', { kind: 'anti' }).shape[0]).toBe(0);
    expect(column(distinct(frame, 'at'), 'v')).toEqual(Float64Array.of(0, 3));
    expect(column(groupBy(frame, 'at').rollup({ v: sum('v') }), 'v')).toEqual(Float64Array.of(3, 3));
    expect(column(groupBy(frame, []).rollup({ n: nUnique('at') }), 'n')).toEqual(Float64Array.of(2));
    expect(pivot(frame, { rows: 'at', columns: 'v', values: sum('v') }).shape).toEqual([2, 5]);
    expect([...recordsOf(summary(frame))][0]).toMatchObject({ distinct: 2 });
  }
});

test('text beside times is joined as times, and refused where it is none', () => {
  const times = framed('2025-01-01T00:00:00.5Z', '2025-01-02');
  const text: Column = { name: 'day', dtype: 'string', nullable: true, meaning: '' };
  const days = frameFromRecords<{ day: string | null; w: number }>(
    [text, { ...text, name: 'w', dtype: 'int32' }],
    [
      { day: '2025-01-02 02:00:00+02:00', w: 1 },
      { day: '2025-01-02', w: 2 },
      { day: null, w: 3 },
      { day: '2025-01-01T00:00:00.500Z', w: 4 },
    ],
  );
  const both = [
    [0, 4],
    [1, 1],
    [1, 2],
  ];
  const meant = { validate: 'm:m' } as const;
  expect(recordsOf(joinOn(times, days, { at: 'day' }, meant)).map(({ v, w }) => [v, w])).toEqual(both);
  const turned = recordsOf(joinOn(days, times, { day: 'at' }, { kind: 'right', validate: 'm:1' }));
  expect(turned.map(({ v, w }) => [v, w])).toEqual(both);
  const never = new DataFrame({ at: ['2025-01-01', '1 May'] });
  for (const join of [() => joinOn(times, never, 'at'), () => joinOn(never, times, 'at')]) {
    expect(join).toThrow(
      'joinOn compares the column "at" with the times of "at", but it holds "1 May" in row 1, counted from 0: write ' +
        'times as 2026-01-31T00:00:00Z, or days as 2026-01-31.',
    );
  }
});

test('new columns of times take the form of the others; days stay days', () => {
  const made = withColumns(framed('2025-01-01', '2025-01-02'), {
    time: (row) => new Date(row.at).toISOString(),
    day: (row) => row.at.slice(0, 10),
    date: (row) => new Date(row.at),
  });
  expect(column(made, 'time')).toEqual(['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z']);
  expect(column(made, 'day')).toEqual(['2025-01-01', '2025-01-02']);
  expect(column(made as DataFrame, 'date')).toEqual(['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z']);
});

test('a new column of what is no cell is refused at once', () => {
  const frame = framed('2025-01-01', '2025-01-02');
  const message = (what: string, remedy: string) =>
    `The new column "y" has ${what} in row 1, counted from 0, but a column holds numbers, text, booleans and dates: ${remedy}.`;
  const part = 'give a part of it, or text such as JSON.stringify makes';
  for (const [value, expected] of [
    [{}, message('a value of type object', part)],
    [[1], message('a list', part)],
    [Symbol('q'), message('a value of type symbol', part)],
    [10n, message('a value of type bigint', 'give Number(value), or String(value) from 2⁵³ on')],
    [Promise.resolve(1), message('a promise', 'await it before')],
  ] as const) {
    expect(() => withColumns(frame, { y: [null, value as never] })).toThrow(expected);
    expect(() => withColumns(frame, { y: (_, row) => (row === 0 ? 'a' : (value as never)) })).toThrow(expected);
  }
});
