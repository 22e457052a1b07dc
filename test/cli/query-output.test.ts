import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { readColumns, readOutput } from '../../src/cli/query-output.js';

describe('readOutput', () => {
  it.each([
    [undefined, undefined, { format: 'table', gzip: false }],
    ['csv', undefined, { format: 'csv', gzip: false }],
    [undefined, 'a/b.csv', { format: 'csv', path: 'a/b.csv', gzip: false }],
    [undefined, 'b.CSV.GZ', { format: 'csv', path: 'b.CSV.GZ', gzip: true }],
    [undefined, 'b.jsonl', { format: 'ndjson', path: 'b.jsonl', gzip: false }],
    [undefined, 'b.v2.parquet', { format: 'parquet', path: 'b.v2.parquet', gzip: false }],
    ['csv', 'b.csv.gz', { format: 'csv', path: 'b.csv.gz', gzip: true }],
    ['ndjson', 'b.jsonl', { format: 'ndjson', path: 'b.jsonl', gzip: false }],
    ['csv', 'b.txt', { format: 'csv', path: 'b.txt', gzip: false }],
    ['csv', 'b.dat', { format: 'csv', path: 'b.dat', gzip: false }],
    ['ndjson', 'b', { format: 'ndjson', path: 'b', gzip: false }],
  ] as const)('takes --format %s and --out %s as %j', (format, path, output) => {
    expect(readOutput(format, path, true)).toEqual(output);
  });

  it.each([
    ['parquet', undefined, /parquet is a binary form.*--out FILE/],
    ['arrow', 'b.arrow.gz', /without \.gz/],
    ['csv', 'q.parquet', /q\.parquet says parquet, but --format says csv: end it in \.csv, or leave --format out/],
    ['ndjson', 'q.json.gz', /end it in \.ndjson or \.jsonl/],
    ['table', 'q.csv', /end it in \.txt/],
    ['parquet', 'q.txt', /end it in \.parquet/],
    [undefined, 'records', /does not say which form.*\.csv.*--format/],
    [undefined, 'a.constructor', /does not say which form/],
  ] as const)('refuses --format %s and --out %s', (format, path, message) => {
    expect(() => readOutput(format, path, true)).toThrow(message);
  });

  it('takes - for stdout, and a binary form for a pipe', () => {
    expect(readOutput(undefined, '-', true)).toEqual({ format: 'table', gzip: false });
    expect(readOutput('csv', '/dev/stdout', true)).toEqual({ format: 'csv', gzip: false });
    expect(readOutput('parquet', '-', false)).toEqual({ format: 'parquet', gzip: false });
    expect(() => readOutput('parquet', '-', true)).toThrow(UsageError);
  });
});

describe('readColumns', () => {
  const known = ['slug', 'volume_total'];

  it('keeps the order, and takes any name where the columns are not known', () => {
    expect(readColumns('volume_total, slug', known)).toEqual(['volume_total', 'slug']);
    expect(readColumns('x,y', [])).toEqual(['x', 'y']);
  });

  it.each([
    ['slug,', /empty name/],
    ['slug,slug', /names slug twice/],
    ['volume', /no column of this dataset\. (Did you mean "volume_total"|The columns are slug, volume_total)/],
  ])('refuses %s', (text, message) => {
    expect(() => readColumns(text, known)).toThrow(message);
  });
});
