import type { Column as ArrowColumn, Batch } from '@uwdata/flechette';
import type { Dtype } from '../../contract/definition.js';
import { type MomentForm, type Moments, momentsOf } from '../vector/moment-form.js';
import type { PlainVector } from '../vector/plain-vector.js';
import { usedWords } from '../vector/text-vector.js';
import {
  type BooleanVector,
  MISSING_MICROS,
  type MicrosVector,
  type NumberVector,
  type TextVector,
} from '../vector/vector.js';

/** The module of the Arrow library, loaded when it is first needed. */
export type Arrow = typeof import('@uwdata/flechette');

/** A column in Arrow's form. */
export interface MadeColumn {
  readonly column: ArrowColumn<unknown>;
  /** Form of its moments, if it became a date or a timestamp. */
  readonly moments?: MomentForm | undefined;
}

type DataType = Batch<unknown>['type'];
type Values = Batch<unknown>['values'];

/** The values of a column in Arrow's layout, without loss. */
interface Layout {
  readonly type: DataType;
  readonly values: Values;
  /** How many entries of `values` a row takes; 0 for a single bit. */
  readonly width: 0 | 1 | 2;
  readonly words?: readonly string[];
}

/** Rows of a record batch: a multiple of 8, so that its bits begin at a byte. */
const BATCH_ROWS = 131_072;
const INT32_LIMIT = 2 ** 31;
const DAY_MICROS = 86_400_000_000n;

/** Converts a vector to an Arrow column, which shares the vector's arrays if they have Arrow's layout. */
export function arrowColumn(arrow: Arrow, vector: PlainVector, dtype: Dtype): MadeColumn {
  switch (vector.kind) {
    case 'number': {
      const layout = numberLayout(arrow, vector, dtype === 'int32');
      return { column: batched(arrow, layout, presence(vector.values, isNumber)) };
    }
    case 'micros':
      return { column: batched(arrow, decimalLayout(arrow, vector), presence(vector.values, isAmount)) };
    case 'boolean':
      return { column: batched(arrow, booleanLayout(arrow, vector), presence(vector.values, isCode)) };
    default:
      return textColumn(arrow, vector, dtype);
  }
}

function textColumn(arrow: Arrow, vector: TextVector, dtype: Dtype): MadeColumn {
  const present = presence(vector.codes, isCode);
  const moments = momentsOf(vector, dtype);
  if (moments) {
    return { column: batched(arrow, momentLayout(arrow, moments), present), moments: moments.form };
  }
  const { codes, words } = usedWords(vector);
  const values = present.bits ? codes.map((code) => Math.max(code, 0)) : codes;
  const type = arrow.dictionary(arrow.utf8(), arrow.int32());
  return { column: batched(arrow, { type, values, width: 1, words }, present) };
}

/** Which rows have a value, one bit for each; no bits if all have. */
interface Presence {
  readonly rows: number;
  readonly count: number;
  readonly bits?: Uint8Array;
}

function presence<Value>(values: ArrayLike<Value>, isPresent: (value: Value | undefined) => boolean): Presence {
  const rows = values.length;
  const bits = new Uint8Array(Math.ceil(rows / 8));
  let count = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isPresent(values[row])) continue;
    bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    count += 1;
  }
  return count === rows ? { rows, count } : { rows, count, bits };
}

const isNumber = (value: number | undefined) => !Number.isNaN(value);
const isAmount = (value: bigint | undefined) => value !== MISSING_MICROS;
const isCode = (value: number | undefined) => (value ?? -1) >= 0;

function numberLayout(arrow: Arrow, { values }: NumberVector, whole: boolean): Layout {
  const isInt32 = (value: number) =>
    Number.isNaN(value) || (Number.isInteger(value) && Math.abs(value) < INT32_LIMIT && !Object.is(value, -0));
  if (whole && values.every(isInt32)) return { type: arrow.int32(), values: new Int32Array(values), width: 1 };
  return { type: arrow.float64(), values, width: 1 };
}

