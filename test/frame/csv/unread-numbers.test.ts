import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Column } from '../../../src/contract/definition.js';
import { writeCsv } from '../../../src/frame/csv/write-csv.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { type ReadCsvOptions, readCsv } from '../../../src/frame/files/read-csv.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { vectorOf } from '../../../src/frame/tabular/tabular.js';
import { withColumns } from '../../../src/frame/verbs/with-columns.js';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-csv-'));
  path = join(folder, 'a.csv');
});
afterEach(() => rm(folder, { recursive: true }));

/** The frame that a text is read as, and the warnings of reading it. */
async function read(text: string, options?: ReadCsvOptions) {
  await writeFile(path, text);
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    const frame = await readCsv(path, options);
    return { frame, told: warn.mock.calls.map(([message]) => String(message)) };
  } finally {
    warn.mockRestore();
  }
}

const warning = (...columns: string[]) => [
  `readCsv: columns of ${path} are text, but look like numbers. ${columns.join(' ')}`,
];

describe('marks between thousands', () => {
  test('are read where they are said and stand in all places, and nowhere else', async () => {
    const text = 'a,b,c,d\n"1,200","-1,234,567.25","1,20",999\n999,0.5,"1,000,000","1"\n';
    const { frame, told } = await read(text, { thousands: ',' });
    expect(recordsOf(frame)).toEqual([
      { a: 1200, b: -1234567.25, c: '1,20', d: '999' },
      { a: 999, b: 0.5, c: '1,000,000', d: '1' },
    ]);
    expect(told).toEqual([]);
    const european = await read('a;b\n1.234,5;1.2\n-7;3\n', { decimal: ',', thousands: '.' });
    expect(recordsOf(european.frame)).toEqual([
      { a: 1234.5, b: '1.2' },
      { a: -7, b: '3' },
    ]);
  });

  test('are read in columns that are given, exactly, too', async () => {
    const columns: Column[] = [
      { name: 'a', dtype: 'float64', nullable: true, decimal: true, meaning: '' },
      { name: 'n', dtype: 'int32', nullable: false, meaning: '' },
    ];
    const { frame } = await read('a,n\n"9,007,199,254.740993","1,000"\n,2\n', { thousands: ',', columns, exact: true });
    expect(vectorOf(frame, 'a')).toEqual({
      kind: 'micros',
      values: BigInt64Array.of(9_007_199_254_740_993n, -(2n ** 63n)),
    });
    expect(recordsOf(frame).map(({ n }) => n)).toEqual([1000, 2]);
    await expect(read('a,n\n"1,20",1\n', { thousands: ',', columns })).rejects.toThrow(
      'line 2, has "1,20" as its "a"; it should be a number such as 12.5, or nothing.',
    );
  });

  test('are none of the marks before decimals', async () => {
    await expect(read('a\n1\n', { decimal: ',', thousands: ',' })).rejects.toThrow(
      'decimal and thousands of readCsv are the same mark, ",": give both.',
    );
    await expect(read('a\n1\n', { thousands: '.' })).rejects.toThrow('the same mark');
    await expect(read('a\n1\n', { thousands: ' ' as never })).rejects.toThrow(
      'thousands must be one of ".", ","; got " ".',
    );
  });
});

