import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Column } from '../../src/contract/column.js';
import { DataError } from '../../src/errors.js';
import { toCsv } from '../../src/frame/csv.js';
import { DataFrame } from '../../src/frame/danfo.js';
import { frameFromColumns } from '../../src/frame/frame-from-columns.js';
import { writeCsv } from '../../src/frame/write-csv.js';
import { parseCsv } from './parse-csv.js';

const COLUMNS: Column[] = [
  { name: 'amount, in "USD"', dtype: 'float64', nullable: true, meaning: '' },
  { name: 'note', dtype: 'string', nullable: true, meaning: '' },
];

describe('toCsv', () => {
  test('writes missing values empty, empty text quoted, dates as ISO 8601 and numbers shortest', () => {
    const frame = new DataFrame([
      [Number.NaN, null, new Date(0), true],
      [0.1, '', new Date('2025-11-01T12:00:00Z'), false],
      [1e21, 'a\nb', null, true],
      [-0, ' =1+1 ', null, true],
    ]);
    expect(toCsv(frame)).toBe(
      '0,1,2,3\n' +
        ',,1970-01-01T00:00:00.000Z,true\n' +
        '0.1,"",2025-11-01T12:00:00.000Z,false\n' +
        '1e+21,"a\nb",,true\n' +
        '0, =1+1 ,,true\n',
    );
    expect(toCsv(frame.head(1), { header: false })).toBe(',,1970-01-01T00:00:00.000Z,true\n');
  });

  test('gives the header of an empty frame', () => {
    expect(toCsv(frameFromColumns(COLUMNS, [[], []]))).toBe('"amount, in ""USD""",note\n');
  });

  test('reads back to what was written', () => {
    const amount = fc.oneof(fc.double(), fc.integer());
    const note = fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.constantFrom('"', ',', '\r\n', '', '""', 'NaN', '\ud83d\ude80'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, note)), (rows) => {
        const frame = frameFromColumns(COLUMNS, [rows.map(([value]) => value), rows.map(([, text]) => text)]);
        const [header, ...read] = parseCsv(toCsv(frame));
        expect(header).toEqual(['amount, in "USD"', 'note']);
        const back = read.map(([value, text]) => [value === null ? Number.NaN : Number(value), text]);
        expect(back).toEqual(rows.map(([value, text]) => [Object.is(value, -0) ? 0 : value, text]));
      }),
    );
  });

  test('writes every row of a large frame once, in order', () => {
    const rows = 100_000;
    const frame = frameFromColumns(COLUMNS, [
      Array.from({ length: rows }, (_, row) => row),
      Array.from({ length: rows }, (_, row) => `row ${row}`),
    ]);
    const lines = toCsv(frame).split('\n');
    expect(lines.length).toBe(rows + 2);
    expect(lines.slice(1, -1).every((line, row) => line === `${row},row ${row}`)).toBe(true);
  });
});

describe('writeCsv', () => {
  let folder = '';
  const frame = new DataFrame({ a: [1, 2], b: ['é', 'y'] });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-csv-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('writes the file whole, over an older one, and says what it wrote', async () => {
    const path = join(folder, 'a.csv');
    await writeFile(path, 'old');
    expect(await writeCsv(frame, path)).toEqual({ path, rows: 2, bytes: 13 });
    expect(await readFile(path, 'utf8')).toBe('a,b\n1,é\n2,y\n');
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  test('says that a folder is missing, and leaves nothing behind', async () => {
    const path = join(folder, 'none', 'a.csv');
    const failure = await writeCsv(frame, path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DataError);
    expect(failure).toHaveProperty('message', `Cannot write ${path}: its folder does not exist; make it first.`);
    expect(await readdir(folder)).toEqual([]);
  });

  test('says that the place is a folder, and leaves nothing behind', async () => {
    const path = join(folder, 'taken');
    await mkdir(path);
    await expect(writeCsv(frame, path)).rejects.toThrow(`Cannot write ${path}: it is a folder; name a file.`);
    expect(await readdir(folder)).toEqual(['taken']);
  });
});
