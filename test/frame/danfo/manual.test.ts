import { describe, expect, it, test, vi } from 'vitest';
import { DataFrame, Series } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns } from '../../../src/frame/danfo/frame-from-vectors.js';

// Everything in danfo's manual, tried once on a frame of ours: right, or a refusal that says which function of ours does
// it. What is right was counted by hand.

const none = Number.NaN;

/** Numbers, text, booleans and times, each with a missing value; `null` is text in one row and missing in another. */
const typed = () =>
  frameFromColumns<{ wallet: string | null; n: number; pnl: number; won: boolean | null; at: string | null }>(
    [
      { name: 'wallet', dtype: 'string', nullable: true, meaning: 'Who.' },
      { name: 'n', dtype: 'int32', nullable: false, meaning: 'How many.' },
      { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'How much.' },
      { name: 'won', dtype: 'boolean', nullable: true, meaning: 'Whether.' },
      { name: 'at', dtype: 'datetime', nullable: true, meaning: 'When.' },
    ],
    [
      ['b', 'a', null, 'null'],
      [3, -1, 2, 2],
      [1.5, none, -2.25, 1.5],
      [true, false, null, true],
      ['2025-05-01T00:00:00Z', '2025-12-31T23:59:59Z', null, '2025-02-28T12:30:45.500Z'],
    ],
  );
const numbers = () => typed().loc({ columns: ['n', 'pnl'] }) as DataFrame<{ n: number; pnl: number }>;
const { wallet, n, pnl, won, at } = {
  wallet: () => typed().column('wallet'),
  n: () => typed().column('n'),
  pnl: () => typed().column('pnl'),
  won: () => typed().column('won'),
  at: () => typed().column('at'),
};
const nulls = () => new Series<number | null>([1, null, 3]);
const groups = () => typed().groupby(['wallet']);

/** What a method answers: the values, and where they tell something, row labels or names of columns. */
type Tried = readonly [name: string, call: () => unknown, right: unknown];

class Refusal {
  constructor(readonly message: RegExp) {}
}
const refused = (message: RegExp) => new Refusal(message);

function plain(answer: unknown): unknown {
  if (answer === null || typeof answer !== 'object' || !('values' in answer) || Array.isArray(answer)) return answer;
  return (answer as { values: unknown }).values;
}
const labelled = (series: unknown) => {
  const { index, values } = series as { index: unknown[]; values: unknown[] };
  return index.map((label, row) => [label, values[row]]);
};
const inPlace = <Of>(object: Of, change: (object: Of) => unknown): unknown => {
  expect(change(object)).toBeUndefined();
  return plain(object);
};
const dtypesAnd = (frame: unknown) => [(frame as { dtypes: string[] }).dtypes, plain(frame)];

