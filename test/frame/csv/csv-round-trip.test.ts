import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Column, Dtype } from '../../../src/contract/definition.js';
import type { CsvFileOptions } from '../../../src/frame/csv/csv-options.js';
import { openCsvFile, writeCsv } from '../../../src/frame/csv/write-csv.js';
import { frameFromColumns, frameFromVectors, takeRows } from '../../../src/frame/danfo/frame-from-vectors.js';
import { readCsv } from '../../../src/frame/files/read-csv.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import type { DataFrame } from '../../../src/frame/tabular/data-frame.js';
import { vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { cellsOf, MISSING_MICROS, type Vector } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-csv-'));
});
afterAll(() => rm(folder, { recursive: true }));

const AWKWARD = [
  '',
  '"',
  '""',
  ',',
  ';',
  '|',
  '\t',
  '\n',
  '\r',
  '\r\n',
  ' ',
  ' x ',
  'NA',
  '\\N',
  'NaN',
  'null',
  'true',
];
const LIKE_OTHERS = [
  'False',
  '1',
  '-2.5',
  '007',
  '1e5',
  '1e+21',
  '0x10',
  'Infinity',
  '-Infinity',
  '=1+1',
  '1,5',
  '-0,25',
  '1.234,5',
  '\t5',
  '\t\t5,0',
  ' 12 ',
  '+3',
  '9'.repeat(77),
  '@x',
  '-',
  '.',
];
const WORDS = [
  'é',
  '🚀',
  'Yes, or "no"?',
  '\ufeffx',
  '123456789012345678',
  '2025-11-01T00:00:00Z',
  "'",
  "'=1",
  '__proto__',
];

const text = fc.oneof(
  fc.constantFrom(...AWKWARD, ...LIKE_OTHERS, ...WORDS),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.nat().map(String),
);
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.integer().map((value) => value / 100),
);
const amount = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });

interface Row {
  number: number;
  count: number;
  text: string | null;
  often: string | null;
  flag: number;
  amount: bigint;
  time: string | null;
}

const row: fc.Arbitrary<Row> = fc.record({
  number: fc.oneof({ weight: 4, arbitrary: number }, fc.constant(Number.NaN)),
  count: fc.oneof(fc.integer({ min: 1 - 2 ** 31 }), fc.constant(Number.NaN)),
  text: fc.option(text),
  often: fc.option(fc.constantFrom('a', '5', 'x,y', '', 'é')),
  flag: fc.constantFrom(-1, 0, 1),
  amount: fc.oneof(amount, fc.constant(MISSING_MICROS)),
  time: fc.option(fc.constantFrom('2025-11-01', '2025-11-01T12:00:00.123Z')),
});

const options: fc.Arbitrary<CsvFileOptions & { nullText: string }> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    decimal: fc.constantFrom('.', ','),
    ids: fc.constantFrom('plain', 'text'),
    formulas: fc.constantFrom('keep', 'guard'),
    dates: fc.constantFrom('iso', 'day'),
    header: fc.boolean(),
    quoting: fc.constantFrom('minimal', 'text', 'all'),
    nullText: fc.constantFrom('', 'NA', '\\N', '-', 'é'),
    bom: fc.boolean(),
    gzip: fc.boolean(),
  })
  // Where a comma stands before decimals, the writer takes none between fields, nor a text that holds one.
  .map((how) => (how.decimal === ',' && how.delimiter === ',' ? { ...how, delimiter: ';' as const } : how));

function textVector(cells: readonly (string | null)[]): Vector {
  const words = [...new Set(cells.filter((cell) => cell !== null))];
  return {
    kind: 'text',
    codes: Int32Array.from(cells, (cell) => (cell === null ? -1 : words.indexOf(cell))),
    words,
    distinct: true,
  };
}

function columnOf(name: string, dtype: Dtype): Column {
  return { name, dtype, nullable: true, meaning: 'Of a test.', ...(name === 'amount' ? { decimal: true } : {}) };
}

const COLUMNS = [
  columnOf('number', 'float64'),
  columnOf('count', 'int32'),
  columnOf('text, "free"', 'string'),
  columnOf('often', 'string'),
  columnOf('flag', 'boolean'),
  columnOf('amount', 'float64'),
  columnOf('time', 'datetime'),
];

function frameOf(rows: readonly Row[]): DataFrame {
  const vectors: Vector[] = [
    { kind: 'number', values: Float64Array.from(rows, (one) => one.number + 0) },
    { kind: 'number', values: Float64Array.from(rows, (one) => one.count) },
    {
      kind: 'text',
      codes: Int32Array.from(rows, (one, at) => (one.text === null ? -1 : at)),
      words: rows.map((one) => one.text ?? ''),
      distinct: false,
    },
    textVector(rows.map((one) => one.often)),
    { kind: 'boolean', values: Int8Array.from(rows, (one) => one.flag) },
    { kind: 'micros', values: BigInt64Array.from(rows, (one) => one.amount) },
    textVector(rows.map((one) => one.time)),
  ];
  return frameFromVectors(COLUMNS, vectors);
}

