import type { Column } from '../../../src/contract/definition.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { type Tabular, vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { cellAt, MISSING_MICROS, type Vector } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

/** A row of a random frame; money is in micro-units. */
export type RandomRow = { text: string | null; number: number; flag: boolean | null; money: bigint | null };
/** A value of a random row. */
export type Raw = RandomRow[keyof RandomRow];
/** A row as the verbs see it. */
export type FrameRow = { text: string | null; number: number; flag: boolean | null; money: number };

/** The columns of the random frames. */
export const COLUMNS: Column[] = [
  { name: 'text', dtype: 'string', nullable: true, meaning: 'Text.' },
  { name: 'number', dtype: 'float64', nullable: true, meaning: 'Number.' },
  { name: 'flag', dtype: 'boolean', nullable: true, meaning: 'Flag.' },
  { name: 'money', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Money.' },
];

const TEXTS = [null, '', 'a', 'b', 'B', '-', 'ä', '😀', '\uffff', '1', 'null', '__proto__', 'constructor'];
const NUMBERS = [
  Number.NaN,
  0,
  -0,
  1,
  -1,
  1.5,
  -1.5,
  2 ** 53,
  1e300,
  5e-324,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const MONEY = [null, 0n, 1n, -1n, 1_500_000n, -(2n ** 40n), 2n ** 40n, 2n ** 32n, -(2n ** 63n) + 1n, 2n ** 63n - 1n];

/** Random rows, with missing, empty, signed-zero, equal and extreme values. */
export const randomRows: fc.Arbitrary<RandomRow[]> = fc.array(
  fc.record({
    text: fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 2 })),
    number: fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -3, max: 3 }), fc.double()),
    flag: fc.constantFrom(null, true, false),
    money: fc.oneof(fc.constantFrom(...MONEY), fc.bigInt({ min: -5n, max: 5n })),
  }),
  { maxLength: 30 },
);

/** A frame like the decoder's, with its words out of order and one that no row has. */
export function frameOf(rows: readonly RandomRow[]): DataFrame<FrameRow> {
  const words = [...new Set(['unused', ...rows.flatMap(({ text }) => text ?? [])])].toReversed();
  const vectors: Vector[] = [
    {
      kind: 'text',
      codes: Int32Array.from(rows, ({ text }) => (text === null ? -1 : words.indexOf(text))),
      words,
      distinct: true,
    },
    { kind: 'number', values: Float64Array.from(rows, ({ number }) => number) },
    { kind: 'boolean', values: Int8Array.from(rows, ({ flag }) => (flag === null ? -1 : Number(flag))) },
    { kind: 'micros', values: BigInt64Array.from(rows, ({ money }) => money ?? MISSING_MICROS) },
  ];
  return frameFromVectors<FrameRow>(COLUMNS, vectors);
}

/** The same rows, without the money, in a frame that danfo's constructor makes. */
export function danfoFrameOf(rows: readonly RandomRow[]): DataFrame<Omit<FrameRow, 'money'>> {
  const cells = rows.map(({ text, number, flag }) => [text, number, flag]);
  // Without dtypes, danfo would take a column without values for numbers.
  const labels = { columns: ['text', 'number', 'flag'], dtypes: ['string', 'float32', 'boolean'] };
  const frame: DataFrame = new DataFrame(cells, labels);
  return frame as unknown as DataFrame<Omit<FrameRow, 'money'>>;
}

/** The rows of a frame, with exact amounts in micro-units and missing values as in the vectors. */
export function rawRows(frame: Tabular): Raw[][] {
  const vectors = vectorsOf(frame);
  const cellOf = (vector: Vector, row: number): Raw => {
    if (vector.kind !== 'micros') return cellAt(vector, row) as Raw;
    const micros = vector.values[row] as bigint;
    return micros === MISSING_MICROS ? null : micros;
  };
  return Array.from({ length: frame.shape[0] ?? 0 }, (_, row) => vectors.map((vector) => cellOf(vector, row)));
}

/** Random rows as {@link rawRows} reads them. */
export function rawOf(rows: readonly RandomRow[]): Raw[][] {
  return rows.map(({ text, number, flag, money }) => [text, number, flag, money]);
}

/** Whether a value is missing. */
export function isNothing(value: Raw | undefined): value is null | undefined {
  return value === null || value === undefined || Number.isNaN(value);
}

/** Text that is equal only for equal values of the same type; all missing values are equal. */
export function keyOf(...values: readonly (Raw | undefined)[]): string {
  const text = (value: Raw | undefined) =>
    isNothing(value) ? 'nothing' : `${typeof value} ${JSON.stringify(String(value))}`;
  return values.map(text).join();
}