const FRAME: readonly Tried[] = [
  [
    'values',
    () => numbers().values,
    [
      [3, 1.5],
      [-1, none],
      [2, -2.25],
      [2, 1.5],
    ],
  ],
  ['columns', () => typed().columns, ['wallet', 'n', 'pnl', 'won', 'at']],
  ['dtypes', () => typed().dtypes, ['string', 'int32', 'float32', 'boolean', 'string']],
  ['index', () => typed().index, [0, 1, 2, 3]],
  ['shape', () => typed().shape, [4, 5]],
  ['size', () => typed().size, 20],
  ['ndim', () => Reflect.get(typed(), 'ndim'), 2],
  ['axis', () => Reflect.get(numbers(), 'axis'), { index: [0, 1, 2, 3], columns: ['n', 'pnl'] }],
  [
    'ctypes',
    () => labelled(numbers().ctypes),
    [
      ['n', 'int32'],
      ['pnl', 'float32'],
    ],
  ],
  [
    'getColumnData',
    () => numbers().getColumnData,
    [
      [3, -1, 2, 2],
      [1.5, none, -2.25, 1.5],
    ],
  ],
  ['tensor', () => Reflect.get(numbers(), 'tensor').arraySync()[0], [3, 1.5]],
  ['config', () => typeof Reflect.get(numbers(), 'config'), 'object'],
  ['provenance', () => typed().provenance, []],
  [
    'T',
    () => numbers().T.values,
    [
      [3, -1, 2, 2],
      [1.5, none, -2.25, 1.5],
    ],
  ],
  ['transpose', () => numbers().transpose().index, ['n', 'pnl']],
  ['column', () => typed().column('wallet').values, ['b', 'a', null, 'null']],
  ['column', () => typed().column('walet' as 'wallet'), refused(/Column not found/)],
  ['head', () => numbers().head(1), [[3, 1.5]]],
  ['head', () => numbers().head(0), refused(/cannot be less than 1/)],
  [
    'tail',
    () => labelled(numbers().tail(2)),
    [
      [2, [2, -2.25]],
      [3, [2, 1.5]],
    ],
  ],
  ['iloc', () => typed().iloc({ rows: [2], columns: [0, 3] }), [[null, null]]],
  [
    'loc',
    () => numbers().loc({ rows: [3, 0] }),
    [
      [2, 1.5],
      [3, 1.5],
    ],
  ],
  ['loc', () => typed().loc({ columns: ['walet'] as never }), refused(/no column "walet". Did you mean "wallet"/)],
  ['loc', () => numbers().loc({ rows: [true] }), refused(/one boolean a row, 4 in all/)],
  ['at', () => numbers().at(3, 'n'), 2],
  ['at', () => numbers().at(9, 'n'), refused(/there is none 9/)],
  ['iat', () => typed().iat(3, 0), 'null'],
  ['query', () => numbers().query(n().gt(1)).index, [0, 2, 3]],
  ['query', () => typed().query(pnl().lt(9)).index, [0, 2, 3]],
  ['selectDtypes', () => typed().selectDtypes(['boolean']), [[true], [false], [null], [true]]],
  ['sortValues', () => numbers().sortValues('pnl').index, [2, 0, 3, 1]],
  ['sortIndex', () => numbers().sortValues('pnl').sortIndex().index, [0, 1, 2, 3]],
  [
    'count',
    () => labelled(typed().count({ axis: 0 })),
    [
      ['wallet', 3],
      ['n', 4],
      ['pnl', 3],
      ['won', 3],
      ['at', 3],
    ],
  ],
  ['sum', () => numbers().sum({ axis: 0 }), [6, 0.75]],
  ['sum', () => numbers().sum(), [4.5, -1, -0.25, 3.5]],
  ['sum', () => typed().sum({ axis: 0 }), refused(/"wallet" holds text: groupBy/)],
  ['mean', () => numbers().mean({ axis: 0 }), [1.5, 0.25]],
  ['mean', () => typed().mean(), refused(/not supported for string/)],
  ['mean', () => new DataFrame({ a: [none, none] }).mean({ axis: 0 }), [none]],
  ['median', () => numbers().median({ axis: 0 }), [2, 1.5]],
  ['median', () => new DataFrame({ a: [none] }).median({ axis: 0 }), [none]],
  ['mode', () => numbers().mode({ axis: 0 }), [2, 1.5]],
  ['min', () => numbers().min({ axis: 0 }), [-1, -2.25]],
  ['max', () => numbers().max({ axis: 0 }), [3, 1.5]],
  ['max', () => new DataFrame({ a: [none] }).max({ axis: 0 }), [none]],
  ['std', () => numbers().std({ axis: 0 }), [Math.sqrt(3), Math.sqrt(4.6875)]],
  ['var', () => numbers().var({ axis: 0 }), [3, 4.6875]],
  ['nUnique', () => typed().nUnique(0), [4, 3, 3, 3, 4]],
  ['describe', () => numbers().describe().values[0], [4, 3]],
  [
    'add',
    () => numbers().add(1),
    [
      [4, 2.5],
      [0, none],
      [3, -1.25],
      [3, 2.5],
    ],
  ],
  ['add', () => typed().add(1), refused(/not supported for string/)],
  [
    'sub',
    () => numbers().sub([1, 0.5]),
    [
      [2, 1],
      [-2, none],
      [1, -2.75],
      [1, 1],
    ],
  ],
  [
    'mul',
    () => numbers().mul(numbers()),
    [
      [9, 2.25],
      [1, none],
      [4, 5.0625],
      [4, 2.25],
    ],
  ],
  ['div', () => dtypesAnd(new DataFrame({ a: [1, 4] }).div(2)), [['float32'], [[0.5], [2]]]],
  ['divNoNan', () => numbers().divNoNan(0).values[0], [0, 0]],
  ['pow', () => numbers().pow(2).values[2], [4, 5.0625]],
  ['mod', () => numbers().mod(2).values[1], [1, none]],
  [
    'diff',
    () => numbers().diff(1),
    [
      [none, none],
      [-4, none],
      [3, none],
      [0, 3.75],
    ],
  ],
  [
    'diff',
    () => numbers().diff(1, { axis: 0 }),
    [
      [none, -1.5],
      [none, none],
      [none, -4.25],
      [none, -0.5],
    ],
  ],
  ['diff', () => numbers().diff(0.5), refused(/whole number of places/)],
  ['pctChange', () => new DataFrame({ a: [0, 2, 3] }).pctChange(1), [[none], [Number.POSITIVE_INFINITY], [0.5]]],
  ['abs', () => new DataFrame({ a: [-1, null] }).abs(), [[1], [none]]],
  ['abs', () => typed().abs(), refused(/abs needs numbers/)],
  ['round', () => new DataFrame({ a: [1.256, none] }).round(2), [[1.26], [none]]],
  [
    'cumSum',
    () => numbers().cumSum({ axis: 0 }),
    [
      [3, 1.5],
      [2, none],
      [4, -0.75],
      [6, 0.75],
    ],
  ],
  ['cumMin', () => numbers().cumMin({ axis: 0 }).values[3], [-1, -2.25]],
  ['cumMax', () => numbers().cumMax({ axis: 0 }).values[3], [3, 1.5]],
  ['cumProd', () => numbers().cumProd({ axis: 0 }).values[3], [-12, -5.0625]],
  ['cumSum', () => typed().cumSum(), refused(/String data type/)],
  [
    'lt',
    () => dtypesAnd(numbers().lt(2)),
    [
      ['boolean', 'boolean'],
      [
        [false, true],
        [true, false],
        [false, true],
        [false, true],
      ],
    ],
  ],
  ['le', () => numbers().le(2).values[1], [true, false]],
  ['gt', () => numbers().gt(2).values[0], [true, false]],
  ['ge', () => numbers().ge(2).values[2], [true, false]],
  ['eq', () => numbers().eq(1.5).values[3], [false, true]],
  ['ne', () => numbers().ne(1.5).values[1], [true, true]],
  ['addColumn', () => numbers().addColumn('x', ['a', 'b', 'c', 'd']).dtypes, ['int32', 'float32', 'string']],
  [
    'addColumn',
    () => inPlace(numbers().head(1), (frame) => frame.addColumn('x', [1], { inplace: true })),
    [[3, 1.5, 1]],
  ],
  ['drop', () => numbers().drop({ columns: ['n'] }), [[1.5], [none], [-2.25], [1.5]]],
  ['drop', () => numbers().drop({ index: [0, 1] }).index, [2, 3]],
  ['rename', () => numbers().rename({ n: 'm' }).columns, ['m', 'pnl']],
  ['replace', () => typed().replace('null', 'c').column('wallet').values, ['b', 'a', null, 'c']],
  ['replace', () => numbers().replace(none, 0), refused(/fillNa/)],
  ['isNa', () => typed().isNa().values[2], [true, false, false, true, true]],
  ['dropNa', () => typed().dropNa().index, [0, 3]],
  ['dropNa', () => typed().dropNa({ axis: 0 }).columns, ['n']],
  ['dropNa', () => numbers().query(n().gt(2)).dropNa({ axis: 0 }).columns, ['n', 'pnl']],
  ['dropNa', () => inPlace(numbers(), (frame) => frame.dropNa({ axis: 0, inplace: true })), [[3], [-1], [2], [2]]],
  ['fillNa', () => numbers().fillNa(0).values[1], [-1, 0]],
  [
    'fillNa',
    () =>
      typed()
        .fillNa(['x'], { columns: ['wallet'] })
        .column('wallet').values,
    ['b', 'a', 'x', 'null'],
  ],
  ['asType', () => dtypesAnd(numbers().asType('n', 'string').head(1)), [['string', 'float32'], [['3', 1.5]]]],
  ['setIndex', () => numbers().setIndex({ index: ['a', 'b', 'c', 'd'] }).index, ['a', 'b', 'c', 'd']],
  ['setIndex', () => numbers().setIndex({ column: 'n' }), refused(/unique/)],
  ['resetIndex', () => numbers().sortValues('n').resetIndex().index, [0, 1, 2, 3]],
  [
    'append',
    () =>
      dtypesAnd(
        numbers()
          .head(1)
          .append([[0.5, 1]], [9]),
      ),
    [
      ['float32', 'float32'],
      [
        [3, 1.5],
        [0.5, 1],
      ],
    ],
  ],
  ['apply', () => numbers().apply((row) => row.length), [2, 2, 2, 2]],
  ['applyMap', () => dtypesAnd(numbers().head(1).applyMap(String)), [['string', 'string'], [['3', '1.5']]]],
  ['copy', () => numbers().copy(), numbers().values],
  ['getDummies', () => new DataFrame({ a: ['x', 'y'] }).getDummies({ columns: ['a'] }).columns, ['a_x', 'a_y']],
  [
    'getDummies',
    () =>
      typed()
        .getDummies({ columns: ['wallet'] })
        .columns.slice(4),
    ['wallet_b', 'wallet_a', 'wallet_null'],
  ],
  [
    'getDummies',
    () =>
      typed()
        .getDummies({ columns: ['won'], prefix: 'w' })
        .values[2]?.slice(4),
    [0, 0],
  ],
  ['getDummies', () => typed().getDummies({ columns: ['walet'] }), refused(/Did you mean "wallet"/)],
  ['groupby', () => typed().groupby(['walet' as 'wallet']), refused(/Did you mean "wallet"/)],
  ['groupby', () => typed().groupby('wallet' as never), refused(/groupBy\(frame, 'wallet'\)/)],
  ['toCSV', () => call(numbers().head(1), 'toCSV'), 'n,pnl\n3,1.5\n'],
  ['toCSV', () => call(numbers().head(1), 'toCSV', { header: false }), '3,1.5\n'],
  ['toCSV', () => call(numbers(), 'toCSV', { filePath: 'x.csv' }), refused(/await writeCsv\(frame, 'pnl.csv'\)/)],
  ['toCSV', () => call(numbers(), 'toCSV', { sep: ';' }), refused(/delimiter: ';'/)],
  ['toJSON', () => numbers().head(1).toJSON(), [{ n: 3, pnl: 1.5 }]],
  ['toJSON', () => numbers().head(1).toJSON({ format: 'column' }), { n: [3], pnl: [1.5] }],
  ['toJSON', () => JSON.parse(JSON.stringify({ numbers: numbers().head(1) })), { numbers: [{ n: 3, pnl: 1.5 }] }],
  ['toJSON', () => call(numbers(), 'toJSON', { filePath: 'x.json' }), refused(/writeJsonLines/)],
  ['toJSON', () => call(numbers(), 'toJSON', { format: 'rows' }), refused(/"row" or "column"/)],
  ['toExcel', () => call(numbers(), 'toExcel', { filePath: 'x.xlsx' }), refused(/writeXlsx\(frame, 'pnl.xlsx'\)/)],
  ['plot', () => call(numbers(), 'plot', 'div'), refused(/new Chart\(spec\)/)],
  ['toString', () => String(numbers().head(1)).split('\n')[2]?.trim(), '3  1.5000'],
  ['print', () => printed(() => numbers().print()), String(numbers())],
];

