import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { writeJsonLines } from '../../src/frame/csv/json-lines.js';
import { toCsv } from '../../src/frame/csv/to-csv.js';
import { writeCsv } from '../../src/frame/csv/write-csv.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { toText } from '../../src/frame/display/frame-text.js';
import { readParquet, writeParquet } from '../../src/frame/files/parquet.js';
import { readArrow } from '../../src/frame/files/read-arrow.js';
import { readCsv } from '../../src/frame/files/read-csv.js';
import { writeArrow } from '../../src/frame/files/write-arrow.js';
import { query } from '../../src/frame/sql/sql-query.js';
import { column } from '../../src/frame/tabular/column-values.js';
import { exactSum } from '../../src/frame/verbs/exact-sum.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { distinct, groupBy } from '../../src/frame/verbs/group-by.js';
import { joinOn } from '../../src/frame/verbs/join-on.js';
import { count } from '../../src/frame/verbs/measure.js';
import { pivot } from '../../src/frame/verbs/pivot.js';
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
    ['pivot', () => pivot(frame, { rows: {}, columns: 's', values: count() } as never), 'The rows of pivot must be'],
    ['rollup()', () => groupBy(frame, 's').rollup(none), "as in rollup({ pnl: sum('pnl') }); got"],
    ['withColumns(f)', () => withColumns(frame, none), 'as in withColumns(frame, {'],
    ['withColumns(f, [1])', () => withColumns(frame, [1] as never), 'got a list'],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(UsageError);
    expect(call).toThrow(message);
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
    for (const write of [writeCsv, writeJsonLines, writeParquet, writeArrow]) {
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
    const writes = [writeCsv, writeJsonLines, writeParquet, writeArrow].map((write) => () => write(frame, none));
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
