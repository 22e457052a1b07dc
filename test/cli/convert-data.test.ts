import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { convertData } from '../../src/cli/convert-data.js';
import { readArrow } from '../../src/frame/files/read-arrow.js';
import { readCsv } from '../../src/frame/files/read-csv.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CSV = 'date,id,pnl\n2025-11-05T00:00:00Z,0x12,1.5\n2025-11-06T12:30:00Z,,-0.25\n';

async function source(): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder();
  const path = join(folder, 'pnl.v1.csv');
  writeFileSync(path, CSV);
  return { folder, path };
}

it('goes through every form and comes back the same', async () => {
  const { folder, path } = await source();
  const arrow = await convertData(path, { to: 'arrow' });
  expect(arrow).toBe(join(folder, 'pnl.v1.arrow'));
  const parquet = await convertData(arrow, { out: join(folder, 'b.parquet') });
  const csv = await convertData(parquet, { out: join(folder, 'c.csv') });
  expect(readFileSync(csv, 'utf8')).toBe(CSV);
  expect((await readArrow(arrow)).toString()).toBe((await readCsv(path)).toString());
  const lines = await convertData(csv, { to: 'ndjson' });
  expect(readFileSync(lines, 'utf8').split('\n')).toHaveLength(3);
  const zipped = join(folder, 'lines.jsonl.gz');
  writeFileSync(zipped, gzipSync(readFileSync(lines)));
  for (const file of [lines, zipped]) {
    const back = await convertData(file, { out: join(folder, 'd.csv'), force: true });
    expect(readFileSync(back, 'utf8')).toBe(CSV);
  }
});

it('writes CSV and workbooks for spreadsheets', async () => {
  const { folder, path } = await source();
  const csv = await convertData(path, { out: join(folder, 'b.csv'), decimal: 'comma', dates: 'day' });
  expect(readFileSync(csv, 'utf8')).toBe('date;id;pnl\n2025-11-05;0x12;1,5\n2025-11-06;;-0,25\n');
  const book = await convertData(path, { to: 'xlsx', out: folder });
  expect(readFileSync(book).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
});

it('reads CSV by the flags by which it was written', async () => {
  const { folder } = await source();
  const long = '12345678901234567890';
  const path = join(folder, 'sheet.csv');
  writeFileSync(path, `id;pnl\n\t${long};1,5\n;-0,25\n`);
  const lines = await convertData(path, { to: 'ndjson', decimal: 'comma', ids: 'text' });
  expect(readFileSync(lines, 'utf8')).toBe(`{"id":"${long}","pnl":1.5}\n{"id":null,"pnl":-0.25}\n`);
});

it.each([
  ['parquet', '--decimal comma reads it as 1.5'],
  ['csv', "in a notebook, readCsv with { decimal: ',' } reads it as 1.5"],
])('says of numbers that it reads as text what to write, for %s', async (to, advice) => {
  const { folder } = await source();
  const path = join(folder, 'sheet.csv');
  writeFileSync(path, 'pnl;share;fee\n1,5;12%;1\n-0,25;-3%;}\n0;1%;2\n');
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  await convertData(path, { out: join(folder, `b.${to}`) });
  const code = "in a notebook, withColumns(frame, { share: (row) => Number(String(row.share).replace(/[%]/g, '')) })";
  expect(warn.mock.calls).toEqual([
    [
      `Columns of ${path} are text, but look like numbers. "pnl" has "1,5": ${advice}. "share" has "12%": ${code} makes 12 of it. "fee" has "}": in a notebook, readCsv with { nullText: '}' } reads it as missing.`,
      'OddslabWarning',
    ],
  ]);
});

it('says of numbers in JSON lines that it reads as text what to write', async () => {
  const { folder } = await source();
  const path = join(folder, 'lines.ndjson');
  writeFileSync(path, '{"pnl":9}\n{"pnl":"NA"}\n{"pnl":10}\n');
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  await convertData(path, { out: join(folder, 'c.csv') });
  const code = 'in a notebook, withColumns(frame, { pnl: (row) => Number(String(row.pnl)) })';
  expect(warn.mock.calls).toEqual([
    [`Columns of ${path} are text, but look like numbers. "pnl" has "NA": ${code} makes it missing.`, 'OddslabWarning'],
  ]);
});

it.each<[object, RegExp]>([
  [{}, /say what it becomes by --to csv, xlsx/],
  [{ to: 'ipynb' }, /does not become ipynb: take --to csv/],
  [{ to: 'csv' }, /pnl\.v1\.csv is there, so nothing was written: --force/],
  [{ out: '-' }, /--out - is for notebooks/],
  [{ out: 'x.json' }, /does not become json/],
  [{ out: 'x.dat' }, /does not say which form/],
  [{ to: 'parquet', dates: 'day' }, /--dates says how CSV is written, but this is parquet/],
])('refuses %j', async (options, message) => {
  const { path } = await source();
  await expect(convertData(path, options)).rejects.toThrow(UsageError);
  await expect(convertData(path, options)).rejects.toThrow(message);
});
