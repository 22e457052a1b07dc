import { expect, it } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { max, min } from '../../../src/frame/verbs/extreme.js';
import { groupBy } from '../../../src/frame/verbs/group-by.js';
import { pivot } from '../../../src/frame/verbs/pivot.js';
import { mean, sum } from '../../../src/frame/verbs/sum-and-mean.js';

/** A frame of plain records with so many columns beside `key`, `name` and `v`, and what tells how often one was read. */
function counted(others = 0, names = 3) {
  const beside = Object.fromEntries(Array.from({ length: others }, (_, at) => [`c${at}`, at]));
  const rows = Array.from({ length: 2 * names }, (_, row) => ({
    key: row % 2,
    name: `n${row % names}`,
    v: row,
    ...beside,
  }));
  const frame = new DataFrame(rows);
  let reads = 0;
  const told = frame.getColumnData;
  Object.defineProperty(frame, 'getColumnData', {
    get: () => {
      reads += 1;
      return told;
    },
  });
  const readsOf = (ask: () => unknown) => {
    reads = 0;
    ask();
    return reads;
  };
  return { frame, readsOf };
}

it('a rollup reads a column of plain records as often for one measure as for many', () => {
  const { frame, readsOf } = counted();
  const groups = groupBy(frame, 'key');
  const one = readsOf(() => groups.rollup({ a: sum('v') }));
  const many = readsOf(() => groups.rollup({ a: sum('v'), b: sum('v'), c: mean('v'), d: max('v'), e: min('v') }));
  expect(one).toBeGreaterThan(0);
  expect(many).toBe(one);
  expect(recordsOf(groups.rollup({ a: sum('v'), c: mean('v'), d: max('v') }))).toEqual([
    { key: 0, a: 6, c: 2, d: 4 },
    { key: 1, a: 9, c: 3, d: 5 },
  ]);
});

it('rollups and pivots read only the columns that they need, however many there are', () => {
  const [few, many] = [counted(), counted(996)];
  const rollup = ({ frame, readsOf }: typeof few) => readsOf(() => groupBy(frame, 'key').rollup({ a: sum('v') }));
  expect(rollup(many)).toBe(rollup(few));
  const table = ({ frame }: typeof few) => pivot(frame, { rows: 'key', columns: 'name', values: sum('v') });
  const reads = [few, many].map((each) => each.readsOf(() => table(each)));
  expect(reads[1]).toBe(reads[0]);
  expect(recordsOf(table(many))).toEqual([
    { key: 0, n0: 0, n1: 4, n2: 2 },
    { key: 1, n0: 3, n1: 1, n2: 5 },
  ]);
});

it('a pivot to 999 columns reads each column that it needs as often as one to two', () => {
  const reads = [2, 999].map((names) => {
    const { frame, readsOf } = counted(0, names);
    const count = readsOf(() => pivot(frame, { rows: 'key', columns: 'name', values: sum('v') }));
    expect(pivot(frame, { rows: 'key', columns: 'name', values: sum('v') }).columns).toHaveLength(names + 1);
    return count;
  });
  expect(reads[1]).toBe(reads[0]);
});
