import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
import { type Cell, MISSING_MICROS, type Vector } from '../../../src/frame/vector/vector.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';
import { sortBy } from '../../../src/frame/verbs/sort-by.js';
import { COLUMNS, frameOf, rawRows } from './random-frames.js';

const frame = frameOf([
  { text: 'a', number: 3, flag: true, money: 1_500_000n },
  { text: null, number: Number.NaN, flag: null, money: null },
  { text: '', number: -1, flag: false, money: -2n },
]);

describe('filterRows', () => {
  test('says what it needs where it got neither a function nor a mask', () => {
    const needs = 'it needs a function such as (row) => row.pnl > 0, or one boolean a row.';
    const got = (keep: unknown) => () => filterRows(frame, keep as boolean[]);
    expect(got(undefined)).toThrow(new UsageError(`filterRows got undefined: ${needs}`));
    expect(got(null)).toThrow(new UsageError(`filterRows got null: ${needs}`));
    expect(got(frame)).toThrow(new UsageError(`filterRows got a frame: ${needs}`));
    expect(got({ pnl: 1 })).toThrow(new UsageError(`filterRows got object: ${needs}`));
    expect(got('pnl > 0')).toThrow(new UsageError(`filterRows got string: ${needs}`));
  });

  test('shows its own rows within a test over others of the same columns', () => {
    const others = frameOf([{ text: 'b', number: 3, flag: false, money: 1n }]);
    const kept = filterRows(frame, (row) => {
      const inner = filterRows(others, (other) => other.number === row.number && other.text !== row.text);
      return inner.shape[0] === 1 && row.text === 'a';
    });
    expect(kept.shape[0]).toBe(1);
    expect(() =>
      filterRows(frame, () => filterRows(frame, (row) => 'no' in row || (row as { no?: 1 }).no === 1) && true),
    ).toThrow(/no column/i);
    expect(filterRows(frame, ({ number }) => number > 0).shape[0]).toBe(1);
  });

  test('shows no row once it is done', () => {
    const stored: { number: number }[] = [];
    filterRows(frame, (row) => stored.push(row) > 0);
    expect(() => stored[0]?.number).toThrow(/This row is no longer shown.+Copy it: { \.\.\.row }/);
  });

  test('shows each row with missing values as NaN and null, and amounts as doubles', () => {
    const seen: unknown[] = [];
    filterRows(frame, (row, at) => {
      seen.push([at, { ...row }]);
      return row.flag;
    });
    expect(seen).toEqual([
      [0, { text: 'a', number: 3, flag: true, money: 1.5 }],
      [1, { text: null, number: Number.NaN, flag: null, money: Number.NaN }],
      [2, { text: '', number: -1, flag: false, money: -0.000002 }],
    ]);
  });

  test('takes a comparison of danfo by position, also after a sort, where danfo takes labels for positions', () => {
    const sorted = sortBy(frame, 'number');
    expect(rawRows(filterRows(sorted, sorted.number.gt(0)))).toEqual([['a', 3, true, 1_500_000n]]);
    const own = new DataFrame({ a: [5, 1, 3] }).sortValues('a');
    expect(filterRows(own, own.column('a').gt(2)).values).toEqual([[3], [5]]);
  });

  test('knows columns by names of members of objects', () => {
    const names = ['__proto__', 'constructor', 'size', 'toString'];
    const odd = frameFromVectors<{ constructor: number; size: number; toString: number }>(
      names.map((name) => ({ name, dtype: 'float64', nullable: false, meaning: '' })),
      names.map((_, at) => ({ kind: 'number', values: Float64Array.of(at, 10 + at) })),
    );
    const seen: unknown[] = [];
    filterRows(odd, (row) => {
      seen.push([Reflect.get(row, '__proto__'), row.constructor, row.size, row.toString]);
      return true;
    });
    expect(seen).toEqual([
      [0, 1, 2, 3],
      [10, 11, 12, 13],
    ]);
  });

  test('shows columns of one name by the kind that they have in each frame, made when they are read', () => {
    const columns = [{ name: 'of any kind', dtype: 'float64', nullable: true, meaning: '' }] as const;
    const kinds: Vector[] = [
      { kind: 'number', values: Float64Array.of(1.5, Number.NaN) },
      { kind: 'micros', values: BigInt64Array.of(2_500_000n, MISSING_MICROS) },
      { kind: 'text', codes: Int32Array.of(0, -1), words: ['a'], distinct: true },
      { kind: 'boolean', values: Int8Array.of(1, -1) },
      { kind: 'mixed', cells: [['of', 'lists'].length, null] },
    ];
    const frames = kinds.map((vector) => frameFromVectors<{ 'of any kind': Cell }>(columns, [vector]));
    // Also of a frame whose columns are not made before they are read.
    const all = [...frames, ...frames.map((each) => filterRows(each, () => true)), ...frames.toReversed()];
    const seen = all.map((each) => {
      const cells: unknown[] = [];
      filterRows(each, (row) => cells.push({ ...row }['of any kind'], row['of any kind']) === 0 || false);
      return cells;
    });
    const twice = [1.5, 2.5, 'a', true, 2].map((value, at) => {
      const missing = at < 2 ? Number.NaN : null;
      return [value, value, missing, missing];
    });
    expect(seen).toEqual([...twice, ...twice, ...twice.toReversed()]);
  });

  test('shows a row that cannot be changed', () => {
    const changed = (change: (row: { number?: number; other?: number }) => unknown) => () =>
      filterRows(frame, (row) => Boolean(change(row as object)));
    expect(changed((row) => (row.number = 5))).toThrow(TypeError);
    expect(changed((row) => (row.other = 5))).toThrow(TypeError);
    // What somebody takes away is still the row's.
    const kept = filterRows(frame, (row) => Reflect.deleteProperty(row, 'text') && row.text === 'a');
    expect(rawRows(kept)).toEqual([['a', 3, true, 1_500_000n]]);
  });

  test('keeps where the rows come from, and takes a frame without rows', () => {
    const source = frameOf([{ text: 'a', number: 1, flag: true, money: 1n }]);
    const query = { service: 'http://a', dataset: 569, params: {}, queriedAt: '2026-01-01T00:00:00Z', records: 1 };
    setProvenance(source, [query]);
    const none = filterRows(source, () => false);
    expect(none.shape).toEqual([0, COLUMNS.length]);
    expect(provenanceOf(filterRows(none, () => true))).toEqual([query]);
    expect(filterRows(none, []).shape).toEqual([0, COLUMNS.length]);
    expect(filterRows(new DataFrame({ a: [1, 'x'] }), (row) => row.a === 'x').values).toEqual([['x']]);
  });

  test('refuses a test with braces that returns nothing; other tests may be undefined for every row', () => {
    expect(() =>
      filterRows(frame, (row) => {
        row.number > 0;
      }),
    ).toThrow('The test of filterRows has braces but returns nothing: write { return row.pnl > 0; }.');
    const flags = new Map<string | null, boolean>();
    expect(filterRows(frame, (row) => flags.get(row.text)).shape[0]).toBe(0);
    expect(filterRows(frame, flags.get.bind(flags, 'a')).shape[0]).toBe(0);
  });

  test('refuses verdicts that are none, and masks of another length', () => {
    // @ts-expect-error An async function says nothing in time.
    expect(() => filterRows(frame, async () => true)).toThrow('filterRows got a promise for row 0');
    // @ts-expect-error A number is no verdict.
    expect(() => filterRows(frame, (row) => row.number)).toThrow('filterRows got number 3 for row 0, counted from 0');
    // @ts-expect-error Nor is a text.
    expect(() => filterRows(frame, [true, 'no', true])).toThrow('filterRows got string no for row 1');
    expect(() => filterRows(frame, [true])).toThrow('The mask has 1 values, the frame 3 rows: give one value a row.');
  });
});
