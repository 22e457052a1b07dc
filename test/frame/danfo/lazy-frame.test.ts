import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/contract/definition.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns } from '../../../src/frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { type Cell, cellsOf } from '../../../src/frame/vector/vector.js';

type Case = { columns: Column[]; arrays: Cell[][] };
type Use = (frame: DataFrame) => unknown;

const number = (name: string): Column => ({ name, dtype: 'float64', nullable: true, meaning: '' });
const text = (name: string): Column => ({ name, dtype: 'string', nullable: true, meaning: '' });

const FRAMES: Record<string, Case> = {
  numbers: {
    columns: [number('a'), number('b')],
    arrays: [
      [3, 1, 2, 1],
      [0.5, -4, 16777217, 8],
    ],
  },
  'missing numbers': {
    columns: [number('a'), number('b')],
    arrays: [
      [3, Number.NaN, 2],
      [Number.NaN, 1, 2],
    ],
  },
  mixed: {
    columns: [text('a'), number('b')],
    arrays: [
      ['x', 'y', 'x'],
      [1, 2, 3],
    ],
  },
  'missing text': {
    columns: [text('a'), number('b')],
    arrays: [
      ['x', null, ''],
      [1, Number.NaN, 3],
    ],
  },
  'one row': { columns: [number('a'), text('b')], arrays: [[1], ['x']] },
  'member names': {
    columns: [number('size'), number('shape')],
    arrays: [
      [1, 2],
      [3, 4],
    ],
  },
  empty: { columns: [number('a'), text('b')], arrays: [[], []] },
};

const first = (frame: DataFrame): string => frame.columns[0] ?? '';
const inPlace =
  (change: (frame: DataFrame) => unknown): Use =>
  (frame) => {
    change(frame);
    return frame;
  };

