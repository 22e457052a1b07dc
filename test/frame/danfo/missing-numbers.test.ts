import { expect, it } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';

const FRAME = new DataFrame([
  { v: 1, w: 2, t: 'a' },
  { v: null, w: 3, t: null },
] as { v: number | null; w: number; t: string | null }[]);

it('functions of map and apply get NaN where a number is missing, and null where a text is', () => {
  const v = FRAME.column('v') as unknown as {
    map(f: unknown): { values: unknown };
    apply(f: unknown): { values: unknown };
  };
  const t = FRAME.column('t') as unknown as typeof v;
  expect(v.map((value: number) => value * 2).values).toEqual([2, Number.NaN]);
  expect(v.apply((value: number) => value + 1).values).toEqual([2, Number.NaN]);
  expect(() => v.apply(undefined)).toThrow(/apply needs a function of a value/);
  expect(t.map((value: string | null) => value === null).values).toEqual([false, true]);
  const numbers = new DataFrame([
    { v: 1, w: 2 },
    { v: null, w: 3 },
  ] as { v: number | null; w: number }[]) as unknown as {
    applyMap(f: unknown): { values: unknown };
    apply(f: unknown, options: object): { values: unknown };
  };
  expect(numbers.applyMap((value: number) => value + 1).values).toEqual([
    [2, 3],
    [Number.NaN, 4],
  ]);
  const added = (cells: number[]) => cells.reduce((sum, cell) => sum + cell, 0);
  expect(numbers.apply(added, { axis: 1 }).values).toEqual([3, Number.NaN]);
  expect(numbers.apply(added, { axis: 0 }).values).toEqual([Number.NaN, 5]);
});
