import { describe, expect, it } from 'vitest';
import { ServiceError, UsageError } from '../../src/base/errors.js';
import { inFlags } from '../../src/cli/query-filters.js';
import { readColumns, readOutput, withCsvFlags } from '../../src/cli/query-output.js';

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

describe('withCsvFlags', () => {
  it('adds how CSV is written, and refuses it for other formats by the name of the flag', () => {
    const csv = readOutput('csv', undefined, false);
    expect(withCsvFlags(csv, {})).toBe(csv);
    expect(withCsvFlags(csv, { decimal: 'comma', dates: 'day', ids: 'text' }).csv).toEqual({
      decimal: ',',
      dates: 'day',
      ids: 'text',
    });
    expect(withCsvFlags(csv, { decimal: 'point', dates: 'iso', ids: 'plain' }).csv).toEqual({});
    const xlsx = readOutput(undefined, 'a.xlsx', true);
    expect(xlsx).toEqual({ format: 'xlsx', path: 'a.xlsx', gzip: false });
    expect(() => withCsvFlags(xlsx, { dates: 'day' })).toThrow(/^--dates says how CSV is written, but a workbook/);
    expect(() => withCsvFlags(readOutput('json', undefined, true), { ids: 'text' })).toThrow(/this is json/);
  });
});

describe('inFlags', () => {
  it.each([
    ['min_volume must be 0 or more', '--min-volume must be 0 or more'],
    ['endDateMin must be a date', '--end-date-min must be a date'],
    ['baseUrl must be an address', '--url (or ODDSLAB_URL) must be an address'],
    ['maxRecords must be whole', '--limit must be whole'],
    ['name it by connect({ snapshot })', 'name it by --snapshot'],
    ['something else', 'something else'],
  ])('words %j as %j', (given, told) => {
    expect(inFlags(new UsageError(given), { id: 574, flags: new Map() }, true)).toEqual(new UsageError(told));
  });

  it('words a refusal of the service by flags, without the request that the reader did not write', () => {
    const url = 'http://127.0.0.1:8787/v2/semantic/retrieve/parameterized';
    const refused = (status: number, said: string) =>
      new ServiceError(`The query service refused the request (POST ${url}): ${said}`, {
        ...{ status, attempts: 1, method: 'POST', url },
      });
    const two =
      '422 The filters of dataset 569 are not valid. /params/start_time must be a date that exists, as YYYY-MM-DD; ' +
      '/params/walet is no filter of dataset 569; did you mean "wallet"?';
    expect(inFlags(refused(422, two), { id: 569, flags: new Map() }, false)).toEqual(
      new UsageError(
        '--start-time must be a date that exists, as YYYY-MM-DD; --walet is no filter of dataset 569; did you mean "wallet"?',
      ),
    );
    const order = '422 The filters of dataset 569 are not valid. /params/end_time lies before start_time';
    expect(inFlags(refused(422, order), { id: 569, flags: new Map([['end_time', '--endTime']]) }, false)).toEqual(
      new UsageError('--endTime lies before --start-time.'),
    );
    const busy = refused(503, '503 Too many queries are waiting.');
    expect(inFlags(busy, { id: 569, flags: new Map() }, true)).toMatchObject({
      message: 'The query service refused the request: 503 Too many queries are waiting.',
      details: busy.details,
    });
    expect(inFlags(busy, { id: 569, flags: new Map() }, false)).toMatchObject({
      message: 'The query service refused the request (http://127.0.0.1:8787): 503 Too many queries are waiting.',
    });
  });

  it('leaves other errors as they are', () => {
    const error = new Error('closed must be true');
    expect(inFlags(error, { id: 574, flags: new Map() }, true)).toBe(error);
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
