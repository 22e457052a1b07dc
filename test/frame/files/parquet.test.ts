import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ColumnError, DataError, InputError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns, frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { foldedProvenance } from '../../../src/frame/files/frame-facts.js';
import { readParquet, writeParquet } from '../../../src/frame/files/parquet.js';
import { readArrow } from '../../../src/frame/files/read-arrow.js';
import { writeArrow } from '../../../src/frame/files/write-arrow.js';
import { query } from '../../../src/frame/sql/sql-query.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
import { filterRows } from '../../../src/frame/verbs/filter-rows.js';
import fc from '../../support/fast-check.js';
import { writeWideDecimals } from '../../support/write-wide-decimals.js';
import { anyFrame, longFrame, wholeOf } from '../sql/sql-frames.js';
import { someQueries } from './some-queries.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a database that knows nothing of us says. */
async function duckdbRows(sql: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(sql);
  const rows = reader.getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

const small = frameFromColumns(
  [
    { name: 'date', dtype: 'datetime', nullable: false, meaning: 'When.' },
    { name: 'day', dtype: 'datetime', nullable: true, meaning: '' },
    { name: 'wallet', dtype: 'string', nullable: true, meaning: 'Who.' },
    { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Profit.' },
    { name: 'wins', dtype: 'int32', nullable: false, meaning: '' },
    { name: 'open', dtype: 'boolean', nullable: true, meaning: '' },
  ],
  [
    ['2025-11-05T14:30:00Z', '2025-11-06T00:00:00Z'],
    ['2025-11-05', null],
    ['', null],
    [12.5, Number.NaN],
    [3, 4],
    [true, null],
  ],
);

it('has U+FFFD for half of a character, as the other forms and SQL have', async () => {
  const halves = new DataFrame({ text: ['a\ud83d', '\udca9b', '🚀'] });
  const told = wholeOf(new DataFrame({ text: ['a\ufffd', '\ufffdb', '🚀'] }));
  const path = join(folder, 'halves');
  await writeParquet(halves, path);
  expect(wholeOf(await readParquet(path))).toEqual(told);
  await writeArrow(halves, path);
  expect(wholeOf(await readArrow(path))).toEqual(told);
  expect(wholeOf(await query('FROM halves', { halves }))).toEqual(told);
});

/** A column of words that recur, so that the database takes them as numbers of words, and rows without one. */
function recurring(words: readonly string[], rows = 40 * words.length) {
  const codes = Int32Array.from({ length: rows }, (_, row) => ((row * 7) % (words.length + 1)) - 1);
  const column = { name: 'word', dtype: 'string' as const, nullable: true, meaning: '' };
  return frameFromVectors([column], [{ kind: 'text', codes, words, distinct: true }]);
}

const numbered = (many: number) => Array.from({ length: many }, (_, at) => `word ${at}`);

describe('text of few words', () => {
  it.each([
    ['one', ['a']],
    ['words that readers may trim', ['', ' ', '\ufeffA', 'A', '\ufeff', 'null', 'NaN', '🚀', 'é', 'e\u0301']],
    ['words with U+0000', ['a\0b', 'a\0c', '\0', '']],
    ['254', numbered(254)],
    ['255', numbered(255)],
    ['256', numbered(256)],
    ['257', numbered(257)],
    ['16,000, more than are taken so', numbered(16_000)],
  ])('comes back: %s', async (_, words) => {
    const path = join(folder, 'words.parquet');
    const frame = recurring(words, Math.max(40 * words.length, 5000));
    await writeParquet(frame, path);
    expect(wholeOf(await readParquet(path)).values).toEqual(wholeOf(frame).values);
    expect(await duckdbRows(`SELECT type, converted_type FROM parquet_schema('${path}') WHERE name = 'word'`)).toEqual([
      { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    ]);
  });

  it('has U+FFFD for halves of characters, also where words become equal by it', async () => {
    const path = join(folder, 'half-words.parquet');
    await writeParquet(recurring(['a\ud83d', 'a\ud83e', 'b']), path);
    const expected = wholeOf(recurring(['a\ufffd', 'a\ufffd', 'b'])).values;
    expect(wholeOf(await readParquet(path)).values).toEqual(expected);
  });

  it('keeps no word in the file that no row has', async () => {
    const path = join(folder, 'used.parquet');
    const frame = filterRows(recurring(['kept', 'secret'], 1000), ({ word }) => word === 'kept');
    await writeParquet(frame, path, { compression: 'snappy' });
    expect((await readFile(path)).includes('kept')).toBe(true);
    expect((await readFile(path)).includes('secret')).toBe(false);
  });
});

/** Columns of times, mixed with days and to the nanosecond, as they are written, and how they come back. */
const TIMES = [
  ['mixed', ['2025-11-05', '2025-11-05T12:00:00Z', null], ['2025-11-05T00:00:00Z', '2025-11-05T12:00:00Z', null]],
  ['nanos', ['2025-11-05T00:00:00.123456789Z', '2025-11-05T00:00:00Z', null], undefined],
  ['wide', ['2025-11-05T00:00:00.123456789Z', '2300-01-01', null], undefined],
  ['empty', [null, null, null], undefined],
] as const;

describe('a Parquet file', () => {
  it('of mixed times holds timestamps, and gives equal moments back', async () => {
    const columns = TIMES.map(([name]) => ({ name, dtype: 'datetime' as const, nullable: true, meaning: 'When.' }));
    const frame = frameFromColumns(
      columns,
      TIMES.map(([, cells]) => cells),
    );
    const [parquet, arrow] = [join(folder, 'times.parquet'), join(folder, 'times.arrow')];
    await writeParquet(frame, parquet);
    await writeArrow(frame, arrow);
    const expected = TIMES.map(([, cells, back]) => back ?? cells);
    for (const back of [wholeOf(await readParquet(parquet)), wholeOf(await readArrow(arrow))]) {
      expect(back.columns).toEqual(columns);
      expect(back.values.map(({ cells }) => cells)).toEqual(expected);
    }
    expect(await duckdbRows(`SELECT column_type FROM (DESCRIBE FROM '${parquet}')`)).toEqual(
      ['TIMESTAMP WITH TIME ZONE', 'TIMESTAMP_NS', 'VARCHAR', 'TIMESTAMP WITH TIME ZONE'].map((column_type) => ({
        column_type,
      })),
    );
  });

  it('reads back to what was written', async () => {
    const path = join(folder, 'any.parquet');
    await fc.assert(
      fc.asyncProperty(anyFrame, fc.constantFrom('zstd' as const, 'snappy' as const), async (frame, compression) => {
        await writeParquet(frame, path, { compression });
        expect(wholeOf(await readParquet(path))).toEqual(wholeOf(frame));
      }),
      { numRuns: 25 },
    );
  });

  it('reads back in the order of its rows, however many they are, and tells how far it is', async () => {
    const frame = longFrame(130_001);
    const told: number[] = [];
    const path = join(folder, 'long.parquet');
    const written = await writeParquet(frame, path, { onProgress: ({ rows, total }) => told.push(rows, total ?? 0) });
    expect(written).toEqual({ path, rows: 130_001, bytes: (await readFile(path)).length });
    expect(told).toEqual([102_400, 130_001, 130_001, 130_001]);
    const back = wholeOf(await readParquet(path));
    const sent = wholeOf(frame);
    expect(back.columns).toEqual(sent.columns);
    for (const [at, { kind, cells }] of sent.values.entries()) {
      expect(back.values[at]?.kind).toBe(kind);
      expect(back.values[at]?.cells.findIndex((cell, row) => !Object.is(cell, cells[row]))).toBe(-1);
    }
  });

  it('fails by what its callback throws, at the first call and at a later one, and leaves nothing behind', async () => {
    for (const later of [false, true]) {
      const mine = new RangeError('mine');
      const path = join(folder, 'stopped.parquet');
      const onProgress = ({ rows }: { rows: number }) => {
        if (!later || rows === 130_001) throw mine;
      };
      expect(await writeParquet(longFrame(130_001), path, { onProgress }).catch((error) => error)).toBe(mine);
      expect((await readdir(folder)).filter((name) => name.includes('stopped'))).toEqual([]);
    }
    const nothing = () => {
      throw undefined;
    };
    const write = writeParquet(longFrame(3), join(folder, 'stopped.parquet'), { onProgress: nothing });
    expect(await write.then(String, (error) => ({ error }))).toEqual({ error: undefined });
  });

  it('refuses a column with U+0000 in its name', async () => {
    const frame = new DataFrame({ ok: [1], 'a\0b': [1] });
    await expect(writeParquet(frame, join(folder, 'nul.parquet'))).rejects.toThrow(
      new UsageError(
        'The frame has a column "a\\u0000b", with the character U+0000 in its name, which Parquet cannot say: rename it.',
      ),
    );
    expect(await readdir(folder)).not.toContain('nul.parquet');
  });

  it('keeps where the rows came from', async () => {
    const frame = longFrame(3);
    const query = { service: 'http://x', dataset: 569, params: { wallet: "o'x" }, queriedAt: '2026-01-01', records: 3 };
    setProvenance(frame, [query]);
    await writeParquet(frame, join(folder, 'from.parquet'));
    expect(provenanceOf(await readParquet(join(folder, 'from.parquet')))).toEqual([query]);
  });

  it('stays small however many queries its rows came from', async () => {
    const frame = longFrame(3);
    const { path: plain } = await writeParquet(frame, join(folder, 'plain-rows.parquet'));
    setProvenance(frame, someQueries(500));
    const path = join(folder, 'many.parquet');
    await writeParquet(frame, path);
    expect((await readFile(path)).length).toBeLessThan((await readFile(plain)).length + 12_000);
    expect(provenanceOf(await readParquet(path))).toEqual(foldedProvenance(someQueries(500)));
  });

  it('gets no column from the name of its folder', async () => {
    await mkdir(join(folder, 'wallet=0x1'));
    const path = join(folder, 'wallet=0x1', 'small.parquet');
    await writeParquet(small, path);
    expect(wholeOf(await readParquet(path))).toEqual(wholeOf(small));
  });

  it('is what a database of its own reads', async () => {
    const path = join(folder, "o'brien *[1]?.parquet");
    await writeParquet(small, path);
    const link = join(folder, 'plain.parquet');
    await writeFile(link, await readFile(path));
    expect(await duckdbRows(`SELECT column_name, column_type FROM (DESCRIBE FROM '${link}')`)).toEqual([
      { column_name: 'date', column_type: 'TIMESTAMP WITH TIME ZONE' },
      { column_name: 'day', column_type: 'DATE' },
      { column_name: 'wallet', column_type: 'VARCHAR' },
      { column_name: 'pnl', column_type: 'DOUBLE' },
      { column_name: 'wins', column_type: 'INTEGER' },
      { column_name: 'open', column_type: 'BOOLEAN' },
    ]);
    expect(await duckdbRows(`SELECT epoch_ms(date) AS date, day, wallet, pnl, wins, open FROM '${link}'`)).toEqual([
      { date: '1762353000000', day: '2025-11-05', wallet: '', pnl: 12.5, wins: 3, open: true },
      { date: '1762387200000', day: null, wallet: null, pnl: null, wins: 4, open: null },
    ]);
    expect(wholeOf(await readParquet(path))).toEqual(wholeOf(small));
  });

  it('is what polars reads', async (context) => {
    const peers = new URL('../../../bench/peers/package.json', import.meta.url);
    if (!existsSync(new URL('node_modules/nodejs-polars', peers)))
      return context.skip('nodejs-polars is not installed');
    const { default: polars } = createRequire(peers)('nodejs-polars') as {
      default: { readParquet(path: string): { toRecords(): unknown[] } };
    };
    const path = join(folder, 'polars.parquet');
    await writeParquet(small, path, { compression: 'snappy' });
    expect(JSON.parse(JSON.stringify(polars.readParquet(path).toRecords()))).toMatchObject([
      { date: '2025-11-05T14:30:00.000Z', wallet: '', pnl: 12.5, wins: 3, open: true },
      { date: '2025-11-06T00:00:00.000Z', wallet: null, pnl: null, wins: 4, open: null },
    ]);
  });

  it('is what pandas reads', async (context) => {
    const engine = spawnSync('python3', ['-c', 'import pandas, pyarrow']);
    if (engine.status !== 0) return context.skip('pandas reads Parquet by pyarrow, which is not installed');
    const path = join(folder, 'pandas.parquet');
    await writeParquet(small, path);
    const script =
      'import pandas, sys; print(pandas.read_parquet(sys.argv[1]).to_json(orient="records", date_format="iso"))';
    const { stdout } = spawnSync('python3', ['-c', script, path], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject([
      { wallet: '', pnl: 12.5, wins: 3, open: true },
      { pnl: null, wins: 4 },
    ]);
  });

  it('of others has sensible dtypes', async () => {
    const path = join(folder, 'foreign.parquet');
    await duckdbRows(`COPY (SELECT 7::TINYINT AS tiny, 2147483648 AS long, 9007199254740993 AS id, 1.5::FLOAT AS f,
      12.34::DECIMAL(9, 2) AS money, 0.12345678::DECIMAL(12, 8) AS fine, [1, 2] AS list, {'a': 'b'} AS pair,
      TIMESTAMP '2025-01-02 03:04:05.678' AS at, DATE '2025-01-02' AS day, NULL::VARCHAR AS nothing,
      '\\x00ff'::BLOB AS bytes, TIME '03:04:05' AS clock) TO '${path}' (FORMAT parquet)`);
    const frame = await readParquet(path);
    const { columns, values } = wholeOf(frame);
    expect(columns.map(({ name, dtype }, at) => [name, dtype, values[at]?.kind, values[at]?.cells[0]])).toEqual([
      ['tiny', 'int32', 'number', 7],
      ['long', 'float64', 'number', 2147483648],
      ['id', 'string', 'text', '9007199254740993'],
      ['f', 'float64', 'number', 1.5],
      ['money', 'float64', 'micros', '12340000'],
      ['fine', 'float64', 'number', 0.12345678],
      ['list', 'string', 'text', '[1,2]'],
      ['pair', 'string', 'text', '{"a":"b"}'],
      ['at', 'datetime', 'text', '2025-01-02T03:04:05.678Z'],
      ['day', 'datetime', 'text', '2025-01-02'],
      ['nothing', 'string', 'text', null],
      ['bytes', 'string', 'text', '\\x00ff'],
      ['clock', 'string', 'text', '03:04:05'],
    ]);
  });
});

describe('what cannot be written or read', () => {
  it('leaves the older file, and nothing beside it', async () => {
    const place = join(folder, 'place');
    await mkdir(place);
    await writeFile(join(place, 'old.parquet'), 'old');
    const mixed = new DataFrame({ a: [1, 'x'] });
    await expect(writeParquet(mixed, join(place, 'old.parquet'))).rejects.toThrow(ColumnError);
    await expect(writeParquet(longFrame(3), place)).rejects.toThrow(
      new DataError(`Cannot write ${place}: it is a folder; name a file.`),
    );
    await expect(writeParquet(longFrame(3), join(place, 'no', 'x.parquet'))).rejects.toThrow(
      new DataError(`Cannot write ${join(place, 'no', 'x.parquet')}: its folder does not exist; make it first.`),
    );
    expect(await readdir(place)).toEqual(['old.parquet']);
    expect(await readFile(join(place, 'old.parquet'), 'utf8')).toBe('old');
  });

  it.skipIf(process.getuid?.() === 0)('is refused in a folder that is read-only', async () => {
    const place = join(folder, 'locked');
    await mkdir(place);
    await chmod(place, 0o555);
    await expect(writeParquet(longFrame(3), join(place, 'x.parquet'))).rejects.toThrow(/this user may not write there/);
  });

  it('says what is wrong with the frame or the options', async () => {
    const path = join(folder, 'x.parquet');
    await expect(writeParquet(new DataFrame({ Pnl: [1], pnl: [2] }), path)).rejects.toThrow(
      new ColumnError(
        'The frame has the columns "Pnl" and "pnl", which readers of Parquet do not tell apart: rename one.',
      ),
    );
    await expect(writeParquet(new DataFrame({ '': [1] }), path)).rejects.toThrow(
      new ColumnError('The frame has a column without a name, which Parquet cannot say: name it.'),
    );
    await expect(writeParquet(new DataFrame([]), path)).rejects.toThrow('The frame has no column: Parquet needs one');
    await expect(writeParquet(longFrame(1), path, { compression: 'lz5' as 'zstd' })).rejects.toThrow(
      new UsageError('There is no Parquet compression "lz5" here: use zstd or snappy.'),
    );
  });

  it('refuses decimals of more digits than can be read', async () => {
    const path = await writeWideDecimals(join(folder, 'wide.parquet'), { wallet: 'a', paid: 12.5 });
    await expect(readParquet(path)).rejects.toThrow(
      `Cannot read ${path} as Parquet: "paid" has decimals of more than 38 digits, which cannot be read; write it as ` +
        'DECIMAL(38, …) or as text.',
    );
  });

  it('says why a file cannot be read', async () => {
    const path = join(folder, 'text.parquet');
    await writeFile(path, 'wallet,pnl\n0x1,5\n');
    const read = readParquet(path);
    await expect(read).rejects.toThrow(
      new InputError(
        `Cannot read ${path} as Parquet: it is no Parquet file: read an Arrow file by readArrow(), CSV by readCsv().`,
      ),
    );
    await expect(read).rejects.toHaveProperty('cause.cause.message', expect.stringContaining('No magic bytes'));
    await expect(readParquet(join(folder, 'none.parquet'))).rejects.toThrow(
      new InputError(`Cannot read ${join(folder, 'none.parquet')} as Parquet: there is no such file.`),
    );
    await expect(readParquet(folder)).rejects.toThrow('it is a folder; name a file');
  });
});
