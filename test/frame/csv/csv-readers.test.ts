import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Column } from '../../../src/contract/definition.js';
import { writeCsv } from '../../../src/frame/csv/write-csv.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { cellsOf, MISSING_MICROS, type Vector } from '../../../src/frame/vector/vector.js';

const WORDS = ['plain', 'a,b', 'q"q', 'two\nlines', 'é 🚀', ' x ', 'win\r\ndows', '12', 'true', '=1+1'];
const ROWS = 60;

const COLUMNS: Column[] = [
  { name: 'amount, "USD"', dtype: 'float64', nullable: true, meaning: '' },
  { name: 'exact', dtype: 'float64', nullable: true, meaning: '' },
  { name: 'word', dtype: 'string', nullable: true, meaning: '' },
  { name: 'count', dtype: 'int32', nullable: false, meaning: '' },
  { name: 'flag', dtype: 'boolean', nullable: false, meaning: '' },
];

function value(row: number): number {
  return [0.1, Number.NaN, -1e21, 1 / 3, 5e-324, 1e-7, -0.000001, 123456789.123456, 2 ** 53, 17][row % 10] ?? 0;
}

const VECTORS: Vector[] = [
  { kind: 'number', values: Float64Array.from({ length: ROWS }, (_, row) => value(row)) },
  {
    kind: 'micros',
    values: BigInt64Array.from({ length: ROWS }, (_, row) =>
      row % 7 === 3 ? MISSING_MICROS : BigInt(row - 30) * 100_001n,
    ),
  },
  { kind: 'text', codes: Int32Array.from({ length: ROWS }, (_, row) => (row % 11) - 1), words: WORDS, distinct: true },
  { kind: 'number', values: Float64Array.from({ length: ROWS }, (_, row) => row - 30) },
  { kind: 'boolean', values: Int8Array.from({ length: ROWS }, (_, row) => row % 2) },
];

/** The rows as other readers give them: null for what is missing. */
const EXPECTED = Array.from({ length: ROWS }, (_, row) =>
  VECTORS.map((vector) => {
    const cell = cellsOf(vector)[row];
    return Number.isNaN(cell) ? null : cell;
  }),
);

/** The exit code of a Python without pandas. */
const NO_PANDAS = 77;
const PANDAS = `
import json, sys
try:
    import pandas
except ImportError:
    sys.exit(77)
frame = pandas.read_csv(sys.argv[1], keep_default_na=False, na_values=[''], float_precision='round_trip', lineterminator='\\n')
rows = [[None if pandas.isna(cell) else cell for cell in row] for row in frame.astype(object).values.tolist()]
print(json.dumps([list(frame.columns), rows]))
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-csv-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(['readers.csv', 'readers.csv.gz'])('%s is read to the same values', (name) => {
  const path = () => join(folder, name);
  beforeAll(() => writeCsv(frameFromVectors(COLUMNS, VECTORS), path()));

  test('by DuckDB', async () => {
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    try {
      const reader = await connection.runAndReadAll(
        `from read_csv('${path()}', header = true, delim = ',', quote = '"', columns = {
          'amount': 'DOUBLE', 'exact': 'DOUBLE', 'word': 'VARCHAR', 'count': 'INTEGER', 'flag': 'BOOLEAN'})`,
      );
      expect(reader.getRowsJS()).toEqual(EXPECTED);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

  test('by pandas', ({ skip }) => {
    // The first python3 may be one without pandas; Debian's has it.
    const runs = ['python3', '/usr/bin/python3'].map((python) =>
      spawnSync(python, ['-c', PANDAS, path()], { encoding: 'utf8' }),
    );
    const run = runs.find(({ status }) => status !== null && status !== NO_PANDAS);
    if (!run) return skip('there is no python3 with pandas on this machine');
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toEqual([COLUMNS.map((column) => column.name), EXPECTED]);
  });
});