const SERIES: readonly Tried[] = [
  ['values', () => wallet().values, ['b', 'a', null, 'null']],
  ['index', () => pnl().index, [0, 1, 2, 3]],
  ['columns', () => pnl().columns, ['pnl']],
  ['dtypes', () => won().dtypes, ['boolean']],
  ['dtype', () => at().dtype, 'string'],
  ['shape', () => n().shape, [4, 1]],
  ['size', () => n().size, 4],
  ['ndim', () => Reflect.get(n(), 'ndim'), 1],
  ['axis', () => Reflect.get(n(), 'axis'), { index: [0, 1, 2, 3], columns: ['n'] }],
  ['getColumnData', () => Array.isArray(Reflect.get(n(), 'getColumnData')), true],
  ['tensor', () => Reflect.get(n(), 'tensor').arraySync(), [3, -1, 2, 2]],
  ['config', () => typeof Reflect.get(n(), 'config'), 'object'],
  ['head', () => n().head(2), [3, -1]],
  ['tail', () => labelled(n().tail(1)), [[3, 2]]],
  ['iloc', () => pnl().iloc([2, 0]), [-2.25, 1.5]],
  ['loc', () => n().sortValues().loc([3]), [2]],
  ['at', () => new Series([1, 2], { index: ['a', 'b'] }).at('b'), 2],
  ['at', () => n().at(3), 2],
  ['at', () => n().at(9), refused(/there is none 9/)],
  ['iat', () => wallet().iat(3), 'null'],
  ['add', () => pnl().add(1), [2.5, none, -1.25, 2.5]],
  ['add', () => nulls().add(1), [2, none, 4]],
  ['add', () => won().add(1), [2, 1, none, 2]],
  ['add', () => n().add(pnl()), [4.5, none, -0.25, 3.5]],
  ['add', () => n().add([1, 2]), refused(/one value a row, 4 in all; got 2/)],
  ['add', () => n().add(wallet()), refused(/add needs numbers; got "b"/)],
  ['add', () => wallet().add(1), refused(/asType\('float32'\)/)],
  ['add', () => n().add(null as never), refused(/got null/)],
  ['sub', () => dtypesAnd(n().sub(0.5)), [['float32'], [2.5, -1.5, 1.5, 1.5]]],
  ['mul', () => nulls().mul([2, 2, 2]), [2, none, 6]],
  ['div', () => n().div(2), [1.5, -0.5, 1, 1]],
  ['pow', () => n().pow(2), [9, 1, 4, 4]],
  ['mod', () => n().mod(2), [1, -1, 0, 0]],
  ['minimum', () => call(nulls(), 'minimum', 2), [1, none, 2]],
  ['maximum', () => call(nulls(), 'maximum', 2), [2, none, 3]],
  ['abs', () => nulls().sub(4).abs(), [3, none, 1]],
  ['abs', () => inPlace(n(), (series) => series.abs({ inplace: true })), [3, 1, 2, 2]],
  ['round', () => new Series([1.256, none]).round(2), [1.26, none]],
  ['cumSum', () => pnl().cumSum(), [1.5, none, -0.75, 0.75]],
  ['cumMin', () => n().cumMin(), [3, -1, -1, -1]],
  ['cumMax', () => n().cumMax(), [3, 3, 3, 3]],
  ['cumProd', () => n().cumProd(), [3, -3, -6, -12]],
  ['lt', () => nulls().lt(3), [true, false, false]],
  ['le', () => nulls().le(3), [true, false, true]],
  ['gt', () => pnl().gt(0), [true, false, false, true]],
  ['gt', () => at().gt('2025-05-01'), [false, true, false, false]],
  ['gt', () => n().gt('2'), refused(/values of one kind/)],
  ['ge', () => at().ge(new Date('2025-05-01T00:00:00Z') as never), [true, true, false, false]],
  ['eq', () => wallet().eq('null'), [false, false, false, true]],
  ['eq', () => won().eq(true), [true, false, false, true]],
  ['eq', () => at().eq('2025-05-01'), [true, false, false, false]],
  ['ne', () => nulls().ne(1), [false, true, true]],
  ['and', () => won().eq(true).and(n().gt(2)), [true, false, false, false]],
  ['and', () => n().gt(2).and([true]), refused(/one value a row/)],
  ['or', () => n().gt(2).or(n().lt(0)), [true, true, false, false]],
  ['count', () => pnl().count(), 3],
  ['sum', () => pnl().sum(), 0.75],
  ['sum', () => wallet().sum(), refused(/String data type/)],
  ['mean', () => pnl().mean(), 0.25],
  ['mean', () => new Series([none]).mean(), none],
  ['median', () => pnl().median(), 1.5],
  ['mode', () => pnl().mode(), [1.5]],
  ['mode', () => new Series([none]).mode(), []],
  ['min', () => pnl().min(), -2.25],
  ['min', () => new Series([none]).min(), none],
  ['max', () => n().max(), 3],
  ['max', () => at().max(), refused(/String data type/)],
  ['std', () => pnl().std(), Math.sqrt(4.6875)],
  ['var', () => n().var(), 3],
  ['nUnique', () => wallet().nUnique(), 4],
  ['argMax', () => pnl().argMax(), 0],
  ['argMin', () => pnl().argMin(), 2],
  ['describe', () => labelled(n().describe())[4], ['median', 2]],
  ['unique', () => pnl().unique(), [1.5, none, -2.25]],
  [
    'valueCounts',
    () => labelled(wallet().valueCounts()),
    [
      ['b', 1],
      ['a', 1],
      [null, 1],
      ['null', 1],
    ],
  ],
  [
    'valueCounts',
    () => labelled(new Series([1.5, 1.2, 1.5, none]).valueCounts()),
    [
      [1.5, 2],
      [1.2, 1],
      [none, 1],
    ],
  ],
  [
    'valueCounts',
    () => labelled(won().valueCounts()),
    [
      ['true', 2],
      ['false', 1],
      [null, 1],
    ],
  ],
  [
    'valueCounts',
    () => labelled(new Series(['10', '9', '10']).valueCounts()),
    [
      ['10', 2],
      ['9', 1],
    ],
  ],
  ['apply', () => n().apply((value) => value * 2), [6, -2, 4, 4]],
  ['map', () => wallet().map({ b: 'B' }), ['B', 'a', null, 'null']],
  ['map', () => new Series(['constructor']).map({ b: 'B' }), ['constructor']],
  ['map', () => n().map((value, row) => value + row), [3, 0, 4, 5]],
  [
    'sortValues',
    () => labelled(pnl().sortValues()),
    [
      [2, -2.25],
      [0, 1.5],
      [3, 1.5],
      [1, none],
    ],
  ],
  ['argSort', () => n().argSort(), [1, 2, 3, 0]],
  ['isNa', () => wallet().isNa(), [false, false, true, false]],
  [
    'dropNa',
    () => labelled(won().dropNa()),
    [
      [0, true],
      [1, false],
      [3, true],
    ],
  ],
  ['fillNa', () => wallet().fillNa(''), ['b', 'a', '', 'null']],
  ['fillNa', () => pnl().fillNa(0), [1.5, 0, -2.25, 1.5]],
  ['replace', () => wallet().replace('null', 'c'), ['b', 'a', null, 'c']],
  [
    'dropDuplicates',
    () => labelled(pnl().dropDuplicates()),
    [
      [0, 1.5],
      [1, none],
      [2, -2.25],
    ],
  ],
  ['resetIndex', () => n().sortValues().resetIndex().index, [0, 1, 2, 3]],
  ['setIndex', () => n().setIndex(['a', 'b', 'c', 'd']).index, ['a', 'b', 'c', 'd']],
  [
    'append',
    () => labelled(new Series<number>([1]).append([2], [7])),
    [
      [0, 1],
      [7, 2],
    ],
  ],
  ['asType', () => dtypesAnd(wallet().asType('float32')), [['float32'], [none, none, none, none]]],
  ['asType', () => new Series(['', '12abc', '1.5', null]).asType('float32'), [none, none, 1.5, none]],
  ['asType', () => pnl().asType('string'), ['1.5', null, '-2.25', '1.5']],
  ['asType', () => won().asType('int32'), [1, 0, none, 1]],
  ['asType', () => n().asType('datetime' as 'string'), refused(/not supported/)],
  ['copy', () => n().copy(), [3, -1, 2, 2]],
  [
    'getDummies',
    () => (call(new Series(['x', 'y', 'x']), 'getDummies') as DataFrame).values,
    [
      [1, 0],
      [0, 1],
      [1, 0],
    ],
  ],
  ['str', () => n().str, refused(/non-string/)],
  ['dt', () => n().dt, refused(/"n" is one of int32/)],
  ['toCSV', () => call(n().head(1), 'toCSV'), 'n\n3\n'],
  ['toJSON', () => call(n().head(1), 'toJSON'), { n: [3] }],
  ['toExcel', () => call(n(), 'toExcel'), refused(/writeXlsx/)],
  ['plot', () => call(n(), 'plot', 'div'), refused(/new Chart/)],
  ['toString', () => String(n().head(1)).split('\n')[2]?.trim(), '3'],
  ['print', () => printed(() => n().print()), String(n())],
];

