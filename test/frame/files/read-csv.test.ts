import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InputError, UsageError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { PNL_COLUMNS } from '../../../src/contract/pnl.js';
import { writeCsv } from '../../../src/frame/csv/write-csv.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { type ReadCsvOptions, readCsv } from '../../../src/frame/files/read-csv.js';
import { query } from '../../../src/frame/sql/sql-query.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { vectorOf } from '../../../src/frame/tabular/tabular.js';
import { max, min } from '../../../src/frame/verbs/extreme.js';
import { groupBy } from '../../../src/frame/verbs/group-by.js';
import { mean, sum } from '../../../src/frame/verbs/sum-and-mean.js';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-csv-'));
  path = join(folder, 'a.csv');
});
afterEach(() => rm(folder, { recursive: true }));

async function read(text: string | Uint8Array, options?: ReadCsvOptions) {
  await writeFile(path, text);
  return readCsv(path, options);
}

const dtypes = async (text: string) => columnsOf(await read(text)).map(({ dtype }) => dtype);

describe('readCsv', () => {
  test('refuses line ends of CR alone, and takes a CR in quotes', async () => {
    const what = 'line 1, has a carriage return (CR) alone outside quotes; line ends must be LF or CRLF.';
    for (const text of ['a,b\r1,2\r', '"a","b"\r"1","2"\r']) {
      await expect(read(text)).rejects.toThrow(what);
      await expect(read(text)).rejects.toThrow(InputError);
    }
    await expect(read('a,b\r\n1,2\r\n3\r,4')).rejects.toThrow('line 3, has a carriage return');
    expect(recordsOf(await read('a,b\r\n"1\r",2\r\n'))).toEqual([{ a: '1\r', b: 2 }]);
  });

  test('reads back the exact columns of a rollup', async () => {
    const columns: Column[] = [
      { name: 'wallet', dtype: 'string', nullable: false, meaning: '' },
      { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, decimal: true, meaning: '' },
    ];
    const frame = frameFromVectors<{ wallet: string; pnl: number }>(columns, [
      { kind: 'text', codes: Int32Array.of(0, 0, 1), words: ['a', 'b'], distinct: true },
      { kind: 'micros', values: BigInt64Array.of(9_007_199_254_740_993_001n, 1n, -5n) },
    ]);
    const rolled = groupBy(frame, 'wallet').rollup({ total: sum('pnl'), least: min('pnl'), mean: mean('pnl') });
    expect(columnsOf(rolled).map(({ decimal }) => decimal)).toEqual([undefined, true, true, undefined]);
    const path = join(folder, 'rolled.csv');
    await writeCsv(rolled, path);
    const back = await readCsv(path, { columns: columnsOf(rolled), exact: true });
    expect(vectorOf(back, 'total')).toEqual(vectorOf(rolled, 'total'));
    expect(vectorOf(back, 'least')).toEqual(vectorOf(rolled, 'least'));
    const derived = await query('SELECT wallet, sum(pnl) AS gained FROM f GROUP BY ALL ORDER BY 1', { f: frame });
    expect(columnsOf(derived).map(({ decimal }) => decimal)).toEqual([undefined, true]);
    expect(columnsOf(await readCsv(path))[1]?.dtype).toBe('string');
  });

  test('reads numbers with a comma before decimals where that is said, and no others', async () => {
    const decimal = ',';
    expect(recordsOf(await read('a;b;c\n1,5;1.234,5;1\n-0,25;1.5;2\n1,5e-7;x;\n', { decimal }))).toEqual([
      { a: 1.5, b: '1.234,5', c: 1 },
      { a: -0.25, b: '1.5', c: 2 },
      { a: 1.5e-7, b: 'x', c: Number.NaN },
    ]);
    expect(recordsOf(await read('a\n1,5\n2\n', { decimal }))).toEqual([{ a: 1.5 }, { a: 2 }]);
    expect(recordsOf(await read('"a","b"\n"1,5","x"\n', { decimal, delimiter: ',' }))).toEqual([{ a: 1.5, b: 'x' }]);
    expect(await dtypes('a;b\n1,5;2\n')).toEqual(['string', 'int32']);
    const columns: Column[] = [{ name: 'a', dtype: 'float64', nullable: true, decimal: true, meaning: '' }];
    const exact = await read('a\n0,000001\n-9223372036854,775807\n\n', { decimal, columns, exact: true });
    expect(vectorOf(exact, 'a')).toEqual({
      kind: 'micros',
      values: BigInt64Array.of(1n, -(2n ** 63n) + 1n, -(2n ** 63n)),
    });
    const wrong = read('a\n1.5\n', { decimal, columns });
    await expect(wrong).rejects.toThrow(
      'line 2, has "1.5" as its "a"; it should be a number such as 12,5, or nothing.',
    );
    await expect(read('a\n1\n', { decimal: ';' as never })).rejects.toThrow(
      'decimal must be one of ".", ","; got ";".',
    );
  });

  test('takes the tab away by which a spreadsheet keeps ids text, and leaves other tabs', async () => {
    const token = '9'.repeat(77);
    const frame = new DataFrame({ [token]: ['5', '\t5', '\tx'], n: [1, 2, 3], token: [token, '007', '1,5'] });
    await writeCsv(frame, path, { ids: 'text' });
    expect(await readFile(path, 'utf8')).toContain(`\t${token},n,token\n\t5,1,\t${token}\n`);
    const back = await readCsv(path, { ids: 'text' });
    expect([back.columns, recordsOf(back)]).toEqual([frame.columns, recordsOf(frame)]);
    expect(columnsOf(back).map(({ dtype }) => dtype)).toEqual(['string', 'int32', 'string']);
    expect(recordsOf(await readCsv(path))[0]?.['token' as never]).toBe(`\t${token}`);
    await writeCsv(frame, path, { ids: 'text', quoting: 'all', delimiter: '\t' });
    expect(recordsOf(await readCsv(path, { ids: 'text' }))).toEqual(recordsOf(frame));
    await expect(readCsv(path, { ids: true as never })).rejects.toThrow(
      'ids must be one of "plain", "text"; got true.',
    );
  });

  test('reads a file without a line of names and without rows as the columns that are given', async () => {
    const columns = columnsOf(new DataFrame({ a: [1], b: ['x'] }));
    const frame = await read('', { header: false, columns });
    expect([frame.shape, frame.columns, columnsOf(frame)]).toEqual([[0, 2], ['a', 'b'], columns]);
    await expect(read('', { header: false })).rejects.toThrow(InputError);
  });

  test('reads quotes, line breaks of both kinds, and tells missing from empty', async () => {
    const frame = await read('a,"b ""c""",n\r\n"x\r\ny, z",,1\r\n"",q"q,\r\nlast,"é",2.5');
    expect(recordsOf(frame)).toEqual([
      { a: 'x\r\ny, z', 'b "c"': null, n: 1 },
      { a: '', 'b "c"': 'q"q', n: Number.NaN },
      { a: 'last', 'b "c"': 'é', n: 2.5 },
    ]);
  });

  test('reads the same from gzip, with a byte order mark and with any delimiter', async () => {
    const rows = [
      { a: 1, b: 'x,y' },
      { a: 2, b: 'p;q' },
    ];
    for (const delimiter of [',', ';', '\t', '|']) {
      const text = `\ufeffa${delimiter}b\n1${delimiter}"x,y"\n2${delimiter}"p;q"\n`;
      expect(recordsOf(await read(text))).toEqual(rows);
      expect(recordsOf(await read(gzipSync(text)))).toEqual(rows);
    }
  });

  test('infers dtypes over all rows, and never makes numbers of ids', async () => {
    const rows = 300;
    const late = (name: string, last: string) => `${name}\n${'1\n'.repeat(rows)}${last}\n`;
    expect(await dtypes(late('n', '2'))).toEqual(['int32']);
    expect(await dtypes(late('n', '2.5'))).toEqual(['float64']);
    expect(await dtypes(late('n', 'x'))).toEqual(['string']);
    expect(await dtypes(late('n', '"2"'))).toEqual(['string']);
    expect(await dtypes(late('n', '007'))).toEqual(['string']);
    expect(await dtypes(late('n', '0x10'))).toEqual(['string']);
    for (const [last, dtype] of [
      ...['1e5', '12.5E2', '0.5e1', '-0e5'].map((each) => [each, 'int32']),
      ...['1.5e0', '12e16', '5e-324', '1.7976931348623157e+308', '-7.156099114442602e+14'].map((each) => [
        each,
        'float64',
      ]),
      // As numpy writes 0.1 and 2 by default.
      ...['1.000000000000000056e-01\n2.000000000000000000e+00', '0e5\n0.5'].map((each) => [each, 'float64']),
      ...['01e5', '.5e1', '5.e1', 'e5', '1e', '12e5a', '+1e5'].map((each) => [each, 'string']),
      ...['1e400', '-1.5e+400', '1e-400', '1.23456789e-320', '1.23456789012345678e+20'].map((each) => [each, 'string']),
      ...[`1.${'0'.repeat(200)}e1`].map((each) => [each, 'string']),
    ]) {
      expect(await dtypes(late('n', last ?? '')), last).toEqual([dtype]);
    }
    expect(await dtypes(late('n', '1e-07'))).toEqual(['float64']);
    expect(await dtypes(late('n', '9007199254740992'))).toEqual(['string']);
    expect(await dtypes(late('n', '9007199254740992\n0.5'))).toEqual(['float64']);
    expect(await dtypes(late('n', '12345678901234567890\n0.5'))).toEqual(['string']);
    expect(await dtypes(late('market_id', '2'))).toEqual(['string']);
    expect(await dtypes('a,b,c,d\ntrue,2025-11-01,True,\nfalse,2025-11-01T12:00:00Z,FALSE,\n')).toEqual([
      ...['boolean', 'datetime', 'boolean', 'string'],
    ]);
  });

  test('takes an exponent without a sign for a number, so that order is that of numbers', async () => {
    const frame = await read('size,code\n1e5,12e5\n250.5,34a7\n');
    expect(recordsOf(frame)).toEqual([
      { size: 100_000, code: '12e5' },
      { size: 250.5, code: '34a7' },
    ]);
    expect(recordsOf(groupBy(frame, []).rollup({ most: max('size') }))).toEqual([{ most: 100_000 }]);
  });

  test('takes no notice of quotes where the file puts them around everything', async () => {
    const frame = await read('"n","text","ok"\n"1.5","a","true"\n"","","false"\n,,\n');
    expect(recordsOf(frame)).toEqual([
      { n: 1.5, text: 'a', ok: true },
      { n: Number.NaN, text: '', ok: false },
      { n: Number.NaN, text: null, ok: null },
    ]);
  });

  test('reads given columns as they are described, in the order of the file, and infers the others', async () => {
    const wallet = `0x${'5'.repeat(40)}`;
    const text = `pnl,proxy_wallet,date,invested,trades,wins,losses,win_rate,note\n-0.1,${wallet},2025-11-01,12,3,1,2,33.3,7\n`;
    const frame = await read(text, { columns: PNL_COLUMNS, exact: true });
    expect(frame.columns).toEqual(text.split('\n', 1)[0]?.split(','));
    expect(columnsOf(frame)[0]).toBe(PNL_COLUMNS[3]);
    expect(vectorOf(frame, 'pnl')).toEqual({ kind: 'micros', values: BigInt64Array.of(-100_000n) });
    expect(vectorOf(frame, 'trades')).toEqual({ kind: 'number', values: Float64Array.of(3) });
    expect(columnsOf(frame).at(-1)).toEqual({ name: 'note', dtype: 'int32', nullable: false, meaning: '' });
    const typed = await readCsv(path, { columns: PNL_COLUMNS });
    const pnl: number | undefined = recordsOf(typed)[0]?.pnl;
    expect(pnl).toBe(-0.1);
  });

  test('names columns without a header by those given, else by number', async () => {
    expect(recordsOf(await read('1,x\n2,y\n', { header: false }))).toEqual([
      { 0: 1, 1: 'x' },
      { 0: 2, 1: 'y' },
    ]);
    const n = { name: 'n', dtype: 'float64', nullable: true, meaning: '' } as const;
    expect(recordsOf(await read('1,x\n', { header: false, columns: [n] }))).toEqual([{ n: 1, 1: 'x' }]);
  });

  test('passes over empty lines, but not where they are the values of the only column', async () => {
    expect(recordsOf(await read('a,b\n\n1,2\n\r\n\n'))).toEqual([{ a: 1, b: 2 }]);
    expect(recordsOf(await read('a\n1\n\n2\n'))).toEqual([{ a: 1 }, { a: Number.NaN }, { a: 2 }]);
  });

  test('gives all columns of a file without rows', async () => {
    const frame = await read('date,pnl\n');
    expect([frame.shape, frame.columns]).toEqual([
      [0, 2],
      ['date', 'pnl'],
    ]);
  });
});

