import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns, frameFromVectors, takeRows } from '../../../src/frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { takeVector } from '../../../src/frame/vector/take-vector.js';
import { cellsOf } from '../../../src/frame/vector/vector.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';
import { sortBy } from '../../../src/frame/verbs/sort-by.js';
import fc from '../../support/fast-check.js';

const ROWS = 3000;
type Row = { a: number; s: string | null; m: number };

/** Numbers, text and exact amounts, more than are taken at once. */
function many(): DataFrame<Row> {
  const numbers = frameFromColumns(
    [
      { name: 'a', dtype: 'float64', nullable: true, meaning: '' },
      { name: 's', dtype: 'string', nullable: true, meaning: '' },
    ],
    [
      Array.from({ length: ROWS }, (_, row) => (row * 7919) % 1000),
      Array.from({ length: ROWS }, (_, row) => `w${row % 7}`),
    ],
  );
  const micros = { kind: 'micros' as const, values: BigInt64Array.from({ length: ROWS }, (_, row) => BigInt(row)) };
  return frameFromVectors<Row>(
    [...columnsOf(numbers), { name: 'm', dtype: 'float64', unit: 'USD', nullable: false, decimal: true, meaning: '' }],
    [...vectorsOf(numbers), micros],
  );
}

const cellsIn = (frame: DataFrame<Row>) => vectorsOf(frame).map((vector) => cellsOf(vector));
describe('rows that are taken', () => {
  it('are those of each column, in whatever order they are read and however often they were taken', () => {
    const frame = many();
    const rows = fc.array(fc.nat(ROWS - 1), { minLength: 1200, maxLength: 1800 });
    fc.assert(
      fc.property(rows, rows, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (one, other, order) => {
        const within = other.map((row) => row % one.length);
        const taken = takeRows(takeRows(frame, Uint32Array.from(one)), Uint32Array.from(within));
        const picked = Uint32Array.from(within, (row) => one[row] as number);
        expect(taken.shape).toEqual([within.length, 3]);
        for (const at of order) {
          const [mine, theirs] = [vectorsOf(taken)[at], vectorsOf(frame)[at]];
          if (!mine || !theirs) throw new Error('a column');
          expect(cellsOf(mine)).toEqual(cellsOf(takeVector(theirs, picked)));
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each<[string, (frame: DataFrame<Row>) => unknown]>([
    ['a cell', (frame) => ((frame.column('a').values as number[])[0] = -1)],
    ['an exact amount', (frame) => ((frame.column('m').values as number[])[0] = -1)],
    ['a column', (frame) => frame.addColumn('a', Array<number>(ROWS).fill(-1), { inplace: true })],
    ['the names', (frame) => frame.rename({ a: 'b' }, { inplace: true })],
    ['the rows', (frame) => frame.sortValues('a', { inplace: true })],
    ['the columns', (frame) => frame.drop({ columns: ['s'], inplace: true })],
  ])('stay what they were where %s of their frame changes before they are read', (_, change) => {
    const expected = cellsIn(filterRows(many(), ({ a }) => a < 700));
    const frame = many();
    const taken = filterRows(frame, ({ a }) => a < 700);
    change(frame);
    expect(taken.columns).toEqual(['a', 's', 'm']);
    expect(cellsIn(taken)).toEqual(expected);
  });

  it('of a frame that was changed are those that it has now', () => {
    const frame = many();
    (frame.column('a').values as number[])[0] = 5000;
    frame.addColumn('s', Array<string>(ROWS).fill('x'), { inplace: true });
    const taken = filterRows(frame, ({ a }) => a >= 500);
    expect(taken.column('a').values[0]).toBe(5000);
    expect(new Set(taken.column('s').values)).toEqual(new Set(['x']));
  });

  it('may be changed without changing their frame', () => {
    const frame = many();
    const before = cellsIn(frame);
    const taken = sortBy(frame, 'a');
    (taken.column('a').values as number[])[0] = -1;
    taken.addColumn('s', Array<string>(ROWS).fill('x'), { inplace: true });
    expect(cellsIn(frame)).toEqual(before);
    expect(taken.column('a').values[0]).toBe(-1);
    expect(taken.values[0]).toEqual([-1, 'x', 0]);
  });

  it('do not keep many in memory where they are few', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const take = (share: number) => {
      const frame = many();
      const kept = new WeakRef(vectorsOf(frame)[2] as object);
      return { taken: filterRows(frame, (_, at) => at < share * ROWS), kept };
    };
    const [few, most] = [take(0.1), take(0.9)];
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();
    expect(few.kept.deref()).toBe(undefined);
    expect(most.kept.deref()).not.toBe(undefined);
    expect([few.taken.shape[0], most.taken.shape[0]]).toEqual([300, 2700]);
  });
});