function decimalLayout(arrow: Arrow, vector: MicrosVector): Layout {
  const values = new BigUint64Array(2 * vector.values.length);
  const signed = new BigInt64Array(values.buffer);
  let isLarge = false;
  for (const [row, micros] of vector.values.entries()) {
    if (micros === MISSING_MICROS) continue;
    signed[2 * row] = micros;
    signed[2 * row + 1] = micros < 0n ? -1n : 0n;
    if (micros >= 10n ** 18n || micros <= -(10n ** 18n)) isLarge = true;
  }
  return { type: arrow.decimal128(isLarge ? 38 : 18, 6), values, width: 2 };
}

function booleanLayout(arrow: Arrow, { values }: BooleanVector): Layout {
  const bits = presence(values, (value) => value === 1).bits;
  return { type: arrow.bool(), values: bits ?? new Uint8Array(Math.ceil(values.length / 8)).fill(255), width: 0 };
}

function momentLayout(arrow: Arrow, { form, codes, values: counts }: Moments): Layout {
  if (form === 'day') {
    const days = Int32Array.from(counts, (value) => Number(value / DAY_MICROS));
    return { type: arrow.dateDay(), values: codes.map((code) => days[code] ?? 0), width: 1 };
  }
  const { NANOSECOND, MICROSECOND, MILLISECOND } = arrow.TimeUnit;
  const isFine = form === 'nanos' || form === 'micros' || counts.some((value) => value % 1000n !== 0n);
  const times = isFine ? counts : counts.map((value) => value / 1000n);
  const fine = form === 'nanos' ? NANOSECOND : MICROSECOND;
  const values = new BigInt64Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) values[row] = times[codes[row] ?? -1] ?? 0n;
  return { type: arrow.timestamp(isFine ? fine : MILLISECOND, 'UTC'), values, width: 1 };
}

function batched(arrow: Arrow, { type, values, width, words }: Layout, present: Presence): ArrowColumn<unknown> {
  // The library finds a column's dictionary by the identity of this object.
  const dictionary = words && 'dictionary' in type ? wordColumn(arrow, words, type.dictionary) : undefined;
  const Made = arrow.batchType(type, { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true });
  const batches: Batch<unknown>[] = [];
  for (let from = 0; from === 0 || from < present.rows; from += BATCH_ROWS) {
    const to = Math.min(from + BATCH_ROWS, present.rows);
    const [first, last] = width === 0 ? [from / 8, Math.ceil(to / 8)] : [from * width, to * width];
    const validity = present.bits?.subarray(from / 8, Math.ceil(to / 8)) ?? new Uint8Array(0);
    const nullCount = present.bits ? missingIn(present.bits, from, to) : 0;
    const batch = new Made({ length: to - from, nullCount, type, validity, values: values.subarray(first, last) });
    batches.push(dictionary ? batch.setDictionary(dictionary) : batch);
  }
  return new arrow.Column(batches, type);
}

function missingIn(bits: Uint8Array, from: number, to: number): number {
  let missing = 0;
  for (let row = from; row < to; row += 1) if (((bits[row >> 3] as number) & (1 << (row & 7))) === 0) missing += 1;
  return missing;
}

function wordColumn(arrow: Arrow, words: readonly string[], type: DataType): ArrowColumn<unknown> {
  const offsets = new Int32Array(words.length + 1);
  const pieces = words.map((word) => Buffer.from(word));
  for (const [at, piece] of pieces.entries()) offsets[at + 1] = (offsets[at] as number) + piece.length;
  const Made = arrow.batchType(type);
  const values = new Uint8Array(Buffer.concat(pieces));
  return new arrow.Column(
    [new Made({ length: words.length, nullCount: 0, type, validity: new Uint8Array(0), offsets, values })],
    type,
  );
}