const USES: Record<string, Use> = {
  shape: (f) => f.shape,
  size: (f) => f.size,
  index: (f) => f.index,
  values: (f) => f.values,
  columns: (f) => f.columns,
  dtypes: (f) => f.dtypes,
  ctypes: (f) => f.ctypes,
  getColumnData: (f) => (f.shape[0] === 0 ? [] : f.getColumnData),
  T: (f) => f.T,
  transpose: (f) => f.transpose(),
  toString: (f: DataFrame) => f.toString(),
  json: (f) => JSON.stringify(f),
  column: (f) => f.column(first(f)),
  property: (f) => Reflect.get(f, 'b'),
  head: (f) => f.head(2),
  tail: (f) => f.tail(2),
  copy: (f) => f.copy(),
  iloc: (f) => f.iloc({ rows: [0], columns: [1] }),
  'iloc slice': (f) => f.iloc({ rows: ['0:1'] }),
  'iloc booleans': (f) => f.iloc({ rows: f.index.map((_, row) => row === 0) }),
  loc: (f) => f.loc({ rows: [0], columns: [first(f)] }),
  at: (f) => f.at(0, first(f)),
  iat: (f) => f.iat(0, 1),
  query: (f) => f.query(f.column(first(f)).ne(1)),
  sortValues: (f) => f.sortValues(first(f)),
  'sortValues down': (f) => f.sortValues(first(f), { ascending: false }),
  sortIndex: (f) => f.sortIndex({ ascending: false }),
  describe: (f) => f.describe(),
  selectDtypes: (f) => f.selectDtypes(['float32']),
  'groupby sum': (f) => f.groupby([first(f)]).sum(),
  'groupby count': (f) => f.groupby([first(f)]).count(),
  count: (f) => f.count(),
  'sum down': (f) => f.sum({ axis: 0 }),
  'mean down': (f) => f.mean({ axis: 0 }),
  mean: (f) => f.mean(),
  median: (f) => f.median({ axis: 0 }),
  mode: (f) => f.mode({ axis: 0 }),
  min: (f) => f.min({ axis: 0 }),
  max: (f) => f.max(),
  std: (f) => f.std({ axis: 0 }),
  var: (f) => f.var({ axis: 0 }),
  nUnique: (f) => f.nUnique(0),
  add: (f) => f.add(1),
  'add itself': (f) => f.add(f),
  sub: (f) => f.sub([1, 2]),
  mul: (f) => f.mul(3),
  div: (f) => f.div(f.column(first(f)), { axis: 0 }),
  divNoNan: (f) => f.divNoNan(0),
  pow: (f) => f.pow(2),
  mod: (f) => f.mod(2),
  diff: (f) => f.diff(1),
  pctChange: (f) => f.pctChange(1),
  abs: (f) => f.abs(),
  round: (f) => f.round(1),
  cumSum: (f) => f.cumSum({ axis: 0 }),
  cumMax: (f) => f.cumMax({ axis: 0 }),
  lt: (f) => f.lt(2),
  ge: (f) => f.ge(f),
  addColumn: (f) => f.addColumn('new', f.column(first(f)).values as Cell[]),
  'addColumn in place': inPlace((f) => f.addColumn('new', f.column(first(f)).values as Cell[], { inplace: true })),
  drop: (f) => f.drop({ columns: [first(f)] }),
  'addColumn again': (f) => f.addColumn(first(f), Array<Cell>(f.shape[0]).fill(7)),
  'addColumn again in place': inPlace((f) => f.addColumn(first(f), Array<Cell>(f.shape[0]).fill(7), { inplace: true })),
  'addColumn at the front': (f) => f.addColumn('new', Array<Cell>(f.shape[0]).fill('x'), { atIndex: 0 }),
  'drop in place': inPlace((f) => f.drop({ columns: [first(f)], inplace: true })),
  'drop rows': (f) => f.drop({ index: [0] }),
  rename: (f) => f.rename({ a: 'z' }),
  'rename in place': inPlace((f) => f.rename({ a: 'z' }, { inplace: true })),
  replace: (f) => f.replace(1, 100),
  isNa: (f) => f.isNa(),
  'dropNa rows': (f) => f.dropNa({ axis: 1 }),
  'dropNa in place': inPlace((f) => f.dropNa({ axis: 1, inplace: true })),
  fillNa: (f) => f.fillNa(0),
  'fillNa in place': inPlace((f) => f.fillNa(0, { inplace: true })),
  asType: (f) => f.asType(first(f), 'string'),
  setIndex: (f) => f.setIndex({ column: 'b' }),
  'setIndex in place': inPlace((f) => f.setIndex({ column: 'b', inplace: true })),
  resetIndex: (f) => f.head(2).resetIndex(),
  append: (f) => f.append([[1, 2]], [99]),
  apply: (f) => f.apply((values) => values.length, { axis: 1 }),
  applyMap: (f) => f.applyMap((value) => `${value}`),
  getDummies: (f) => f.getDummies(),
  assign: inPlace((f) => Reflect.set(f, 'b', f.column(first(f)).values)),
  'cumSum in place': inPlace((f) => f.cumSum({ axis: 0, inplace: true })),
  'cumProd across': (f) => f.cumProd({ axis: 1 }),
  'asType in place': inPlace((f) => f.asType(first(f), 'string', { inplace: true })),
  'applyMap in place': inPlace((f) => f.applyMap((value) => `${value}`, { inplace: true })),
  'query in place': inPlace((f) => f.query(f.column(first(f)).ne(1), { inplace: true })),
  'replace in place': inPlace((f) => f.replace(1, 100, { inplace: true })),
  'round in place': inPlace((f) => f.round(0, { inplace: true })),
  'drop rows in place': inPlace((f) => f.drop({ index: [0], inplace: true })),
  'rename rows in place': inPlace((f) => f.rename({ 0: 'z' }, { axis: 0, inplace: true })),
  'resetIndex in place': inPlace((f) => f.resetIndex({ inplace: true })),
  'setIndex dropping': (f) => f.setIndex({ column: 'b', drop: true }),
  'fillNa of a column': (f) => f.fillNa(0, { columns: [first(f)] }),
  'fillNa of a column in place': inPlace((f) => f.fillNa(0, { columns: [first(f)], inplace: true })),
  'sort in place': inPlace((f) => f.sortValues('b', { inplace: true })),
  'add in place': inPlace((f) => f.add(1, { inplace: true })),
};

