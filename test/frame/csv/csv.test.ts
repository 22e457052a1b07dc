import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ColumnError, DataError, UsageError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { toCsv } from '../../../src/frame/csv/to-csv.js';
import { openCsvFile, writeCsv } from '../../../src/frame/csv/write-csv.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns, frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { MISSING_MICROS } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';
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
        ',,1970-01-01T00:00:00Z,true\n' +
        '0.1,"",2025-11-01T12:00:00Z,false\n' +
        '1e+21,"a\nb",,true\n' +
        '-0, =1+1 ,,true\n',
    );
    expect(toCsv(frame.head(1), { header: false })).toBe(',,1970-01-01T00:00:00Z,true\n');
  });

  test('gives the header of an empty frame', () => {
    expect(toCsv(frameFromColumns(COLUMNS, [[], []]))).toBe('"amount, in ""USD""",note\n');
  });

  test('quotes text that would read as a number or as true or false, and nothing else that need not be', () => {
    const words = [
      '12',
      '-0.5',
      '1e+21',
      'Infinity',
      'true',
      'FALSE',
      '007',
      '0x10',
      '1e5',
      'NaN',
      '2025-11-01',
      'yes',
    ];
    const frame = new DataFrame({ word: words });
    expect(toCsv(frame)).toBe(
      'word\n"12"\n"-0.5"\n"1e+21"\n"Infinity"\n"true"\n"FALSE"\n007\n0x10\n"1e5"\nNaN\n2025-11-01\nyes\n',
    );
  });

  test('writes exact amounts to the last micro-unit', () => {
    const values = BigInt64Array.of(9_007_199_254_740_993_001n, 1_500_000n, -1n, 0n, -7_000_000n, MISSING_MICROS);
    const pnl: Column = { name: 'pnl', dtype: 'float64', nullable: true, decimal: true, meaning: '' };
    const frame = frameFromVectors([pnl], [{ kind: 'micros', values }]);
    expect(toCsv(frame)).toBe('pnl\n9007199254740.993001\n1.5\n-0.000001\n0\n-7\n\n');
  });

  test('takes delimiter, quoting, text for missing values and a byte order mark', () => {
    const frame = new DataFrame({
      'a;b': ['x,y', null, 'NA', ''],
      n: [1.5, Number.NaN, -2, 0],
      ok: [true, false, true, true],
    });
    expect(toCsv(frame, { delimiter: ';', nullText: 'NA' })).toBe(
      '"a;b";n;ok\nx,y;1.5;true\nNA;NA;false\n"NA";-2;true\n"";0;true\n',
    );
    expect(toCsv(frame, { quoting: 'all', bom: true })).toBe(
      '\ufeff"a;b","n","ok"\n"x,y","1.5","true"\n,,"false"\n"NA","-2","true"\n"","0","true"\n',
    );
    expect(toCsv(frame, { quoting: 'text', delimiter: '\t', header: false })).toBe(
      '"x,y"\t1.5\ttrue\n\t\tfalse\n"NA"\t-2\ttrue\n""\t0\ttrue\n',
    );
    const mixed = new DataFrame([[1n], ['a,b'], [null], [new Date(0)], [2.5]], { columns: ['m'] });
    expect(toCsv(mixed, { quoting: 'text' })).toBe('m\n1\n"a,b"\n\n"1970-01-01T00:00:00Z"\n2.5\n');
  });

  test('guards text and names against being formulas, and leaves numbers alone', () => {
    const cells = ['=1+1', '+1', '-1', '@a', '\tx', '\rx', 'a=1', '', '=1+1'];
    const frame = new DataFrame({ '=n': cells.map((_, row) => 0 - row), text: cells });
    const guarded = "'=n,text\n0,'=1+1\n-1,'+1\n-2,'-1\n-3,'@a\n-4,'\tx\n-5,\"'\rx\"\n-6,a=1\n-7,\"\"\n-8,'=1+1\n";
    expect(toCsv(frame, { formulas: 'guard' })).toBe(guarded);
    expect(toCsv(frame.head(3))).toBe('=n,text\n0,=1+1\n-1,+1\n-2,"-1"\n');
  });

  test('refuses options that would make a file that cannot be read', () => {
    const frame = new DataFrame({ a: [1] });
    const of = (options: object) => () => toCsv(frame, options);
    expect(of({ delimiter: ':' })).toThrow(new UsageError('delimiter must be one of ",", ";", "\\t", "|"; got ":".'));
    expect(of({ quoting: 'none' })).toThrow(UsageError);
    expect(of({ formulas: 'drop' })).toThrow(UsageError);
    expect(of({ nullText: 'a,b' })).toThrow(
      new UsageError('nullText must hold no quote, line break or delimiter, such as "NA"; got "a,b".'),
    );
    for (const nullText of ['0', '-0', '-999', '1.5', '1e+21', '12345678901234568', 'Infinity', 'true']) {
      expect(of({ nullText })).toThrow(
        new UsageError(
          `nullText must be no number and no boolean, which a column may hold itself, but such as "NA"; got "${nullText}".`,
        ),
      );
    }
    for (const nullText of ['0,5', '-999,25', '1,5e-7', '0.5', '7', 'false'])
      expect(of({ nullText, decimal: ',' })).toThrow('nullText must be no number and no boolean');
    for (const nullText of ['NA', '-', 'n,a', '1,2,3']) expect(of({ nullText, decimal: ',' })).not.toThrow();
  });

  test('does not depend on how often the words of a text come', () => {
    const words = ['é', 'a"b', '12', 'plain', 'with space', 'x'.repeat(70_000), '', 'line\nbreak'];
    const codes = Int32Array.from({ length: 400 }, (_, row) => (row % 9) - 1);
    const often = frameFromVectors(COLUMNS.slice(1), [{ kind: 'text', codes, words, distinct: true }]);
    const cells = Array.from(codes, (code) => words[code] ?? null);
    expect(toCsv(often)).toBe(toCsv(frameFromColumns(COLUMNS.slice(1), [cells])));
    expect(parseCsv(toCsv(often)).slice(1)).toEqual(cells.map((cell) => [cell]));
  });

  test.each([
    ['once', 1],
    ['often', 4],
  ])('holds a text whole that is longer than a piece and comes %s', async (_, rows) => {
    for (const text of ['x'.repeat(300_000), 'xé'.repeat(30_000)]) {
      const frame = new DataFrame({ note: Array.from({ length: rows }, () => text) });
      const whole = ['note', ...Array.from({ length: rows }, () => text), ''].join('\n');
      // A difference of so much text would take long to print.
      expect(toCsv(frame) === whole).toBe(true);
    }
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
        expect(back).toEqual(rows);
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

  test('refuses options that are no object', async () => {
    const message = /^The options of writing CSV must be an object/;
    await expect(writeCsv(new DataFrame({ a: [1] }), 'never.csv', null as never)).rejects.toThrow(message);
    expect(() => toCsv(new DataFrame({ a: [1] }), null as never)).toThrow(message);
  });

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

  test('compresses a file whose name says so, and every file when told', async () => {
    const text = 'a,b\n1,é\n2,y\n';
    const [named, told, plain] = ['a.csv.gz', 'b.csv', 'c.gz'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const { bytes } = await writeCsv(frame, named);
    expect(gunzipSync(await readFile(named)).toString()).toBe(text);
    expect((await readFile(named)).length).toBe(bytes);
    await writeCsv(frame, told, { gzip: true });
    expect(gunzipSync(await readFile(told)).toString()).toBe(text);
    await writeCsv(frame, plain, { gzip: false });
    expect(await readFile(plain, 'utf8')).toBe(text);
  });

  test('writes files at the same time and after one another without mixing them', async () => {
    const texts = ['a', 'b', 'c'];
    const rows = 40_000;
    const framesOf = texts.map((text) =>
      frameFromColumns(COLUMNS.slice(1), [Array.from({ length: rows }, () => text.repeat(20))]),
    );
    for (let turn = 0; turn < 2; turn += 1) {
      await Promise.all(framesOf.map((one, at) => writeCsv(one, join(folder, `${at}.csv`))));
      for (const [at, one] of framesOf.entries()) {
        expect(await readFile(join(folder, `${at}.csv`), 'utf8')).toBe(toCsv(one));
      }
    }
  });

  test('tells how far it is', async () => {
    const rows = 50_000;
    const large = frameFromColumns(COLUMNS.slice(1), [Array.from({ length: rows }, (_, row) => `some text ${row}`)]);
    const told: { rows: number; total?: number }[] = [];
    await writeCsv(large, join(folder, 'a.csv'), { onProgress: (progress) => told.push(progress) });
    expect(told.length).toBeGreaterThan(2);
    expect(told.every((one, at) => one.total === rows && one.rows > (told[at - 1]?.rows ?? 0))).toBe(true);
    expect(told.at(-1)).toEqual({ rows, total: rows });
  });

  test('keeps the older file and leaves nothing behind when it is stopped on the way', async () => {
    const path = join(folder, 'a.csv');
    await writeFile(path, 'old');
    const stop = () => {
      throw new RangeError('stopped');
    };
    await expect(writeCsv(frame, path, { onProgress: stop })).rejects.toThrow(new RangeError('stopped'));
    expect(await readdir(folder)).toEqual(['a.csv']);
    expect(await readFile(path, 'utf8')).toBe('old');
  });
});

describe('openCsvFile', () => {
  let folder = '';
  let path = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-csv-'));
    path = join(folder, 'a.csv');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('takes the header from the first frame, also from one without rows', async () => {
    const file = openCsvFile(path, { bom: true });
    await file.append(frameFromColumns(COLUMNS, [[], []]));
    await file.append(frameFromColumns(COLUMNS, [[1], ['x']]));
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^a\.csv\.[0-9a-f]{12}\.part$/)]);
    const bytes = Buffer.byteLength('\ufeff"amount, in ""USD""",note\n1,x\n');
    expect(await file.finish()).toEqual({ path, rows: 1, bytes });
    expect(await readFile(path, 'utf8')).toBe('\ufeff"amount, in ""USD""",note\n1,x\n');
    await file.discard();
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  test('refuses a frame with other columns, and goes on with the right ones', async () => {
    const file = openCsvFile(path);
    await file.append(new DataFrame({ a: [1], b: [2] }));
    const said = (what: string) =>
      new ColumnError(`The frame has other columns than ${path}: ${what}. Bring the columns into the same order.`);
    const of = (data: Record<string, number[]>) => file.append(new DataFrame(data));
    await expect(of({ b: [1], a: [2] })).rejects.toThrow(said('its column 1 is "b" where the file has "a"'));
    await expect(of({ a: [1] })).rejects.toThrow(said('its column 2 is missing where the file has "b"'));
    await expect(of({ a: [1], b: [2], c: [3] })).rejects.toThrow(said('it has "c" behind the last column of the file'));
    await of({ a: [3], b: [4] });
    await file.finish();
    expect(await readFile(path, 'utf8')).toBe('a,b\n1,2\n3,4\n');
  });

  test('leaves nothing behind when it is discarded, before or after it began', async () => {
    await openCsvFile(path).discard();
    const file = openCsvFile(path);
    await file.append(new DataFrame({ a: [1] }));
    await file.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  test('says where it cannot be written', async () => {
    const file = openCsvFile(join(folder, 'none', 'a.csv'));
    await expect(file.append(new DataFrame({ a: [1] }))).rejects.toThrow('its folder does not exist; make it first.');
    await file.discard();
    expect(await readdir(folder)).toEqual([]);
  });
});
