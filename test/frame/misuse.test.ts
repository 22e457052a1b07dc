import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OddslabError, UsageError } from '../../src/base/errors.js';
import { writeJsonLines } from '../../src/frame/csv/json-lines.js';
import { toCsv } from '../../src/frame/csv/to-csv.js';
import { writeCsv } from '../../src/frame/csv/write-csv.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { toText } from '../../src/frame/display/frame-text.js';
import { readParquet, writeParquet } from '../../src/frame/files/parquet.js';
import { readArrow } from '../../src/frame/files/read-arrow.js';
import { readCsv } from '../../src/frame/files/read-csv.js';
import { readJsonLines } from '../../src/frame/files/read-json-lines.js';
import { writeArrow } from '../../src/frame/files/write-arrow.js';
import { writeXlsx } from '../../src/frame/files/write-xlsx.js';
import { query } from '../../src/frame/sql/sql-query.js';
import { column } from '../../src/frame/tabular/column-values.js';
import { exactSum } from '../../src/frame/verbs/exact-sum.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { distinct, groupBy } from '../../src/frame/verbs/group-by.js';
import { joinOn } from '../../src/frame/verbs/join-on.js';
import { count } from '../../src/frame/verbs/measure.js';
import { pivot } from '../../src/frame/verbs/pivot.js';
import { renameColumns } from '../../src/frame/verbs/select-columns.js';
import { sortBy, topN } from '../../src/frame/verbs/sort-by.js';
import { sum } from '../../src/frame/verbs/sum-and-mean.js';
import { withColumns } from '../../src/frame/verbs/with-columns.js';

const frame = new DataFrame({ v: [1, 2], s: ['a', 'b'] });
const none = undefined as never;
const path = join(tmpdir(), 'oddslab-misuse-never-written');

