import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Column as ArrowColumn, DataType } from '@uwdata/flechette';
import * as arrow from '@uwdata/flechette';
import {
  Bool,
  CompressionType,
  compressionRegistry,
  Dictionary,
  Field,
  Int32,
  Int64,
  LargeUtf8,
  List,
  makeData,
  makeVector,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Table,
  TimeMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
  Utf8View,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ColumnError, DataError, InputError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors, takeRows } from '../../../src/frame/danfo/frame-from-vectors.js';
import { foldedProvenance } from '../../../src/frame/files/frame-facts.js';
import { readArrow } from '../../../src/frame/files/read-arrow.js';
import { writeArrow } from '../../../src/frame/files/write-arrow.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
import { MISSING_MICROS } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';
import { anyFrame, longFrame, wholeOf } from '../sql/sql-frames.js';
import { someQueries } from './some-queries.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-arrow-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('an Arrow file', () => {
  it('reads back to what was written', async () => {
    const path = join(folder, 'any.arrow');
    await fc.assert(
      fc.asyncProperty(anyFrame, fc.constantFrom('file' as const, 'stream' as const), async (frame, format) => {
        await writeArrow(frame, path, { format });
        expect(wholeOf(await readArrow(path))).toEqual(wholeOf(frame));
      }),
      { numRuns: 100 },
    );
  });

  it('reads back over several batches, and tells how far it is', async () => {
    const frame = longFrame(140_001);
    const told: number[] = [];
    const path = join(folder, 'long.arrow');
    const written = await writeArrow(frame, path, { onProgress: ({ rows }) => told.push(rows) });
    expect(written).toEqual({ path, rows: 140_001, bytes: (await readFile(path)).length });
    expect([told.at(-1), told.every((rows, at) => rows >= (told[at - 1] ?? 0))]).toEqual([140_001, true]);
    const back = wholeOf(await readArrow(path));
    const sent = wholeOf(frame);
    expect(back.columns).toEqual(sent.columns);
    for (const [at, { kind, cells }] of sent.values.entries()) {
      expect(back.values[at]?.kind).toBe(kind);
      expect(back.values[at]?.cells.findIndex((cell, row) => !Object.is(cell, cells[row]))).toBe(-1);
    }
  });

  it('is what the reference implementation reads', async () => {
    const frame = longFrame(4);
    for (const format of ['file', 'stream'] as const) {
      const path = join(folder, `own.${format}`);
      await writeArrow(frame, path, { format });
      const table = tableFromIPC(await readFile(path));
      expect(
        table.schema.fields.map((field) => `${field.name}: ${field.type}${field.nullable ? '' : ' not null'}`),
      ).toEqual([
        'date: Timestamp<MILLISECOND, UTC> not null',
        'wallet: Dictionary<Int32, Utf8>',
        'id: Dictionary<Int32, Utf8> not null',
        'pnl: Float64',
        'paid: Decimal[18e+6] not null',
        'trades: Int32 not null',
        'open: Bool',
      ]);
      expect(table.schema.fields[3]?.metadata).toEqual(
        new Map([
          ['unit', 'USD'],
          ['meaning', 'Profit.'],
        ]),
      );
      const wallet = (at: number) => `0x${at.toString(16).padStart(40, '0')}`;
      expect(['date', 'wallet', 'id', 'pnl', 'trades', 'open'].map((name) => table.getChild(name)?.toJSON())).toEqual([
        [1735689600000, 1735776000000, 1735862400000, 1735948800000],
        [null, wallet(6), wallet(13), wallet(20)],
        ['id 0', 'id 1', 'id 2', 'id 3'],
        [null, Math.sin(1) * 1e6, Math.sin(2) * 1e6, Math.sin(3) * 1e6],
        [0, 1, 2, 3],
        [null, false, true, null],
      ]);
      expect(table.getChild('paid')?.toArray()).toEqual(
        new Uint32Array([0, 0, 0, 0, 1000003, 0, 0, 0, 2000006, 0, 0, 0, 3000009, 0, 0, 0]),
      );
    }
  });

  it('is what polars reads', async (context) => {
    const peers = new URL('../../../bench/peers/package.json', import.meta.url);
    if (!existsSync(new URL('node_modules/nodejs-polars', peers)))
      return context.skip('nodejs-polars is not installed');
    const { default: polars } = createRequire(peers)('nodejs-polars') as {
      default: { readIPC(path: string): { select(...names: string[]): { toRecords(): unknown[] } } };
    };
    const path = join(folder, 'polars.ipc');
    await writeArrow(longFrame(2), path);
    const read = polars.readIPC(path).select('date', 'wallet', 'pnl', 'trades', 'open').toRecords();
    expect(JSON.parse(JSON.stringify(read))).toEqual([
      { date: '2025-01-01T00:00:00.000Z', wallet: null, pnl: null, trades: 0, open: null },
      {
        date: '2025-01-02T00:00:00.000Z',
        wallet: `0x${'6'.padStart(40, '0')}`,
        pnl: Math.sin(1) * 1e6,
        trades: 1,
        open: false,
      },
    ]);
  });

  it('holds no word of rows that were left out', async () => {
    const path = join(folder, 'some.arrow');
    await writeArrow(takeRows(longFrame(1000), Uint32Array.of(7)), path);
    const words = tableFromIPC(await readFile(path))
      .getChild('id')
      ?.data[0]?.dictionary?.toJSON();
    expect(words).toEqual(['id 7']);
  });

  it('keeps where the rows came from, and knows when it was cut off', async () => {
    const frame = longFrame(140_000);
    const query = { service: 'http://x', dataset: 569, params: {}, queriedAt: '2026-01-01', records: 3 };
    setProvenance(frame, [query]);
    const path = join(folder, 'from.arrow');
    await writeArrow(frame, path, { format: 'stream' });
    expect(provenanceOf(await readArrow(path))).toEqual([query]);
    const few = longFrame(4);
    setProvenance(few, someQueries(500));
    const long = join(folder, 'many.arrow');
    await writeArrow(few, long, { format: 'stream' });
    expect(provenanceOf(await readArrow(long))).toEqual(foldedProvenance(someQueries(500)));
    const bytes = await readFile(path);
    // The last record batch begins after the first one, at a marker of four bytes 255.
    const last = bytes.lastIndexOf(Buffer.from([255, 255, 255, 255]), bytes.length - 16);
    await writeFile(path, bytes.subarray(0, last));
    await expect(readArrow(path)).rejects.toThrow(/cut off: it holds 131072 of 140000 rows|Cannot read/);
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    await expect(readArrow(path)).rejects.toThrow(InputError);
    const whole = join(folder, 'whole.arrow');
    await writeArrow(takeRows(few, Uint32Array.of(1, 2, 3)), whole);
    const file = await readFile(whole);
    for (const length of [7, 12, 100, file.length / 2, file.length - 1]) {
      await writeFile(path, file.subarray(0, length));
      await expect(readArrow(path)).rejects.toThrow(`Cannot read ${path} as Arrow: it is cut off or damaged.`);
    }
  });

  it('keeps nanoseconds, also of times before 1970', async () => {
    const nanos = [-1n, -1000n, -1_000_000_001n, 0n, 1_762_353_000_000_000_001n, 1_762_353_000_120_000_000n];
    const type = new TimestampNanosecond();
    const data = makeData({ type, length: nanos.length, nullCount: 0, data: BigInt64Array.from(nanos) });
    const path = join(folder, 'nanos.arrow');
    await writeFile(path, tableToIPC(new Table({ at: makeVector(data) }), 'stream'));
    const { columns, values } = wholeOf(await readArrow(path));
    expect([columns[0]?.dtype, values[0]?.cells]).toEqual([
      'datetime',
      [
        '1969-12-31T23:59:59.999999999Z',
        '1969-12-31T23:59:59.999999Z',
        '1969-12-31T23:59:58.999999999Z',
        '1970-01-01T00:00:00Z',
        '2025-11-05T14:30:00.000000001Z',
        '2025-11-05T14:30:00.120Z',
      ],
    ]);
  });

  it('takes years beyond 9999 for text, as SQL does', async () => {
    const path = join(folder, 'far.arrow');
    const far = new Date('+057814-09-05T00:00:00Z');
    await writeFile(path, tableToIPC(new Table({ at: vectorFromArray([far, null], new TimestampMillisecond()) })));
    const { columns, values } = wholeOf(await readArrow(path));
    expect([columns[0]?.dtype, values[0]?.cells]).toEqual(['string', ['+057814-09-05T00:00:00Z', null]]);
  });

  it('of others keeps a byte order mark at the beginning of a text', async () => {
    const words = ['\ufeffA', 'A', null, '\ufeff', ''];
    const kind = (texts: readonly (string | null)[]) =>
      vectorFromArray(texts, new Dictionary(new Utf8(), new Int32(), 7));
    const path = join(folder, 'marked.arrow');
    for (const table of [
      new Table({ text: vectorFromArray(words, new Utf8()) }),
      new Table({ text: vectorFromArray(words, new LargeUtf8()) }),
      new Table({ text: vectorFromArray(words, new Utf8View()) }),
      new Table({ text: kind(words) }),
    ]) {
      await writeFile(path, tableToIPC(table, 'stream'));
      expect(wholeOf(await readArrow(path)).values[0]?.cells).toEqual(words);
    }
  });

  it('of others keeps texts of the view layout, as Polars writes them', async () => {
    const words = ['0xa', null, 'say "no"', 'a text that is longer than twelve bytes', '', '12'];
    const path = join(folder, 'views.arrow');
    await writeFile(path, tableToIPC(new Table({ text: vectorFromArray(words, new Utf8View()) }), 'file'));
    const { columns, values } = wholeOf(await readArrow(path));
    expect([columns[0]?.dtype, values[0]?.cells]).toEqual(['string', words]);
  });

  it('of others has sensible dtypes', async () => {
    const table = new Table({
      long: vectorFromArray([1n, 2n ** 40n], new Int64()),
      id: vectorFromArray([2n ** 60n, null], new Int64()),
      small: vectorFromArray([1n, -5n], new Int64()),
      text: vectorFromArray(['a', null], new Utf8()),
      kind: vectorFromArray(['x', 'x'], new Dictionary(new Utf8(), new Int32())),
      open: vectorFromArray([null, false], new Bool()),
      at: vectorFromArray([1762353000000, null], new TimestampNanosecond()),
      clock: vectorFromArray([3_720_000_000n, null], new TimeMicrosecond()),
      list: vectorFromArray([[1, 2], null], new List(new Field('item', new Int32()))),
    });
    const path = join(folder, 'foreign.arrow');
    await writeFile(path, tableToIPC(table, 'stream'));
    const { columns, values } = wholeOf(await readArrow(path));
    expect(columns.map(({ name, dtype }, at) => [name, dtype, values[at]?.cells])).toEqual([
      ['long', 'float64', [1, 2 ** 40]],
      ['id', 'string', [String(2n ** 60n), null]],
      ['small', 'int32', [1, -5]],
      ['text', 'string', ['a', null]],
      ['kind', 'string', ['x', 'x']],
      ['open', 'boolean', [null, false]],
      ['at', 'datetime', ['2025-11-05T14:30:00Z', null]],
      ['clock', 'string', ['3720000000', null]],
      ['list', 'string', ['[1,2]', null]],
    ]);
  });

  it.each(['file', 'stream'] as const)(
    'of others may hold its values once, in a dictionary or a run (%s)',
    async (format) => {
      const columns: [string, DataType, unknown[], string, unknown[]][] = [
        ['float', arrow.float64(), [0.5, 0.5, null, 2], 'float64', [0.5, 0.5, Number.NaN, 2]],
        ['whole', arrow.int32(), [3, 3, null, -1], 'int32', [3, 3, Number.NaN, -1]],
        ['long', arrow.int64(), [2n ** 40n, 5n, null, 5n], 'float64', [2 ** 40, 5, Number.NaN, 5]],
        [
          'amount',
          arrow.decimal128(18, 2),
          [1.25, 1.25, null, 3],
          'float64',
          ['1250000', '1250000', String(MISSING_MICROS), '3000000'],
        ],
        ['flag', arrow.bool(), [true, true, null, false], 'boolean', [true, true, null, false]],
        ['text', arrow.utf8(), ['a', 'a', null, 'b'], 'string', ['a', 'a', null, 'b']],
        [
          'day',
          arrow.dateDay(),
          [0, 0, null, 86_400_000],
          'datetime',
          ['1970-01-01', '1970-01-01', null, '1970-01-02'],
        ],
      ];
      const forms = [
        (type: DataType) => arrow.dictionary(type, arrow.int16()),
        (type: DataType) => arrow.runEndEncoded(arrow.int32(), type),
        (type: DataType) => arrow.runEndEncoded(arrow.int64(), arrow.dictionary(type, arrow.int32())),
      ];
      const path = join(folder, 'once.arrow');
      for (const form of forms) {
        for (const maxBatchRows of [100, 3]) {
          const made = columns.map(([name, type, cells]): [string, ArrowColumn<unknown>] => [
            name,
            arrow.columnFromArray(cells, form(type), { maxBatchRows, useBigInt: true }),
          ]);
          await writeFile(path, arrow.tableToIPC(arrow.tableFromColumns(made), { format }) ?? '');
          const read = wholeOf(await readArrow(path));
          expect(read.columns.map(({ name, dtype }, at) => [name, dtype, read.values[at]?.cells])).toEqual(
            columns.map(([name, , , dtype, cells]) => [name, dtype, cells]),
          );
        }
      }
    },
  );
});