/** Everything that can be seen of a result; an error is what it says. */
function seen(use: Use, frame: DataFrame): unknown {
  try {
    const result = use(frame);
    if (typeof result !== 'object' || result === null || !('values' in result)) return result;
    const { values, index, columns, dtypes, shape } = result as DataFrame;
    return { values, index, columns, dtypes, shape, text: String(result) };
  } catch (error) {
    return String(error);
  }
}

function plainFrame({ columns, arrays }: Case): DataFrame {
  const rows = (arrays[0] ?? []).map((_, row) => arrays.map((array) => array[row]));
  return new DataFrame(rows, {
    columns: columns.map(({ name }) => name),
    dtypes: columns.map(({ dtype }) => (dtype === 'float64' ? 'float32' : 'string')),
  });
}

function lazyFrame({ columns, arrays }: Case): DataFrame {
  return frameFromColumns(
    columns,
    arrays.map((array) => [...array]),
  );
}

describe.each(Object.entries(FRAMES))('a lazily built frame of %s', (_, parts) => {
  test.each(Object.entries(USES))('behaves like an ordinary one in %s', (_name, use) => {
    expect(seen(use, lazyFrame(parts))).toEqual(seen(use, plainFrame(parts)));
  });

  test('answers a sample of its rows', async () => {
    const frame = lazyFrame(parts);
    if (frame.shape[0] === 0) return;
    const sample = await frame.sample(1, { seed: 7 });
    expect(frame.values).toContainEqual(sample.values[0]);
  });
});

test('is an instance of DataFrame and stays one through its methods', () => {
  const frame = lazyFrame({ columns: [number('a')], arrays: [[1, 2]] });
  expect(frame).toBeInstanceOf(DataFrame);
  expect(frame.head(1)).toBeInstanceOf(DataFrame);
  expect(frame.add(1)).toBeInstanceOf(DataFrame);
});

describe.each(Object.entries(FRAMES))('our reading of a lazily built frame of %s', (_, parts) => {
  const changing = Object.entries(USES).filter(([name]) => name === 'assign' || name.endsWith('in place'));

  test.each(changing)('sees what %s changed', (_name, use) => {
    const frame = lazyFrame(parts);
    vectorsOf(frame);
    if (String(seen(use, frame)).includes('Error')) return;
    const arrays = frame.columns.map((_column, at) => frame.values.map((row) => row[at] ?? null));
    expect(vectorsOf(frame).map((vector) => cellsOf(vector).map((cell) => cell ?? null))).toEqual(arrays);
    expect(columnsOf(frame).map(({ name }) => name)).toEqual(frame.columns);
  });

  test.each(changing)('leaves a frame made of it before %s alone', (_name, use) => {
    const frame = lazyFrame(parts);
    const others = [frame.copy(), frame.rename({ [first(frame)]: 'y' }), frame.head(9)];
    const before = others.map(({ values, getColumnData }) => structuredClone([values, getColumnData]));
    seen(use, frame);
    expect(others.map(({ values, getColumnData }) => [values, getColumnData])).toEqual(before);
  });
});

test('the methods compared do answer, rather than fail alike', () => {
  const parts = FRAMES.numbers ?? { columns: [], arrays: [] };
  const failing = Object.keys(USES).filter((name) =>
    String(seen(USES[name] ?? String, lazyFrame(parts))).includes('Error'),
  );
  expect(failing).toEqual([]);
});