describe('a cell without types is told what would be right', () => {
  it.each<[string, () => unknown, string]>([
    ['topN(f, 3, { column })', () => topN(frame, 3, { column: 'v' } as never), 'got a value of type object'],
    ['topN(f, 3)', () => topN(frame, 3, none), 'got no name. The frame has v, s.'],
    ['sortBy(f)', () => sortBy(frame, none), 'got no name'],
    ['sortBy(f, key, "desc")', () => Reflect.apply(sortBy, undefined, [frame, 'a', 'desc']), 'descending: true'],
    ['sortBy(f, [{}])', () => sortBy(frame, [{}] as never), 'got no name'],
    ['exactSum(f)', () => exactSum(frame, none), 'got no name'],
    ['sum()', () => groupBy(frame, 's').rollup({ a: sum(none) }), 'got no name'],
    ['count({})', () => groupBy(frame, 's').rollup({ a: count({} as never) }), 'got a value of type object'],
    ['column(f, {})', () => column(frame, {} as never), "said by its name, as in 'pnl'; got a value of type object"],
    ['column(f, null)', () => column(frame, null as never), 'got null'],
    ['distinct(f, {})', () => distinct(frame, {} as never), 'The keys of distinct must be the name of a column'],
    ['groupBy(f, {})', () => groupBy(frame, {} as never), 'The keys of groupBy must be the name of a column'],
    ['groupBy(f)', () => groupBy(frame, none), 'got a value of type undefined'],
    ['groupBy(f, [{}])', () => groupBy(frame, [{}] as never), 'got a value of type object'],
    ['pivot', () => pivot(frame, { rows: {}, columns: 's', values: count() } as never), 'rows of pivot must be'],
    ['rollup()', () => groupBy(frame, 's').rollup(none), "as in rollup({ pnl: sum('pnl') }); got"],
    ['withColumns(f)', () => withColumns(frame, none), 'as in withColumns(frame, {'],
    ['withColumns(f, [1])', () => withColumns(frame, [1] as never), 'got a list'],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(UsageError);
    expect(call).toThrow(message);
  });

  const f = new DataFrame({ v: [1, Number.NaN], s: ['a', null] });
  it.each<[string, () => unknown, string]>([
    [
      'dropNa of each column',
      () => f.dropNa({ axis: 0 }),
      'dropNa would leave no column: keep one at least. The frame has v (float32), s (string).',
    ],
    ['dropNa in place', () => f.dropNa({ axis: 0, inplace: true }), 'dropNa would leave no column'],
    ['selectDtypes of none', () => f.selectDtypes(['boolean']), 'selectDtypes would leave no column'],
    ['selectDtypes([])', () => f.selectDtypes([]), 'selectDtypes would leave no column'],
    ['drop of all', () => f.drop({ columns: ['v', 's'] }), 'drop would leave no column'],
    ['loc of none', () => f.loc({ columns: [] }), 'loc would leave no column'],
    ['iloc()', () => f.iloc(none), 'iloc takes positions, as in iloc({ rows: [0, 1] }); got nothing.'],
    ['iat()', () => Reflect.apply(f.iat, f, []), 'iat takes rows by their positions, from 0 to below 2; got nothing.'],
    ['at(5n)', () => f.at(5n as never, 'v'), 'at finds rows by their labels; there is none 5n, a big integer.'],
    [
      'query([1])',
      () => f.query([1, 2] as never),
      "query takes one boolean a row, as in query(frame.column('pnl').gt(0)); got a list with 1.",
    ],
    ['apply()', () => f.apply(none), 'apply takes a function; got nothing.'],
    ['head("5")', () => f.head('5' as never), 'head takes a number of rows, as in head(5); got "5".'],
    ['sortValues of no column', () => f.sortValues('vv' as 'v'), 'The frame has no column "vv". Did you mean "v"?'],
    ['rename of no column', () => f.rename({ vv: 'x' }), 'The frame has no column "vv". Did you mean "v"?'],
    [
      'rename to a big integer',
      () => f.rename({ v: 5n as never }),
      'rename needs a text as the new name of "v"; got 5n, a big integer.',
    ],
    ['renameColumns(Map)', () => renameColumns(f, new Map([['v', 'x']]) as never), 'got a Map'],
    [
      'renameColumns of no column',
      () => renameColumns(f, { vv: 'x' } as never),
      'The frame has no column "vv". Did you mean "v"?',
    ],
  ])('%s', (_, call, message) => {
    const before = JSON.stringify(f.values);
    expect(call).toThrow(OddslabError);
    expect(call).toThrow(message);
    expect(JSON.stringify(f.values)).toBe(before);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [['a']]],
    ['an object of another kind', { name: 'a', dtype: 'number' }],
  ])('%s in the place of a column to read', async (_, column) => {
    for (const read of [readCsv, readJsonLines] as ((path: string, options: object) => Promise<unknown>)[]) {
      const reading = read(path, { columns: [column] });
      await expect(reading).rejects.toThrow(UsageError);
      await expect(reading).rejects.toThrow(`columns of ${read.name} must be a list of columns with name and dtype`);
    }
  });

  it.each<[string, unknown, string]>([
    ['records', [{ v: 1 }], 'got an array: frameFromRecords([], records)'],
    ['null', null, 'This needs a frame, but got null.'],
    ['half a frame', { columns: ['v'] }, 'got an object without columns or shape'],
  ])('%s in the place of a frame', async (_, given, message) => {
    const frames = given as never;
    for (const call of [
      () => toCsv(frames),
      () => filterRows(frames, () => true),
      () => joinOn(frames, frame, 's' as never),
      () => joinOn(frame, frames, 's' as never),
      () => sortBy(frames, []),
      () => groupBy(frames, []),
    ]) {
      expect(call).toThrow(UsageError);
      expect(call).toThrow(message);
    }
    for (const write of [writeCsv, writeJsonLines, writeParquet, writeArrow, writeXlsx]) {
      await expect(write(frames, path)).rejects.toThrow(UsageError);
      await expect(write(frames, path)).rejects.toThrow(message);
    }
  });

  it('an option that there is not', async () => {
    expect(() => toText(frame, { widht: 40 } as never)).toThrow(
      '"widht" is no option of toText. Did you mean "width"?',
    );
    const writing = writeJsonLines(frame, path, { gzp: true } as never);
    await expect(writing).rejects.toThrow('"gzp" is no option of writeJsonLines. Did you mean "gzip"?');
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'got a value of type undefined'],
    ['a number', 5, 'got a value of type number'],
    ['an empty text', '', 'got an empty text'],
  ])('%s in the place of a path', async (_, given, found) => {
    const none = given as never;
    const writes = [writeCsv, writeJsonLines, writeParquet, writeArrow, writeXlsx].map(
      (write) => () => write(frame, none),
    );
    const reads = [() => readCsv(none), () => readParquet(none), () => readArrow(none)];
    for (const call of [...writes, ...reads]) {
      await expect(call()).rejects.toThrow(UsageError);
      await expect(call()).rejects.toThrow(`This needs the path of a file, such as "pnl.csv"; ${found}.`);
    }
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['query()', () => query(none), 'query() needs a statement as text; got undefined.'],
    [
      'query(sql, null)',
      () => query('select 1', null as never),
      'takes the frames by their names in an object; got null',
    ],
    [
      'query(sql, {}, 5)',
      () => query('select 1', {}, 5 as never),
      'query() takes the parameters in an object; got number',
    ],
  ])('%s', async (_, call, message) => {
    await expect(call()).rejects.toThrow(UsageError);
    await expect(call()).rejects.toThrow(message);
  });
});