it('decimals and moments within lists, structs and maps of others are those of columns', async () => {
  const price = arrow.decimal128(18, 2);
  const [at, fine] = [arrow.timestamp(arrow.TimeUnit.MICROSECOND, 'UTC'), arrow.timestamp(arrow.TimeUnit.NANOSECOND)];
  const parts: [DataType, unknown, string][] = [
    [arrow.list(price), [1.25, null, -3], '[1.25,null,-3]'],
    [arrow.fixedSizeList(arrow.dateDay(), 1), [86_400_000], '["1970-01-02"]'],
    [
      arrow.struct({ price, at, fine }),
      { price: 0.5, at: 1500, fine: 0 },
      '{"price":0.5,"at":"1970-01-01T00:00:01.500Z","fine":"1970-01-01T00:00:00Z"}',
    ],
    [arrow.map(arrow.utf8(), arrow.list(price)), [['a', [2.5]]], '[["a",[2.5]]]'],
    [arrow.list(arrow.int64()), [2n ** 60n], `["${2n ** 60n}"]`],
  ];
  const path = join(folder, 'parts.arrow');
  for (const [type, value, text] of parts) {
    const column = arrow.columnFromArray([value, null], type);
    await writeFile(path, arrow.tableToIPC(arrow.tableFromColumns({ column }), { format: 'file' }) ?? '');
    expect(wholeOf(await readArrow(path)).values[0]?.cells).toEqual([text, null]);
  }
});