/** Cells of each column, exact amounts as they are and zeros without a sign. */
function cells(frame: DataFrame): unknown[][] {
  return vectorsOf(frame).map((vector) =>
    vector.kind === 'micros' ? [...vector.values] : cellsOf(vector).map((cell) => (cell === 0 ? 0 : cell)),
  );
}

describe('a CSV file', () => {
  test.each(['minimal', 'text', 'all'] as const)('gives guarded text and names back, quoted by %s', async (quoting) => {
    const texts = ['=SUM(A1)', "'=SUM(A1)", "''-1", '-1', '+2', '@x', '\t3', "'", "it's", '5'];
    const frame = frameFromColumns(
      [columnOf('=name', 'string'), columnOf("'-name", 'string'), columnOf('numbers', 'string')],
      [texts, [...texts].reverse(), texts.map((_, at) => `-${at}`)],
    );
    const path = join(folder, 'guarded.csv');
    await writeCsv(frame, path, { formulas: 'guard', quoting });
    for (const ids of ['plain', 'text'] as const) {
      const back = await readCsv(path, { formulas: 'guard', ids });
      expect(back.columns).toEqual(frame.columns);
      expect(cells(back).slice(0, 2)).toEqual(cells(frame).slice(0, 2));
      expect(cells(back)[2]).toEqual(cells(frame)[2]);
    }
    const asHeld = await readCsv(path);
    expect(asHeld.columns[0]).toBe("'=name");
    expect(cells(asHeld)[0]?.slice(0, 3)).toEqual(["'=SUM(A1)", "''=SUM(A1)", "'''-1"]);
  });

  test('reads back to the same values and columns, whatever the options and the text', async () => {
    const path = join(folder, 'any.csv');
    await fc.assert(
      fc.asyncProperty(fc.array(row), options, async (rows, how) => {
        const frame = frameOf(rows);
        await writeCsv(frame, path, how);
        const { delimiter = ',', nullText, decimal = '.', ids = 'plain', formulas = 'keep', header = true } = how;
        const form = { delimiter, nullText, decimal, ids, formulas, header };
        const back = await readCsv(path, { columns: COLUMNS, exact: true, ...form });
        const days = rows.map((one) => ({ ...one, time: one.time?.slice(0, 10) ?? null }));
        expect(cells(back)).toEqual(cells(how.dates === 'day' ? frameOf(days) : frame));
        expect(columnsOf(back)).toEqual(COLUMNS);
        expect(back.dtypes).toEqual(frame.dtypes);
        expect(back.provenance).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('reads back to the same dtypes without being told them', async () => {
    const path = join(folder, 'inferred.csv');
    const filled = fc
      .array(row, { minLength: 1 })
      .map((rows) => [
        ...rows,
        { number: 0.5, count: 1, text: 'x', often: 'a', flag: 1, amount: 1_500_000n, time: '2025-11-01' },
      ]);
    const how = fc.record({
      quoting: fc.constantFrom('minimal' as const, 'text' as const),
      bom: fc.boolean(),
      decimal: fc.constantFrom('.' as const, ',' as const),
      ids: fc.constantFrom('plain' as const, 'text' as const),
      formulas: fc.constantFrom('keep' as const, 'guard' as const),
    });
    await fc.assert(
      fc.asyncProperty(filled, how, async (rows, form) => {
        // Amounts beyond the digits of a double have no other home than exact columns.
        const frame = frameOf(rows.map((one) => ({ ...one, amount: one.amount % 10n ** 15n })));
        await writeCsv(frame, path, form);
        const { decimal, ids, formulas } = form;
        const back = await readCsv(path, { decimal, ids, formulas });
        expect(cells(back)).toEqual(
          vectorsOf(frame).map((vector) => cellsOf(vector).map((cell) => (cell === 0 ? 0 : cell))),
        );
        expect(back.dtypes).toEqual(frame.dtypes);
      }),
      { numRuns: 300 },
    );
  });

  test('has the same bytes whether it was written at once or frame by frame', async () => {
    const cuts = fc.array(fc.nat(40), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 40 }), cuts, options, async (rows, at, how) => {
        const frame = frameOf(rows);
        const [whole, grown] = [join(folder, 'whole.csv'), join(folder, 'grown.csv')];
        const written = await writeCsv(frame, whole, how);
        const file = openCsvFile(grown, how);
        const bounds = [0, ...at.map((cut) => Math.min(cut, rows.length)).sort((a, b) => a - b), rows.length];
        for (const [place, end] of bounds.slice(1).entries()) {
          const from = bounds[place] ?? 0;
          await file.append(
            takeRows(
              frame,
              Uint32Array.from({ length: end - from }, (_, step) => from + step),
            ),
          );
        }
        expect(await file.finish()).toEqual({ ...written, path: grown, bytes: expect.any(Number) });
        expect(await plain(grown)).toEqual(await plain(whole));
      }),
      { numRuns: 100 },
    );
  });
});

async function plain(path: string): Promise<Buffer> {
  const { gunzipSync } = await import('node:zlib');
  const bytes = await readFile(path);
  return bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
}
