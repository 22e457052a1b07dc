import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { writeJsonLines } from '../../../src/frame/csv/json-lines.js';
import { writeCsv } from '../../../src/frame/csv/write-csv.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { writeParquet } from '../../../src/frame/files/parquet.js';
import { writeArrow } from '../../../src/frame/files/write-arrow.js';
import { writeXlsx } from '../../../src/frame/files/write-xlsx.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const FRAME = new DataFrame({ pnl: [1, 2] });

it.each([
  [writeXlsx, 'q.csv', 'says csv, but writeXlsx writes xlsx: end it in .xlsx, or take writeCsv.'],
  [writeCsv, 'q.XLSX', 'says xlsx, but writeCsv writes csv: end it in .csv, or take writeXlsx.'],
  [writeCsv, 'q.ndjson.gz', 'says ndjson, but writeCsv writes csv: end it in .csv, or take writeJsonLines.'],
  [writeParquet, 'q.csv', 'says csv, but writeParquet writes parquet: end it in .parquet, or take writeCsv.'],
  [writeArrow, 'q.parquet', 'says parquet, but writeArrow writes arrow: end it in .arrow, or take writeParquet.'],
  [writeJsonLines, 'q.json', 'says json, but writeJsonLines writes ndjson: end it in .ndjson or .jsonl.'],
  [writeXlsx, 'q.txt', 'says table, but writeXlsx writes xlsx: end it in .xlsx.'],
  [writeParquet, 'q.parquet.gz', 'parquet is compressed within: give the file a name without .gz.'],
] as const)('%o refuses the name %s, which says another form', async (write, name, message) => {
  const folder = await temporaryFolder();
  const writing = write(FRAME, join(folder, name));
  await expect(writing).rejects.toThrow(message);
  await expect(writing).rejects.toBeInstanceOf(UsageError);
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  [writeCsv, 'q.txt'],
  [writeCsv, 'q.csv.gz'],
  [writeJsonLines, 'q.log'],
  [writeXlsx, 'q'],
  [writeParquet, 'q.dat'],
  [writeArrow, 'q.feather'],
] as const)('%o takes the name %s', async (write, name) => {
  const folder = await temporaryFolder();
  await write(FRAME, join(folder, name));
  expect(await readdir(folder)).toEqual([name]);
});
