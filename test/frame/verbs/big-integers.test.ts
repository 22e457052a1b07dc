import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ColumnError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { readParquet, writeParquet } from '../../../src/frame/files/parquet.js';
import { readArrow } from '../../../src/frame/files/read-arrow.js';
import { writeArrow } from '../../../src/frame/files/write-arrow.js';
import { query } from '../../../src/frame/sql/sql-query.js';
import { anyColumn, numericColumn, recordsOf } from '../../../src/frame/tabular/column-values.js';
import { concatRows } from '../../../src/frame/verbs/concat-rows.js';
import { max, min } from '../../../src/frame/verbs/extreme.js';
import { distinct, groupBy } from '../../../src/frame/verbs/group-by.js';
import { joinOn } from '../../../src/frame/verbs/join-on.js';
import { count } from '../../../src/frame/verbs/measure.js';
import { sortBy } from '../../../src/frame/verbs/sort-by.js';

// As doubles, the first two are the same.
const IDS = [9_007_199_254_740_993n, 9_007_199_254_740_992n, 5n, -9_007_199_254_740_993n];
const TEXTS = IDS.map(String);
const frame = new DataFrame({ id: IDS });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-integers-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('big integers that a double would round stay apart in groups, joins and joined frames', () => {
  expect(distinct(frame).shape).toEqual([4, 1]);
  expect(groupBy(frame, 'id').rollup({ rows: count() }).shape).toEqual([4, 2]);
  const names = new DataFrame({ id: [9_007_199_254_740_992n, 5n], name: ['a', 'b'] });
  expect(joinOn(frame, names, 'id').values).toEqual([
    [9_007_199_254_740_992n, 'a'],
    [5n, 'b'],
  ]);
  expect(distinct(concatRows(frame, frame.head(1))).values).toEqual(IDS.map((id) => [id]));
  expect(anyColumn(frame, 'id')).toEqual(TEXTS);
});

test('big integers sort and compare by their size, whether they fit doubles or not', () => {
  const sorted = [IDS[3], IDS[2], IDS[1], IDS[0]];
  const gap = new DataFrame(
    [...IDS, null].map((id) => [id]),
    { columns: ['id'] },
  );
  expect(sortBy(gap, 'id').values.flat()).toEqual([...sorted, null]);
  expect(sortBy(gap, { column: 'id', descending: true }).values.flat()).toEqual([...sorted.toReversed(), null]);
  expect(groupBy(gap, []).rollup({ least: min('id'), most: max('id') }).values).toEqual([
    [String(IDS[3]), String(IDS[0])],
  ]);
});

test('big integers become text in queries and files', async () => {
  const asText = TEXTS.map((id) => ({ id }));
  expect(recordsOf(await query('SELECT id FROM f', { f: frame }))).toEqual(asText);
  const [arrow, parquet] = [join(folder, 'a.arrow'), join(folder, 'a.parquet')];
  await writeArrow(frame, arrow);
  await writeParquet(frame, parquet);
  expect(recordsOf(await readArrow(arrow))).toEqual(asText);
  expect(recordsOf(await readParquet(parquet))).toEqual(asText);
});

test('big integers are numbers where all are below 2⁵³, and an error beside doubles where not', () => {
  expect(numericColumn(new DataFrame({ id: [1n, 2n ** 53n - 1n] }), 'id')).toEqual(Float64Array.of(1, 2 ** 53 - 1));
  expect(numericColumn(new DataFrame({ id: [1n, 2.5] }), 'id')).toEqual(Float64Array.of(1, 2.5));
  expect(() => numericColumn(new DataFrame({ id: [2n ** 53n, 2.5] }), 'id')).toThrow(
    new ColumnError('The column "id" mixes bigint and number values: convert it to one kind first.'),
  );
  expect(() => numericColumn(frame, 'id')).toThrow('The column "id" holds text, but numbers are needed.');
});
