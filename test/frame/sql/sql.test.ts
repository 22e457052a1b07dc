import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ColumnError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns, frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { writeParquet } from '../../../src/frame/files/parquet.js';
import { withEngine } from '../../../src/frame/sql/engine.js';
import { query } from '../../../src/frame/sql/sql-query.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
import fc from '../../support/fast-check.js';
import { processorMs } from '../../support/processor-time.js';
import { anyFrame, longFrame, wholeOf } from './sql-frames.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-sql-test-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

const pnl = frameFromColumns(
  [
    { name: 'date', dtype: 'datetime', nullable: false, meaning: 'First moment of the bucket.' },
    { name: 'wallet', dtype: 'string', nullable: true, meaning: 'Who.' },
    { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Profit.' },
    { name: 'wins', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'Wins.' },
  ],
  [
    ['2025-01-31T00:00:00Z', '2025-02-01T00:00:00Z', '2025-02-02T12:30:00Z'],
    ['0xa', '0xb', null],
    [12.5, -3, Number.NaN],
    [2, 0, 1],
  ],
);

describe('query', () => {
  it('groups, and keeps units, meanings and provenance', async () => {
    const source = { service: 'http://x', dataset: 569, params: {}, queriedAt: '2026-01-01', records: 3 };
    setProvenance(pnl, [source]);
    const frame = await query(
      `SELECT date_trunc('month', date) AS date, sum(pnl) AS pnl, sum(wins) AS wins, avg(wins) AS mean, count(*) AS n
       FROM pnl GROUP BY 1 ORDER BY 1 DESC`,
      { pnl },
    );
    expect(recordsOf(frame)).toEqual([
      { date: '2025-02-01T00:00:00Z', pnl: -3, wins: 1, mean: 0.5, n: 2 },
      { date: '2025-01-01T00:00:00Z', pnl: 12.5, wins: 2, mean: 2, n: 1 },
    ]);
    const wins = { unit: 'closing events', nullable: false };
    expect(columnsOf(frame)).toEqual([
      { name: 'date', dtype: 'datetime', nullable: false, meaning: '' },
      { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Sum of pnl.' },
      { name: 'wins', dtype: 'int32', ...wins, meaning: 'Sum of wins.' },
      { name: 'mean', dtype: 'float64', ...wins, meaning: 'Mean of wins.' },
      { name: 'n', dtype: 'int32', nullable: false, meaning: '' },
    ]);
    expect(provenanceOf(frame)).toEqual([source]);
  });

  it('says nothing of a column that became another thing', async () => {
    const frame = await query('SELECT avg(wins) / 2 AS wins, count(*) AS pnl FROM pnl', { pnl });
    expect(columnsOf(frame)).toEqual([
      { name: 'wins', dtype: 'float64', nullable: false, meaning: '' },
      { name: 'pnl', dtype: 'int32', nullable: false, meaning: '' },
    ]);
  });

  it('gives back any frame as it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyFrame, async (frame) => {
        const back = wholeOf(await query('FROM t', { t: frame }));
        const sent = wholeOf(frame);
        expect([back.rows, back.values.map(({ cells }) => cells)]).toEqual([
          sent.rows,
          sent.values.map(({ cells }) => cells),
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('gives back many rows in their order', async () => {
    const frame = longFrame(40_000);
    const back = wholeOf(await query('SELECT * FROM t', { t: frame }));
    const sent = wholeOf(frame);
    expect(back.columns).toEqual(sent.columns);
    for (const [at, { kind, cells }] of sent.values.entries()) {
      expect(back.values[at]?.kind).toBe(kind);
      expect(back.values[at]?.cells.findIndex((cell, row) => !Object.is(cell, cells[row]))).toBe(-1);
    }
  });

  it('joins several frames, and a frame with itself', async () => {
    const names = frameFromColumns(
      [
        { name: 'wallet', dtype: 'string', nullable: false, meaning: 'Who.' },
        { name: 'name', dtype: 'string', nullable: false, meaning: 'A name.' },
      ],
      [
        ['0xa', '0xb'],
        ['Ann', 'Bob'],
      ],
    );
    const joined = await query('SELECT name, pnl FROM pnl JOIN names USING (wallet) ORDER BY name', { pnl, names });
    expect(recordsOf(joined)).toEqual([
      { name: 'Ann', pnl: 12.5 },
      { name: 'Bob', pnl: -3 },
    ]);
    const twice = await query('SELECT a.wins, b.wins FROM pnl a JOIN pnl b USING (date) ORDER BY date', { pnl });
    expect(recordsOf(twice)).toEqual([
      { wins: 2, wins_1: 2 },
      { wins: 0, wins_1: 0 },
      { wins: 1, wins_1: 1 },
    ]);
  });

  it('binds parameters', async () => {
    const more = 'SELECT wallet FROM pnl WHERE pnl > $1 AND date < $2';
    expect(recordsOf(await query(more, { pnl }, [0, new Date('2025-02-01')]))).toEqual([{ wallet: '0xa' }]);
    const list = 'SELECT wins FROM pnl WHERE list_contains($wallets, wallet) ORDER BY wins';
    expect(recordsOf(await query(list, { pnl }, { wallets: ['0xb', "'; DROP TABLE pnl"] }))).toEqual([{ wins: 0 }]);
    expect(recordsOf(await query('SELECT $1 AS a, $2 AS b, $3::VARCHAR AS c', {}, [2n ** 60n, true, null]))).toEqual([
      { a: String(2n ** 60n), b: true, c: null },
    ]);
    await expect(query(more, { pnl }, [0])).rejects.toThrow(/Values were not provided.*: 2/);
  });

  it('refuses decimals that are too large for exact amounts, unless they are cast', async () => {
    await expect(query('SELECT 9223372036855::DECIMAL(38, 2) AS total')).rejects.toThrow(
      new UsageError(
        'The column "total" has decimals beyond ±9.2 trillion, the most that an exact column holds: choose it in SQL ' +
          'as "total"::DOUBLE, which rounds, or as "total"::VARCHAR.',
      ),
    );
    const cast = await query('SELECT t::DOUBLE AS d, t::VARCHAR AS s FROM (SELECT 9223372036855::DECIMAL(38, 2) AS t)');
    expect(recordsOf(cast)).toEqual([{ d: 9223372036855, s: '9223372036855.00' }]);
  });

  it('says infinite times and times before the year 1 as text', async () => {
    for (const type of ['TIMESTAMP', 'TIMESTAMPTZ', 'TIMESTAMP_NS', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'DATE']) {
      const frame = await query(`SELECT 'infinity'::${type} AS a, '-infinity'::${type} AS b, NULL::${type} AS c`);
      expect(recordsOf(frame)).toEqual([{ a: 'infinity', b: '-infinity', c: null }]);
      expect(columnsOf(frame)[0]?.dtype).toBe('string');
    }
    const ancient = await query("SELECT '0044-03-15 (BC)'::DATE AS d, '0044-03-15 (BC) 10:00:00'::TIMESTAMP AS t");
    expect(recordsOf(ancient)).toEqual([{ d: '0044-03-15 (BC)', t: '-000043-03-15T10:00:00Z' }]);
    expect(columnsOf(ancient).map(({ dtype }) => dtype)).toEqual(['string', 'string']);
  });

  it('says times of years beyond 9999 as text that is no datetime, whose order would be wrong', async () => {
    const frame = await query('SELECT unnest([to_timestamp(1762300800000), to_timestamp(1762300800)]) AS at');
    expect(recordsOf(frame)).toEqual([{ at: '+057815-02-03T00:00:00Z' }, { at: '2025-11-05T00:00:00Z' }]);
    expect(columnsOf(frame)[0]?.dtype).toBe('string');
  });

  it('adds exact amounts to the last digit', async () => {
    const amounts = BigInt64Array.from({ length: 1000 }, (_, row) => BigInt(row) * 1_000_000_000_001n);
    const frame = frameFromVectors(
      [{ name: 'paid', dtype: 'float64', unit: 'USD', nullable: false, decimal: true, meaning: 'Exact dollars.' }],
      [{ kind: 'micros', values: amounts }],
    );
    const sum = await query('SELECT sum(paid) AS paid FROM t', { t: frame });
    expect(wholeOf(sum)).toEqual({
      columns: columnsOf(frame).map((column) => ({ ...column, meaning: 'Sum of paid.' })),
      rows: 1,
      values: [{ kind: 'micros', cells: [String(499_500n * 1_000_000_000_001n)] }],
    });
  });

  it('never rounds a whole number', async () => {
    const frame = await query(`SELECT * FROM (VALUES (1::BIGINT, 2147483648, 9007199254740991, 9007199254740992,
      170141183460469231731687303715884105727, 1.000001, 0.1234567)) AS t(a, b, c, d, e, f, g)`);
    const { columns, values } = wholeOf(frame);
    expect(columns.map(({ dtype }, at) => [dtype, values[at]?.kind, values[at]?.cells[0]])).toEqual([
      ['int32', 'number', 1],
      ['float64', 'number', 2147483648],
      ['float64', 'number', 9007199254740991],
      ['string', 'text', '9007199254740992'],
      ['string', 'text', '170141183460469231731687303715884105727'],
      ['float64', 'micros', '1000001'],
      ['float64', 'number', 0.1234567],
    ]);
  });

  it('says moments in ISO 8601, and what has no column of its own as JSON or text', async () => {
    const frame = await query(`SELECT DATE '2025-01-02' AS day, TIMESTAMP '2025-01-02 03:04:05' AS at,
      TIMESTAMPTZ '2025-01-02 03:04:05.5+02' AS zone, TIMESTAMP_NS '2025-01-02 03:04:05.123456789' AS ns,
      [1, NULL] AS list, {'a': [true]} AS pair, MAP {'k': 1} AS map, INTERVAL 3 DAY AS span, NULL::INTEGER[] AS none`);
    expect(recordsOf(frame)).toEqual([
      {
        day: '2025-01-02',
        at: '2025-01-02T03:04:05Z',
        zone: '2025-01-02T01:04:05.500Z',
        ns: '2025-01-02T03:04:05.123456789Z',
        list: '[1,null]',
        pair: '{"a":[true]}',
        map: '{"k":1}',
        span: '3 days',
        none: null,
      },
    ]);
    expect(columnsOf(frame).map(({ dtype }) => dtype)).toEqual([
      ...['datetime', 'datetime', 'datetime', 'datetime'],
      ...['string', 'string', 'string', 'string', 'string'],
    ]);
  });

  it('keeps the columns of an answer without rows', async () => {
    const frame = await query('SELECT *, pnl > 0 AS won FROM pnl WHERE false', { pnl });
    expect(frame.shape).toEqual([0, 5]);
    expect(columnsOf(frame).map(({ name, dtype }) => [name, dtype])).toEqual([
      ['date', 'datetime'],
      ['wallet', 'string'],
      ['pnl', 'float64'],
      ['wins', 'int32'],
      ['won', 'boolean'],
    ]);
  });

  it('reads what DESCRIBE, SUMMARIZE, PIVOT and WITH answer', async () => {
    expect((await query('DESCRIBE pnl;', { pnl })).shape[0]).toBe(4);
    expect((await query('SUMMARIZE pnl', { pnl })).shape[0]).toBe(4);
    expect(recordsOf(await query('PIVOT pnl ON wins USING count(*) GROUP BY wallet ORDER BY wallet', { pnl }))).toEqual(
      [
        { wallet: '0xa', 0: 0, 1: 0, 2: 1 },
        { wallet: '0xb', 0: 1, 1: 0, 2: 0 },
        { wallet: null, 0: 0, 1: 1, 2: 0 },
      ],
    );
    const counts = await query('/* by wins */ (PIVOT pnl ON wins USING count(*))', { pnl });
    expect((await query('DESCRIBE PIVOT pnl ON wins USING count(*)', { pnl })).shape[0]).toBe(counts.shape[1]);
    expect(recordsOf(await query('-- a note\nWITH a AS (SELECT 1 AS x) FROM a; -- done'))).toEqual([{ x: 1 }]);
    expect(recordsOf(await query(`/*${'x'.repeat(20e6)}*/ SELECT 1 AS x`))).toEqual([{ x: 1 }]);
  });

  it('reads local files', async () => {
    const path = join(folder, 'pnl.parquet');
    await writeParquet(pnl, path);
    expect(recordsOf(await query(`SELECT sum(wins) AS wins FROM '${path}'`))).toEqual([{ wins: 3 }]);
  });

  it.each(['parquet', 'csv', 'json'])(
    "reads a file's own columns of %s, whatever its folder is called",
    async (form) => {
      const path = join(folder, 'price=0.9', `fills.${form}`);
      await mkdir(join(folder, 'price=0.9'), { recursive: true });
      const written = await DuckDBInstance.create(':memory:').then((instance) => instance.connect());
      await written.run(`COPY (SELECT 0.5::DOUBLE AS price, 10 AS size) TO '${path}'`);
      written.closeSync();
      expect(recordsOf(await query(`SELECT fills.* FROM '${path}'`))).toEqual([{ price: 0.5, size: 10 }]);
      const asked = await query(`SELECT price FROM read_${form}('${path}', hive_partitioning = true)`);
      expect(recordsOf(asked)).toEqual([{ price: '0.9' }]);
    },
  );

  it.each(['filename', 'file_row_number', 'file_index'])('says what reads %s of a file', async (name) => {
    const path = join(folder, 'plain.parquet');
    await writeParquet(pnl, path);
    const said = `A file named as a table has its own columns alone: FROM read_parquet('…') has ${name}, too.`;
    await expect(query(`SELECT ${name} FROM '${path}'`)).rejects.toThrow(`not in what it reads. ${said}`);
    await expect(query(`SELECT f.${name} FROM '${path}' f`)).rejects.toThrow(`"f" does not have. ${said}`);
    expect((await query(`SELECT ${name} FROM read_parquet('${path}')`)).columns).toEqual([name]);
  });

  it('runs beside others', async () => {
    const frames = [1, 2, 3, 4].map((n) => new DataFrame({ n: Array.from({ length: 5000 }, () => n) }));
    const sums = await Promise.all(frames.map((t) => query('SELECT sum(n) AS sum FROM t', { t })));
    expect(sums.flatMap(recordsOf)).toEqual([{ sum: 5000 }, { sum: 10_000 }, { sum: 15_000 }, { sum: 20_000 }]);
  });
});

describe('a query that cannot be answered', () => {
  it('says how frames are given where none was', async () => {
    await expect(query('SELECT * FROM trades')).rejects.toThrow(
      'no frame was given. Give it: query(sql, { trades }); or begin a cell with %%sql',
    );
    const frame = new DataFrame({ price: [1] });
    await expect(query('SELECT * FROM trades', frame as never)).rejects.toThrow('query(sql, { trades })');
  });

  const refused: readonly [sql: string, message: string | RegExp][] = [
    [
      'SELECT * FROM pnls',
      'The query names a table "pnls" that does not exist: the tables are pnl. Did you mean "pnl"?\n\n' +
        'line 1: SELECT * FROM pnls\n                      ^',
    ],
    [
      'SELECT\n  walet\nFROM pnl',
      'The query names a column "walet" that is not in what it reads. Did you mean "wallet"? ' +
        '"pnl" has date, wallet, pnl, wins.\n\nline 2:   walet\n          ^',
    ],
    [
      'SELECT p.walet FROM pnl p',
      'The query names a column "walet" that "p" does not have. Did you mean "wallet"? ' +
        '"pnl" has date, wallet, pnl, wins.\n\nline 1: SELECT p.walet FROM pnl p\n               ^',
    ],
    [
      'SELECT pnl.pln FROM pnl',
      /"pln" that "pnl" does not have\. Did you mean "pnl"\? "pnl" has date, wallet, pnl, wins\./,
    ],
    ['SELECT w.wins FROM (SELECT wallet FROM pnl) w', /"wins" that "w" does not have\. "pnl" has/],
    [
      'SELECT profits.wins FROM pnl profit',
      'The query names a table "profits" that it does not read from. Did you mean "profit"?\n\n' +
        'line 1: SELECT profits.wins FROM pnl profit\n               ^',
    ],
    ['SELECT other.wins FROM pnl', /a table "other" that it does not read from\. It reads "pnl", for one\.\n/],
    ['SELEC 1', 'The query failed: Parser Error: syntax error at or near "SELEC"\n\nline 1: SELEC 1\n        ^'],
    ["SELECT wins FROM pnl WHERE date > 'x'", /\n\nline 1: SELECT wins FROM pnl WHERE date > 'x'\n {42}\^$/],
    ['PIVOT pnl ON walet USING sum(pnl)', /Did you mean "wallet"\? "pnl" has date, wallet, pnl, wins\.$/],
    ['SELECT wallet + 1 FROM pnl', /\n\t… and \d+ others\n\nline 1: SELECT wallet \+ 1 FROM pnl\n/],
    [
      "SELECT wallet::INTEGER FROM pnl WHERE pnl > 0 AND wallet = '0xa' AND 'x'::INTEGER = 1",
      /Could not convert string/,
    ],
    ['', 'query() needs a statement, but the text is empty.'],
    ['; /* a /* b */ c */', 'query() needs a statement, but the text is empty.'],
    [' -- nothing\n/* at all */', 'query() needs a statement, but the text is empty.'],
    ['SELECT 1; SELECT 2', 'query() answers one statement: call it once for each, or join them by WITH … SELECT.'],
    ...["COPY (PIVOT pnl ON wins USING count(*)) TO 'x.csv'", 'CREATE TABLE z AS PIVOT pnl ON wins USING count(*)'].map(
      (sql): [string, string] => [sql, 'query() answers statements that read, such as SELECT, not other statements.'],
    ),
    ['DROP VIEW pnl', 'query() answers statements that read, such as SELECT, not DROP statements.'],
    ['SET threads = 1', 'query() answers statements that read, such as SELECT, not SET statements.'],
    [
      "FROM read_csv_auto('x.csv', header = true)",
      /read_csv_auto\(\) takes a path alone; read_parquet\(\), read_csv\(\) and read_json\(\) take options\.\n\nline 1: FROM read/,
    ],
    ["COPY pnl TO 'x.csv'", 'query() answers statements that read, such as SELECT, not COPY statements.'],
    ["ATTACH 'x.db'", 'query() answers statements that read, such as SELECT, not ATTACH statements.'],
    [
      "SELECT * FROM 'https://localhost/x.parquet'",
      'The query failed: it needs an extension of DuckDB, such as the one for the network; only local files can be read.',
    ],
  ];
  for (const [sql, message] of refused) {
    it(`is refused: ${sql || 'nothing'}`, async () => {
      const error = await query(sql, { pnl }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UsageError);
      if (typeof message === 'string') expect((error as UsageError).message).toBe(message);
      else expect((error as UsageError).message).toMatch(message);
      expect((error as UsageError).cause, 'is read once').toBeUndefined();
      expect(existsSync('x.csv') || existsSync('x.db')).toBe(false);
    });
  }

  it('is refused at once behind a ruled line', async () => {
    const started = processorMs();
    for (const ruled of ['-- '.repeat(10_000), '/* */'.repeat(10_000)])
      await expect(query(`${ruled}\nDESCRIBE pnl; SELECT 1`, { pnl })).rejects.toThrow('answers one statement');
    expect(processorMs() - started).toBeLessThan(5000);
  });

  it('says what is wrong with a frame', async () => {
    await expect(query('FROM t', { t: new DataFrame({ a: [1, 'x'] }) })).rejects.toThrow(ColumnError);
    const noFrame = [[1, 2], { price: [1] }, null, 'text'] as unknown as DataFrame[];
    for (const [at, found] of ['an array', 'object', 'null', 'string'].entries()) {
      const said = new UsageError(
        `The table "f" must be a DataFrame, but is ${found}: make one of records by new DataFrame([{ price: 0.4 }]), or of columns by new DataFrame({ price: [0.4] }).`,
      );
      await expect(query('select 1', { f: noFrame[at] as DataFrame })).rejects.toThrow(said);
    }
    await expect(query('FROM t', { t: Promise.resolve(pnl) as never })).rejects.toThrow(
      new UsageError('The table "t" is a Promise of something: await it first.'),
    );
    await expect(query('FROM t', { t: new DataFrame({ A: [1], a: [2] }) })).rejects.toThrow('SQL does not tell apart');
    await expect(query('FROM t', { t: pnl, u: pnl, T: pnl })).rejects.toThrow(
      new UsageError('The tables "t" and "T" are given, which SQL does not tell apart: rename one.'),
    );
    await expect(query('SELECT 1 AS n\0 LIMIT 0')).rejects.toThrow(
      new UsageError(
        'The query has the character U+0000, which SQL cannot say: write chr(0), or give it as a parameter.',
      ),
    );
    expect(recordsOf(await query('SELECT $1 = chr(0) AS same', {}, ['\0']))).toEqual([{ same: true }]);
    await expect(query('SELECT 1', { 't\0': new DataFrame({ a: [1] }) })).rejects.toThrow(
      new UsageError(
        'There is a table "t\\u0000", with the character U+0000 in its name, which SQL cannot say: rename it.',
      ),
    );
    await expect(query('SELECT 1', { t: new DataFrame({ a: [1], '\0': [1] }) })).rejects.toThrow(
      new UsageError(
        'The frame "t" has a column "\\u0000", with the character U+0000 in its name, which SQL cannot say: rename it.',
      ),
    );
  });

  it('leaves no folder of its own behind, and lets nobody else read it meanwhile', async () => {
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const spill = recordsOf(await query("SELECT current_setting('temp_directory') AS path"))[0]?.path;
    expect(spill).toMatch(`${temporary}/oddslab-sql-`);
    await query('SELECT x').catch(() => {});
    vi.spyOn(DuckDBInstance, 'create').mockRejectedValueOnce(new Error('no memory'));
    await expect(query('SELECT 1')).rejects.toThrow('no memory');
    expect(await readdir(temporary)).toEqual([]);
    const { mode } = await withEngine(async () => stat(join(temporary, (await readdir(temporary))[0] ?? '')));
    expect(mode & 0o777).toBe(0o700);
  });

  it('needs no place for a folder', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'none'));
    expect(recordsOf(await query('SELECT 1 AS a'))).toEqual([{ a: 1 }]);
  });
});

describe('times in SQL', () => {
  const timed = (...t: (string | null)[]) =>
    frameFromColumns([{ name: 't', dtype: 'datetime', nullable: true, meaning: 'When.' }], [t]);
  const typeOf = async (frame: DataFrame) =>
    recordsOf(await query('SELECT column_type FROM (DESCRIBE SELECT t FROM f)', { f: frame }))[0]?.column_type;

  it('are moments where days and times mix, days being their midnight', async () => {
    const f = timed('2025-11-05', '2025-11-05T00:00:00Z', null, '2025-11-04T23:59:59.500Z', '2025-11-06T12:00:00Z');
    expect(await typeOf(f)).toBe('TIMESTAMP');
    const rows = await query('SELECT t, count(*) AS n FROM f GROUP BY t ORDER BY t', { f });
    expect(recordsOf(rows)).toEqual([
      { t: '2025-11-04T23:59:59.500Z', n: 1 },
      { t: '2025-11-05T00:00:00Z', n: 2 },
      { t: '2025-11-06T12:00:00Z', n: 1 },
      { t: null, n: 1 },
    ]);
    expect(columnsOf(rows)[0]).toMatchObject({ dtype: 'datetime', meaning: 'When.' });
    const days = await query(`SELECT date_trunc('day', t) AS day FROM f WHERE t > $1`, { f }, [new Date('2025-11-05')]);
    expect(recordsOf(days)).toEqual([{ day: '2025-11-06T00:00:00Z' }]);
  });

  it('keep nine digits of a second in the years that nanoseconds reach', async () => {
    const f = timed(
      '2025-11-05T00:00:00.123456789Z',
      '2025-11-05T00:00:00Z',
      '1677-09-22',
      '2262-04-11T23:47:16Z',
      null,
    );
    expect(await typeOf(f)).toBe('TIMESTAMP_NS');
    const rows = await query('SELECT t FROM f ORDER BY t', { f });
    expect(recordsOf(rows).map(({ t }) => t)).toEqual([
      '1677-09-22T00:00:00Z',
      '2025-11-05T00:00:00Z',
      '2025-11-05T00:00:00.123456789Z',
      '2262-04-11T23:47:16Z',
      null,
    ]);
    expect(columnsOf(rows)[0]).toMatchObject({ dtype: 'datetime', meaning: 'When.' });
    const later = await query('SELECT min(t) AS t FROM f WHERE t > $1', { f }, [new Date('2025-11-05')]);
    expect(recordsOf(later)).toEqual([{ t: '2025-11-05T00:00:00.123456789Z' }]);
  });

  it('are text where no type of the database holds them all', async () => {
    expect(await typeOf(timed('2025-11-05T00:00:00.123456789Z', '2300-01-01'))).toBe('VARCHAR');
    expect(await typeOf(timed('2025-11-05T00:00:00.123456789Z', '1677-09-21'))).toBe('VARCHAR');
    expect(await typeOf(timed('2025-11-05T00:00:00.123456789012Z'))).toBe('VARCHAR');
  });

  it('are timestamps also without a value, and text that is not told to be times stays text', async () => {
    expect(await typeOf(timed())).toBe('TIMESTAMP');
    expect(await typeOf(timed(null))).toBe('TIMESTAMP');
    expect(await typeOf(timed('2025-11-05', null))).toBe('DATE');
    const text = frameFromColumns(
      [{ name: 't', dtype: 'string', nullable: false, meaning: '' }],
      [['2025-11-05', '2025-11-05T00:00:00Z']],
    );
    expect(await typeOf(text)).toBe('VARCHAR');
  });
});

it.each(['DATE', 'TIMESTAMP', 'TIMESTAMP_NS', 'TIMESTAMPTZ'])(
  'a column of %s without values is one of times',
  async (type) => {
    for (const rows of ['', ' WHERE false']) {
      const frame = await query(`SELECT NULL::${type} AS t FROM range(2)${rows}`);
      expect(columnsOf(frame).map(({ dtype }) => dtype)).toEqual(['datetime']);
    }
  },
);

it('text that begins with a byte order mark keeps it, among many rows too', async () => {
  const words = ['\ufeffA', 'A', '\ufeff', ''];
  const f = new DataFrame({ a: Array.from({ length: 20_000 }, (_, row) => words[row % 4] ?? null) });
  expect(recordsOf(await query('SELECT a, count(*) AS n FROM f GROUP BY a ORDER BY a', { f }))).toEqual(
    ['', 'A', '\ufeff', '\ufeffA'].map((a) => ({ a, n: 5000 })),
  );
  expect(wholeOf(await query('SELECT a FROM f', { f })).values).toEqual(wholeOf(f).values);
});

it('takes frames by names alone', async () => {
  const pnl = new DataFrame([{ pnl: 1 }]);
  const byNames = 'query() takes the frames by the names that the query gives them: query(sql, { trades }).';
  for (const frames of [pnl, [pnl], new Map([['pnl', pnl]])])
    await expect(query('SELECT 1', frames as never)).rejects.toThrow(new UsageError(byNames));
});