const TEXTS: readonly Tried[] = [
  ['toLowerCase', () => new Series(['AB', null]).str.toLowerCase(), ['ab', null]],
  ['toUpperCase', () => wallet().str.toUpperCase(), ['B', 'A', null, 'NULL']],
  ['capitalize', () => wallet().str.capitalize(), ['B', 'A', null, 'Null']],
  ['trim', () => new Series([' a ', null]).str.trim(), ['a', null]],
  ['charAt', () => wallet().str.charAt(0), ['b', 'a', null, 'n']],
  ['concat', () => wallet().str.concat('!'), ['b!', 'a!', null, 'null!']],
  ['concat', () => wallet().str.concat(['1', null, '3', '4']), ['b1', null, null, 'null4']],
  ['startsWith', () => wallet().str.startsWith('n'), [false, false, null, true]],
  ['endsWith', () => wallet().str.endsWith('l'), [false, false, null, true]],
  ['includes', () => wallet().str.includes('ul'), [false, false, null, true]],
  ['indexOf', () => wallet().str.indexOf('l'), [-1, -1, none, 2]],
  ['lastIndexOf', () => wallet().str.lastIndexOf('l'), [-1, -1, none, 3]],
  ['search', () => wallet().str.search('u'), [-1, -1, none, 1]],
  ['repeat', () => wallet().str.repeat(2), ['bb', 'aa', null, 'nullnull']],
  ['replace', () => wallet().str.replace('n', 'N'), ['b', 'a', null, 'Null']],
  ['slice', () => wallet().str.slice(1, 3), ['', '', null, 'ul']],
  ['substr', () => wallet().str.substr(1, 2), ['', '', null, 'ul']],
  ['substring', () => wallet().str.substring(1, 3), ['', '', null, 'ul']],
  ['split', () => wallet().str.split('u'), ['b', 'a', null, 'n,ll']],
  ['join', () => wallet().str.join('x', '-'), ['b-x', 'a-x', null, 'null-x']],
  ['len', () => wallet().str.len(), [1, 1, none, 4]],
];

