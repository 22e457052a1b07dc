import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { InputError, UsageError } from '../../../src/base/errors.js';
import { writeJsonLines } from '../../../src/frame/csv/json-lines.js';
import { readJsonLines } from '../../../src/frame/files/read-json-lines.js';
import { column, recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import fc from '../../support/fast-check.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { frameOf, type RandomRow, randomRows, rawRows } from '../verbs/random-frames.js';

test('objects of any fields, in any order, become columns', async () => {
  const text = [
    '{"id": 123456789012345678901234567890, "price": 0.5, "at": "2025-11-05T14:30:00Z", "tags": ["a"]}',
    '  ',
    '{"price": 1e-1, "open": true, "id": 7, "at": null}\r',
    '{"at": "2025-11-06", "price": null, "name": "ü \\"x\\""}',
  ].join('\n');
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}\n`), gzipSync(text)]) {
    const frame = await readJsonLines(await put(await temporaryFolder(), 'a.ndjson', bytes));
    expect(recordsOf(frame)).toEqual([
      {
        id: '123456789012345678901234567890',
        price: 0.5,
        at: '2025-11-05T14:30:00Z',
        tags: '["a"]',
        open: null,
        name: null,
      },
      { id: '7', price: 0.1, at: null, tags: null, open: true, name: null },
      { id: null, price: Number.NaN, at: '2025-11-06', tags: null, open: null, name: 'ü "x"' },
    ]);
    expect(columnsOf(frame).map(({ dtype }) => dtype)).toEqual([
      'string',
      'float64',
      'datetime',
      'string',
      'boolean',
      'string',
    ]);
  }
  expect((await readJsonLines(await put(await temporaryFolder(), 'empty.ndjson', '\n'))).shape).toEqual([0, 0]);
});

test('what writeJsonLines wrote comes back, given the columns', async () => {
  const folder = await temporaryFolder();
  // JSON has no infinite numbers, and a missing text is what an empty one is.
  const rows = randomRows.map((all) =>
    all.map(
      (row): RandomRow => ({
        ...row,
        number: Number.isFinite(row.number) ? row.number : Number.NaN,
        money: row.money === null ? null : BigInt.asIntN(60, row.money),
        text: row.text ? Buffer.from(row.text).toString() : null,
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const frame = frameOf(given);
      const columns = columnsOf(frame).map((each) =>
        each.name === 'money' ? { ...each, decimal: true as const } : each,
      );
      const { path } = await writeJsonLines(frame, `${folder}/b.ndjson.gz`);
      const back = await readJsonLines(path, { columns, exact: true });
      expect(rawRows(back)).toEqual(rawRows(frame));
      expect(columnsOf(back)).toEqual(columns);
    }),
    { numRuns: 40 },
  );
});

test('many lines are read in pieces, and the line of a fault is named', async () => {
  const lines = Array.from({ length: 60_000 }, (_, n) => JSON.stringify({ n, text: `line ${n}` }));
  const frame = await readJsonLines<{ n: number; text: string }>(
    await put(await temporaryFolder(), 'c.ndjson', lines.join('\n')),
  );
  expect(column(frame, 'n').every((n, row) => n === row)).toBe(true);
  expect(column(frame, 'text').at(-1)).toBe('line 59999');
  const path = await put(await temporaryFolder(), 'd.ndjson', lines.toSpliced(55_000, 1, '{"n": 1').join('\n'));
  await expect(readJsonLines(path)).rejects.toThrow(InputError);
  await expect(readJsonLines(path)).rejects.toThrow(/d\.ndjson, line 55001: not JSON: /);
});

test.each<[string, string, RegExp]>([
  ['a list', '{"a":1}\n[1]', /line 2: is \[.* where a record/],
  ['two objects', '{"a":1},{"a":2}', /line 1: there are 2 values where one object belongs/],
  ['a field twice', '\n{"a":1,"a":2}', /line 2: .*"a" is there twice/],
  ['a JSON array', '[\n{"a":1}\n]', /line 1: not JSON/],
])('%s is refused', async (_, text, message) => {
  await expect(readJsonLines(await put(await temporaryFolder(), 'e.ndjson', text))).rejects.toThrow(message);
});

test('values that do not fit their columns, options and files are refused', async () => {
  const columns = [{ name: 'a', dtype: 'int32', nullable: false, meaning: '' }] as const;
  const path = await put(await temporaryFolder(), 'f.ndjson', '{"a":1}\n{"a":"x"}');
  await expect(readJsonLines(path, { columns })).rejects.toThrow(/line 2: the field "a" is "x"; it should be/);
  const typed = await readJsonLines(await put(await temporaryFolder(), 'g.ndjson', '{"a":1}'), { columns });
  expect(column(typed, 'a')).toEqual(Float64Array.of(1));
  await expect(readJsonLines(`${await temporaryFolder()}/none.ndjson`)).rejects.toThrow(
    'as JSON lines: there is no such file.',
  );
  await expect(readJsonLines(path, { colums: [] } as never)).rejects.toThrow('Did you mean "columns"?');
  await expect(readJsonLines(path, { exact: true })).rejects.toThrow(UsageError);
  await expect(readJsonLines(path, { columns: 5 } as never)).rejects.toThrow(UsageError);
  await expect(readJsonLines(5 as never)).rejects.toThrow('This needs the path of a file');
});