describe('readCsv refuses', () => {
  const nullable = { name: 'n', dtype: 'float64', nullable: true, meaning: '' } as const;
  const count = { name: 'n', dtype: 'int32', nullable: false, meaning: '' } as const;
  const CASES: [string, string | Uint8Array, ReadCsvOptions, string][] = [
    ['a short row', 'a,b\n"x\ny",2\n3\n', {}, 'line 4, has 1 field where the first line has 2.'],
    ['a long row', 'a,b\n1,2,3\n', {}, 'line 2, has 3 fields where the first line has 2.'],
    ['an open quote', 'a,b\n1,2\n"x,3\n4,5\n', {}, 'line 3, opens a quote that is never closed.'],
    [
      'text behind a quote',
      'a\n"x"y\n',
      {},
      'line 2, has text behind a closing quote; a quote within a field has to be doubled.',
    ],
    ['no UTF-8', Buffer.from('a\nx\n\xe9\n', 'latin1'), {}, 'line 3, is no UTF-8 text; save the file as CSV in UTF-8.'],
    [
      'no text for a number',
      'n\n1\nx\n',
      { columns: [nullable] },
      'line 3, has "x" as its "n"; it should be a number such as 12.5, or nothing.',
    ],
    [
      'hexadecimal',
      'n\n0x10\n',
      { columns: [nullable] },
      'line 2, has "0x10" as its "n"; it should be a number such as 12.5, or nothing.',
    ],
    ...['1e400', '-1e400', '1e-400', `1${'0'.repeat(400)}`].map((text): (typeof CASES)[number] => [
      `what no double holds: ${text.slice(0, 6)}`,
      `n\n${text}\n`,
      { columns: [nullable] },
      `line 2, has "${text.length > 80 ? `${text.slice(0, 77)}…` : text}" as its "n"; it should be a number such as 12.5, or nothing.`,
    ]),
    ['a fraction', 'n\n1.5\n', { columns: [count] }, 'line 2, has "1.5" as its "n"; it should be an integer.'],
    ['a missing count', 'n,m\n,1\n', { columns: [count] }, 'line 2, has nothing as its "n"; it should be an integer.'],
  ];
  test.each(CASES)('%s', async (_, text, options, said) => {
    await expect(read(text, options)).rejects.toThrow(new InputError(`${path}, ${said}`));
  });

  test('an empty file, damaged gzip, and what is no file', async () => {
    const empty = new InputError(`${path} is empty; a CSV file begins with a line of names.`);
    await expect(read('')).rejects.toThrow(empty);
    await expect(read('\ufeff')).rejects.toThrow(empty);
    await expect(read(gzipSync('a,b\n1,2\n').subarray(0, -9))).rejects.toThrow(
      new InputError(`${path} is gzip, but damaged or cut off; fetch or write it again.`),
    );
    await expect(readCsv(join(folder, 'none.csv'))).rejects.toThrow(/none\.csv as CSV: there is no such file\.$/);
    await expect(readCsv(folder)).rejects.toThrow(/as CSV: it is a folder; name a file\.$/);
  });

  test('columns that are not there, or twice', async () => {
    await expect(read('a,b\n1,2\n', { columns: [nullable] })).rejects.toThrow(
      new InputError(`${path} has no column "n"; it has "a", "b".`),
    );
    await expect(read('a,a\n1,2\n')).rejects.toThrow(
      new InputError(`${path} names the column "a" twice; rename one of them.`),
    );
  });

  test('options that it does not take', async () => {
    await expect(read('a\n1\n', { exact: true })).rejects.toThrow(UsageError);
    await expect(read('a\n1\n', { delimiter: ':' as ',' })).rejects.toThrow(UsageError);
  });
});