const TIMES: readonly Tried[] = [
  ['year', () => at().dt.year(), [2025, 2025, none, 2025]],
  ['month', () => at().dt.month(), [4, 11, none, 1]],
  ['monthName', () => at().dt.monthName(), ['May', 'December', null, 'February']],
  ['dayOfMonth', () => at().dt.dayOfMonth(), [1, 31, none, 28]],
  ['dayOfWeek', () => at().dt.dayOfWeek(), [4, 3, none, 5]],
  ['dayOfWeekName', () => at().dt.dayOfWeekName(), ['Thursday', 'Wednesday', null, 'Friday']],
  ['hours', () => at().dt.hours(), [0, 23, none, 12]],
  ['minutes', () => at().dt.minutes(), [0, 59, none, 30]],
  ['seconds', () => at().dt.seconds(), [0, 59, none, 45]],
  [
    'date',
    () => new Series(['2025-05-01', '2025-05-01 02:30']).dt.date(),
    ['2025-05-01T00:00:00Z', '2025-05-01T02:30:00Z'],
  ],
  ['date', () => new Series([new Date(0)]).dt.date(), ['1970-01-01T00:00:00Z']],
  ['hours', () => wallet().dt.hours(), refused(/"wallet" holds "b" in row 0/)],
  [
    'hours',
    () => labelled(at().sortValues().dt.hours()),
    [
      [3, 12],
      [0, 0],
      [1, 23],
      [2, none],
    ],
  ],
];