describe('a column of text that looks like one of numbers is told', () => {
  test.each<[string, ReadCsvOptions, string]>([
    ['n\n"1,200.50"\n7\n', {}, `"n" has "1,200.50": { thousands: ',' } reads it as 1200.5.`],
    [
      'n,m\n5,1\n"1,200",2\n',
      {},
      `"n" has "1,200": { thousands: ',' } reads it as 1200, { decimal: ',', delimiter: ',' } reads it as 1.2.`,
    ],
    ['n;m\n1.200,50;1\n', {}, `"n" has "1.200,50": { decimal: ',', thousands: '.' } reads it as 1200.5.`],
    ['n;m\n1,5;1\n', {}, `"n" has "1,5": { decimal: ',' } reads it as 1.5.`],
    ['n;m\n1.200,5;1\n', { decimal: ',' }, `"n" has "1.200,5": { thousands: '.' } reads it as 1200.5.`],
    ['n;m\n1.25;1\n', { decimal: ',' }, `"n" has "1.25": { decimal: '.' } reads it as 1.25.`],
    ['n\n1.5\nN/A\n2\n', {}, `"n" has "N/A": { nullText: 'N/A' } reads it as missing.`],
    ['n\n"1,000,000"\n-\n2\n', {}, `"n" has "1,000,000": { thousands: ',', nullText: '-' } reads it as 1000000.`],
  ])('%j, read by %j', async (text, options, sentence) => {
    const { frame, told } = await read(text, options);
    expect(columnsOf(frame)[0]?.dtype).toBe('string');
    expect(told).toEqual(warning(sentence));
    // What it says to write gives numbers, without a warning.
    for (const [, said] of sentence.matchAll(/(\{.*?\}) reads/g)) {
      const again = await read(text, { ...options, ...new Function(`return (${said})`)() });
      expect(columnsOf(again.frame)[0]?.dtype).not.toBe('string');
      expect(again.told).toEqual([]);
    }
  });

  test.each<[string, ReadCsvOptions, number[]]>([
    ['"$1,200.50"\n"($5.00)"\n-$3\n', {}, [1200.5, -5, -3]],
    ['12%\n(5.00)\n1 %\n', {}, [12, -5, 1]],
    [' 5\n12 \n', {}, [5, 12]],
    ['1 200,5 €\n-\n(3 €)\n', {}, [1200.5, Number.NaN, -3]],
    ['"£1,000"\n£2.5\n', {}, [1000, 2.5]],
    ['1.000,5 €\n2 €\n', { decimal: ',' }, [1000.5, 2]],
    ["1'200\n30\n", {}, [1200, 30]],
    ['+12.50\n-3.20\n+120.00\n', {}, [12.5, -3.2, 120]],
    ['.5\n-.25\n', {}, [0.5, -0.25]],
    ['5.\n2.5\n', {}, [5, 2.5]],
    ['007.5\n1.5\n', {}, [7.5, 1.5]],
    ['007.5\n', {}, [7.5]],
    ['−5\n7\n−\n', {}, [-5, 7, Number.NaN]],
    ['+5\n-3\n0\n', {}, [5, -3, 0]],
    ['+5%\n12%\nNA\n', {}, [5, 12, Number.NaN]],
    ['"+$1,200.50"\n−$3\n', {}, [1200.5, -3]],
    ['"+1.234,5"\n"−1,5"\n', {}, [1234.5, -1.5]],
    ['+1.5e3\n2\n', {}, [1500, 2]],
    ['$5\n""\n7\n', {}, [5, Number.NaN, 7]],
  ])('with code that makes numbers of it: %j', async (rows, options, numbers) => {
    const { frame, told } = await read(`n;a b\n${rows.replaceAll('\n', ';1\n')}`, { ...options, delimiter: ';' });
    const [, code, value] = /": withColumns\(frame, (.*)\) makes (\S+) of it\.$/.exec(told[0] ?? '') ?? [];
    const made = withColumns(frame, new Function(`return (${code})`)());
    expect(columnsOf(made)[0]?.dtype).not.toBe('string');
    expect(recordsOf(made).map((row) => row['n' as never])).toEqual(numbers);
    expect(Number(value)).toBe(numbers[0]);
  });

  test('by its name where that is no identifier, and together with others', async () => {
    const { told } = await read(`${'abcdefg'.split('').join(' x,')} x\n${Array(7).fill('5%').join(',')}\n`);
    const one = (name: string) =>
      `"${name}" has "5%": withColumns(frame, { "${name}": (row) => Number(String(row["${name}"]).replace(/[%]/g, '')) }) makes 5 of it.`;
    expect(told).toEqual(warning(...['a x', 'b x', 'c x', 'd x', 'e x'].map(one), 'So do 2 more.'));
  });

  test.each([
    ['ids', '007\n0012\n'],
    ['postal codes', '00501\n90210\n'],
    ['phone numbers', '+4930123456\n+49171999888\n'],
    ['phone numbers with spaces', '+49 171 123\n+49 30 123 456\n'],
    ['times', '09.30\n17.45\n'],
    ['codes of goods', '0101.21\n8471.30\n'],
    ['offsets from UTC', '+0100\n-0500\n'],
    ['ranks', '1.\n2.\n10.\n'],
    ['versions', '01.2.3\n1.10.0\n'],
    ['numbers of more digits than a double holds', '+12345678901234567890\n-5\n'],
  ])('but no %s', async (_, rows) => {
    const { frame, told } = await read(`n;m\n${rows.replaceAll('\n', ';1\n')}`, { delimiter: ';' });
    expect(columnsOf(frame)[0]?.dtype).toBe('string');
    expect(told).toEqual([]);
  });

  test('and what to do is said where a column of numbers is given', async () => {
    const columns: Column[] = [{ name: 'pnl', dtype: 'float64', nullable: false, meaning: '' }];
    const code = "withColumns(frame, { pnl: (row) => Number(String(row.pnl).replace('−', '-')) })";
    await expect(read('pnl\n1\n−3.20\n', { columns })).rejects.toThrow(
      `line 3, has "−3.20" as its "pnl"; it should be a number such as 12.5. Leave "pnl" out of columns to read it as text: then ${code} makes -3.2 of it.`,
    );
    await expect(read('pnl\nx\n', { columns })).rejects.toThrow('it should be a number such as 12.5.');
  });

  test('but never one of ids, of text, of quoted numbers, of several words, or one that is given', async () => {
    const text = [
      'token_id,name,code,grade,version,day,given,house,quoted,rate,range',
      '"1,200",x,"12",1,1.2.3,2025-11-05,"1,200",12,"",1e5%,(-5)',
      '"3,400",7,NA,A,1.2,2025-11-06 10:00,5,12A,5,3%,5',
      '"5,600",7,"15",B,1.3,x,6,13,6,4%,6',
    ].join('\n');
    const columns: Column[] = [{ name: 'given', dtype: 'string', nullable: false, meaning: '' }];
    const { frame, told } = await read(text, { columns });
    expect(columnsOf(frame).map(({ dtype }) => dtype)).toEqual(Array(11).fill('string'));
    expect(told).toEqual(warning(`"name" has "x": { nullText: 'x' } reads it as missing.`));
  });

  test('but not by what writeCsv wrote of text', async () => {
    const frame = new DataFrame({ a: ['1', '2', 'NA'], b: ['1,5', '2', '3'], c: ['true', '1', '2'] });
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    for (const ids of ['plain', 'text'] as const) {
      await writeCsv(frame, path, { ids });
      await readCsv(path);
    }
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });
});
