import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { InputError, UsageError } from '../../../src/base/errors.js';
import { writeJsonLines } from '../../../src/frame/csv/json-lines.js';
import { readJsonLines } from '../../../src/frame/files/read-json-lines.js';
import { column, recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { withColumns } from '../../../src/frame/verbs/with-columns.js';
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

test('columns of numbers and one text, or of numbers as people write them, are told with code that mends them', async () => {
  const rows = [
    {
      na: 9,
      marks: '1,200.50',
      dollars: '$5',
      plus: '+1.5',
      mixed: 10,
      empty: 1,
      word: 'a1',
      phone: '+4930123456',
      id: 1,
    },
    { na: 'NA', marks: 7, dollars: 30, plus: -2, mixed: '9', empty: '', word: 'b2', phone: '+49171999888', id: 'NA' },
    { na: 10, marks: '7', dollars: null, plus: 3, mixed: 1, empty: 3, word: 'c3', phone: '0171123456', id: 3 },
  ];
  const path = await put(await temporaryFolder(), 'h.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const frame = await readJsonLines(path);
  const told = warn.mock.calls.map(([message]) => String(message));
  warn.mockRestore();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^readJsonLines: columns of .*h\.ndjson are text, but look like numbers\. "na" has "NA": /);
  expect(told[0]).toContain(
    '"mixed" has "10": withColumns(frame, { mixed: (row) => Number(String(row.mixed)) }) makes 10',
  );
  expect(told[0]).toMatch(/ So do 1 more\.$/);
  const codes = [...(told[0] ?? '').matchAll(/withColumns\(frame, (\{.*?\})\) makes/g)].map(([, code]) => code);
  const made = codes.reduce((made, code) => withColumns(made, new Function(`return (${code})`)()), frame);
  expect(recordsOf(made).map((row) => ['na', 'marks', 'dollars', 'plus', 'mixed'].map((name) => row[name]))).toEqual([
    [9, 1200.5, 5, 1.5, 10],
    [Number.NaN, 7, 30, -2, 9],
    [10, 7, Number.NaN, 3, 1],
  ]);
});

test('an empty text becomes missing by the code that is told, and a column that is given is not told', async () => {
  const path = await put(await temporaryFolder(), 'i.ndjson', '{"n":1}\n{"n":""}\n{"n":3}');
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  await readJsonLines(path);
  expect(String(warn.mock.calls[0]?.[0])).toContain(
    '"n" has "": withColumns(frame, { n: (row) => parseFloat(String(row.n)) }) makes it missing.',
  );
  warn.mockClear();
  const texts = await put(await temporaryFolder(), 'j.ndjson', '{"n":"$5"}\n{"n":"$7"}');
  await readJsonLines(texts, { columns: [{ name: 'n', dtype: 'string', nullable: false, meaning: '' }] });
  expect(warn).not.toHaveBeenCalled();
  await readJsonLines(texts);
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});
