import type { Column, Dtype } from '../../../src/contract/definition.js';
import type { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { type Tabular, vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { type Cell, cellsOf, MISSING_MICROS, type Vector, vectorOfCells } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

/** Everything about a frame, for comparisons: its column descriptions and its values, exact ones as integers. */
export function wholeOf(frame: Tabular) {
  return {
    columns: columnsOf(frame),
    rows: frame.shape[0],
    values: vectorsOf(frame).map((vector) => ({
      kind: vector.kind,
      cells: vector.kind === 'micros' ? Array.from(vector.values, String) : cellsOf(vector),
    })),
  };
}

/** One column with its values. */
type Part = readonly [column: Omit<Column, 'name'>, vector: Vector];

const EMPTY_KINDS = {
  int32: 'number',
  float64: 'number',
  string: 'text',
  datetime: 'text',
  boolean: 'boolean',
} as const;

function cells(dtype: Dtype, cell: fc.Arbitrary<Cell>, rows: number): fc.Arbitrary<Part> {
  const missing = dtype === 'int32' || dtype === 'float64' ? Number.NaN : null;
  const facts = fc.record({
    dtype: fc.constant(dtype),
    nullable: fc.constant(true),
    meaning: fc.string({ unit: 'grapheme' }),
    unit: fc.constantFrom('USD', "it's"),
  });
  const values = fc.array(fc.oneof({ weight: 4, arbitrary: cell }, fc.constant(missing)), {
    minLength: rows,
    maxLength: rows,
  });
  return fc.tuple(
    facts,
    values.map((list) => vectorOfCells(list, EMPTY_KINDS[dtype])),
  );
}

function micros(rows: number): fc.Arbitrary<Part> {
  const amount = fc.oneof(
    fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
    fc.bigInt({ min: MISSING_MICROS, max: 2n ** 63n - 1n }),
    fc.constant(MISSING_MICROS),
  );
  return fc.array(amount, { minLength: rows, maxLength: rows }).map((list) => [
    { dtype: 'float64', nullable: true, decimal: true, meaning: 'Exact dollars.' },
    { kind: 'micros', values: BigInt64Array.from(list) },
  ]);
}

/** Times as text, all in one form that a file preserves. */
function moments(rows: number): fc.Arbitrary<Part> {
  const time = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59.999Z') });
  const forms: ((iso: string) => string)[] = [
    (iso) => iso,
    (iso) => iso.replace('.000Z', 'Z'),
    (iso) => iso.replace(/\.\d+Z$/, 'Z'),
    (iso) => iso.replace('Z', '123Z'),
    (iso) => iso.replace(/T.*/, ''),
    (iso) => iso.replace('Z', '123456Z'),
  ];
  return fc.constantFrom(...forms).chain((form) =>
    cells(
      'datetime',
      time.map((date) => form(date.toISOString())),
      rows,
    ),
  );
}

const whole = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\0', 'a\0b', '\ufeff', '\ufeffA', 'A', '\ufeff\ufeffA', 'null', 'NaN', '2025-11-05', '😀'),
);

const NAMES = [
  'pnl',
  'select',
  'a"b',
  "a'b",
  '__proto__',
  'constructor',
  'ünï',
  'two words',
  'c0',
  'size',
  '%$1?',
  'oddslab',
];

/** Frames of any columns and values that a frame can hold, including missing values and awkward names. */
export const anyFrame: fc.Arbitrary<DataFrame> = fc.integer({ min: 0, max: 12 }).chain((rows) =>
  fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 6 }).chain((names) =>
    fc
      .tuple(
        ...names.map(() =>
          fc.oneof(
            cells('float64', fc.double({ noNaN: true }), rows),
            cells('int32', fc.integer(), rows),
            cells('int32', whole, rows),
            cells('string', text, rows),
            cells('boolean', fc.boolean(), rows),
            micros(rows),
            moments(rows),
          ),
        ),
      )
      .map((parts) =>
        frameFromVectors(
          parts.map(([column], at) => ({ ...column, name: names[at] ?? '' })),
          parts.map(([, vector]) => vector),
        ),
      ),
  ),
);

/** A frame of many rows, with recurring wallets and days and unique ids. */
export function longFrame(rows: number): DataFrame {
  const wallets = Array.from({ length: 500 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`);
  const row = Array.from({ length: rows }, (_, at) => at);
  return frameFromVectors(
    [
      { name: 'date', dtype: 'datetime', nullable: false, meaning: 'The day.' },
      { name: 'wallet', dtype: 'string', nullable: true, meaning: 'Who.' },
      { name: 'id', dtype: 'string', nullable: false, meaning: 'Which.' },
      { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Profit.' },
      { name: 'paid', dtype: 'float64', unit: 'USD', nullable: false, decimal: true, meaning: 'Exact dollars.' },
      { name: 'trades', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Fills.' },
      { name: 'open', dtype: 'boolean', nullable: true, meaning: 'Whether it is open.' },
    ],
    [
      vectorOfCells(row.map((at) => `2025-01-${String((at % 31) + 1).padStart(2, '0')}T00:00:00Z`)),
      { kind: 'text', codes: Int32Array.from(row, (at) => ((at * 7) % 501) - 1), words: wallets, distinct: true },
      vectorOfCells(row.map((at) => `id ${at}`)),
      { kind: 'number', values: Float64Array.from(row, (at) => (at % 9 === 0 ? Number.NaN : Math.sin(at) * 1e6)) },
      { kind: 'micros', values: BigInt64Array.from(row, (at) => BigInt(at) * 1_000_003n) },
      { kind: 'number', values: Float64Array.from(row, (at) => at % 50) },
      { kind: 'boolean', values: Int8Array.from(row, (at) => (at % 3) - 1) },
    ],
  );
}