describe('an Arrow stream of others', () => {
  it('may replace a dictionary, for the rows that follow', async () => {
    const path = join(folder, 'replaced.arrow');
    const words = [['a', 'b'], ['x', 'y', null, 'z'], ['x'], ['b', 'a']];
    const tables = words.map((text) => {
      const type = new Dictionary(new Utf8(), new Int32(), 7);
      return new Table({
        n: vectorFromArray(text.map((word) => word?.length ?? 0)),
        text: vectorFromArray(text, type),
      });
    });
    const all = RecordBatchStreamWriter.writeAll(tables.flatMap((table) => table.batches));
    await writeFile(path, await all.toUint8Array());
    const { values } = wholeOf(await readArrow(path));
    expect(values.map(({ cells }) => cells)).toEqual([
      [1, 1, 1, 1, 0, 1, 1, 1, 1],
      ['a', 'b', 'x', 'y', null, 'z', 'x', 'b', 'a'],
    ]);
  });
});

describe('what cannot be written or read as Arrow', () => {
  it('leaves nothing behind', async () => {
    const place = await mkdtemp(join(folder, 'place-'));
    await expect(writeArrow(new DataFrame({ a: [1, 'x'] }), join(place, 'x.arrow'))).rejects.toThrow(ColumnError);
    await expect(writeArrow(longFrame(3), place)).rejects.toThrow(DataError);
    await expect(writeArrow(longFrame(3), join(place, 'no', 'x.arrow'))).rejects.toThrow('its folder does not exist');
    await expect(writeArrow(longFrame(3), join(place, 'x'), { format: 'xml' as 'file' })).rejects.toThrow(
      new UsageError('There is no Arrow format "xml": use file or stream.'),
    );
    expect(await readdir(place)).toEqual([]);
  });

  it('says why a file cannot be read', async () => {
    for (const [name, text] of [
      ['empty.arrow', ''],
      ['text.arrow', 'wallet,pnl\n0x1,5\n'],
    ] as const) {
      await writeFile(join(folder, name), text);
      const path = join(folder, name);
      const read = readArrow(path);
      await expect(read).rejects.toThrow(
        new InputError(
          `Cannot read ${path} as Arrow: it is no Arrow file: read a Parquet file by readParquet(), CSV by readCsv().`,
        ),
      );
      await expect(read).rejects.toHaveProperty('cause');
    }
    await expect(readArrow(join(folder, 'none.arrow'))).rejects.toThrow(
      new InputError(`Cannot read ${join(folder, 'none.arrow')} as Arrow: there is no such file.`),
    );
    await expect(readArrow(folder)).rejects.toThrow('it is a folder; name a file');
  });

  it('that is compressed and damaged is told to be so', async () => {
    // The file only says that it is compressed: behind a Zstandard frame's magic number there is no frame.
    compressionRegistry.set(CompressionType.ZSTD, { encode: () => Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2]) });
    const table = new Table({ pnl: vectorFromArray(Array<number>(100).fill(1), new Int32()) });
    const writer = RecordBatchFileWriter.writeAll(table, { compressionType: CompressionType.ZSTD });
    const path = join(folder, 'compressed.arrow');
    await writeFile(path, await writer.toUint8Array());
    await expect(readArrow(path)).rejects.toThrow(
      new InputError(`Cannot read ${path} as Arrow: it is cut off or damaged.`),
    );
  });

  it('keeps a frame without a column', async () => {
    await writeArrow(frameFromVectors([], []), join(folder, 'none'));
    expect(wholeOf(await readArrow(join(folder, 'none')))).toEqual({ columns: [], rows: 0, values: [] });
  });
});