const keyed = () => new DataFrame({ k: ['null', null, 'null', '10', '9'], j: [1, 1, 1, 2, 3], v: [1, 2, none, 4, 5] });
const byKey = (operation: string) => call(keyed().groupby(['k']).col(['v']), operation) as DataFrame;

const GROUPS: readonly Tried[] = [
  ['ngroups', () => groups().ngroups, 4],
  ['groups', () => Object.values(keyed().groupby(['k']).groups)[0], { k: ['null', 'null'], j: [1, 1], v: [1, none] }],
  [
    'count',
    () => byKey('count'),
    [
      ['null', 1],
      [null, 1],
      ['10', 1],
      ['9', 1],
    ],
  ],
  [
    'sum',
    () => byKey('sum'),
    [
      ['null', 1],
      [null, 2],
      ['10', 4],
      ['9', 5],
    ],
  ],
  [
    'mean',
    () => byKey('mean'),
    [
      ['null', 1],
      [null, 2],
      ['10', 4],
      ['9', 5],
    ],
  ],
  [
    'std',
    () => new DataFrame({ k: [1, 1, 2], v: [1, 3, 9] }).groupby(['k']).std(),
    [
      [1, Math.SQRT2],
      [2, none],
    ],
  ],
  [
    'var',
    () => new DataFrame({ k: [1, 1, 2], v: [1, 3, 9] }).groupby(['k']).var(),
    [
      [1, 2],
      [2, none],
    ],
  ],
  ['min', () => new DataFrame({ k: [1, 1], v: [none, 3] }).groupby(['k']).min(), [[1, 3]]],
  ['max', () => new DataFrame({ k: [1, 1], v: [none, none] }).groupby(['k']).max(), [[1, none]]],
  [
    'cumSum',
    () => byKey('cumSum'),
    [
      ['null', 1],
      ['null', none],
      [null, 2],
      ['10', 4],
      ['9', 5],
    ],
  ],
  ['cumMin', () => byKey('cumMin').values[1], ['null', none]],
  ['cumMax', () => byKey('cumMax').values[0], ['null', 1]],
  ['cumProd', () => byKey('cumProd').values[3], ['10', 4]],
  [
    'first',
    () => keyed().groupby(['k']).col(['v']).first(),
    [
      ['null', 1],
      [null, 2],
      ['10', 4],
      ['9', 5],
    ],
  ],
  [
    'last',
    () => keyed().groupby(['k']).col(['v']).last(),
    [
      ['null', none],
      [null, 2],
      ['10', 4],
      ['9', 5],
    ],
  ],
  [
    'size',
    () => keyed().groupby(['k']).col(['v']).size(),
    [
      ['null', 2],
      [null, 1],
      ['10', 1],
      ['9', 1],
    ],
  ],
  ['col', () => keyed().groupby(['k', 'j']).col(['v']).sum().values[0], ['null', 1, 1]],
  ['col', () => keyed().groupby(['k']).col(['w']), refused(/does not exist/)],
  ['getGroup', () => keyed().groupby(['k', 'j']).getGroup(['10', 2]).column('v').values, [4]],
  ['getGroup', () => keyed().groupby(['k']).getGroup(['11']), refused(/There is no group/)],
  [
    'agg',
    () =>
      keyed()
        .groupby(['k'])
        .agg({ v: ['median', 'mode'] }).values[3],
    ['9', 5, 5],
  ],
  ['agg', () => keyed().groupby(['j']).agg({ k: 'sum' }), refused(/Can't perform math/)],
  [
    'apply',
    () =>
      keyed()
        .groupby(['k'])
        .col(['v'])
        .apply((group) => group.tail(1)).values[0],
    ['null', none],
  ],
  [
    'apply',
    () =>
      keyed()
        .groupby(['k'])
        .apply('x' as never),
    refused(/takes a function/),
  ],
];

function call(self: object, method: string, ...given: unknown[]): unknown {
  return (Reflect.get(self, method) as (...given: unknown[]) => unknown).apply(self, given);
}

function printed(print: () => void): unknown {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  print();
  const [line] = log.mock.calls;
  log.mockRestore();
  return line?.[0];
}

describe.each<[string, readonly Tried[]]>([
  ['DataFrame', FRAME],
  ['Series', SERIES],
  ['str', TEXTS],
  ['dt', TIMES],
  ['groupby', GROUPS],
])('%s', (_, tried) => {
  it.each(tried.map(([name, ...rest], at) => [`${name}, ${at}`, ...rest] as const))('%s', (_, call, right) => {
    if (right instanceof Refusal) expect(call).toThrow(right.message);
    else expect(plain(call())).toEqual(right);
  });
});

test('sample chooses rows of the frame that it is asked of, by a seed', async () => {
  const some = numbers().query(n().eq(2));
  expect((await some.sample(2)).index.toSorted()).toEqual([2, 3]);
  expect((await n().iloc([3]).sample(1)).values).toEqual([2]);
  expect((await numbers().sample(2, { seed: 7 })).values).toEqual((await numbers().sample(2, { seed: 7 })).values);
  await expect(some.sample(3)).rejects.toThrow('cannot be bigger');
});

describe('every method of danfo is tried', () => {
  /** What only danfo's own methods call. */
  const INNER = [
    ...['constructor', 'cumOps', 'boolOps', 'loadArrayIntoNdframe', 'loadObjectIntoNdframe', 'sample'],
    ...['group', 'arithemetic', 'groupMathLog', 'toDataFrame', 'operations', 'concatGroups', 'colKeyDict'],
    ...['processData'],
  ];
  it.each<[string, object, readonly Tried[]]>([
    ['DataFrame', numbers(), FRAME],
    ['Series', n(), SERIES],
    ['str', wallet().str, TEXTS],
    ['groupby', groups(), GROUPS],
  ])('%s', (_, self, tried) => {
    const names = new Set<string>();
    for (let of = Object.getPrototypeOf(self); of !== Object.prototype; of = Object.getPrototypeOf(of))
      for (const name of Object.getOwnPropertyNames(of)) if (!name.startsWith('$')) names.add(name);
    expect([...names].filter((name) => !INNER.includes(name) && !tried.some(([one]) => one === name))).toEqual([]);
  });

  it('dt', () => expect(Object.keys(at().dt).filter((name) => !TIMES.some(([one]) => one === name))).toEqual([]));
});
