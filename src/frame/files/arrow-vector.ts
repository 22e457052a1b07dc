import type {
  Column as ArrowColumn,
  Batch,
  DataType,
  DictionaryType,
  RunEndEncodedType,
  StructType,
} from '@uwdata/flechette';
import type { Dtype } from '../../contract/definition.js';
import { isBeyondIso, type MomentForm, momentCollector, textOfMoment } from '../vector/moment-form.js';
import { takeVector } from '../vector/take-vector.js';
import { TextCollector } from '../vector/text-vector.js';
import { MISSING_MICROS, type Vector } from '../vector/vector.js';
import type { Arrow } from './arrow-column.js';

/** A column that was read, in a frame's form. */
interface ReadVector {
  readonly dtype: Dtype;
  readonly vector: Vector;
}

const PLACES = 6;
/** Arrow's number of the unit. */
const NANOSECONDS = 3;

/**
 * A column of an Arrow table. Whole numbers become `int32` where all fit, else doubles up to 2⁵³, else text; decimals of
 * up to six places exact amounts, others the nearest doubles; dates and timestamps ISO 8601 text in UTC, to the
 * nanosecond, which is no `datetime` where a year has more than four digits or lies before 0; what has no column of its
 * own here JSON text.
 *
 * @param column As read with big integers for what needs them.
 * @param form In which moments are said.
 */
export function arrowVector(arrow: Arrow, column: ArrowColumn<unknown>, form: MomentForm | undefined): ReadVector {
  const { Type } = arrow;
  const { type } = column;
  switch (type.typeId) {
    case Type.Float:
      return { dtype: 'float64', vector: { kind: 'number', values: doubles(column) } };
    case Type.Int:
      return integers(column);
    case Type.Decimal:
      return decimals(column, 'scale' in type ? type.scale : 0);
    case Type.Bool:
      return { dtype: 'boolean', vector: booleans(column) };
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return { dtype: 'string', vector: plainTexts(column) };
    case Type.Dictionary:
      return fromDictionary(arrow, column, form);
    case Type.RunEndEncoded:
      return fromRuns(arrow, column, form);
    case Type.Timestamp: {
      const unit = 'unit' in type ? Number(type.unit) : 0;
      return unit === NANOSECONDS
        ? nanoMoments(column, form ?? 'shortest')
        : moments(column, microsFrom(unit), form ?? 'shortest');
    }
    case Type.Date:
      return moments(column, (value) => BigInt(Math.round(Number(value) * 1000)), form ?? 'day');
    default:
      return { dtype: 'string', vector: texts(column, (value) => jsonText(plainParts(arrow, type, value))) };
  }
}

/** The values of a column that has batches of its own type, batch after batch. */
function* batchesOf(column: ArrowColumn<unknown>): Generator<[batch: Batch<unknown>, from: number]> {
  let from = 0;
  for (const batch of column.data) {
    yield [batch, from];
    from += batch.length;
  }
}

function doubles(column: ArrowColumn<unknown>): Float64Array {
  const values = new Float64Array(column.length);
  for (const [batch, from] of batchesOf(column)) {
    const plain = plainValues(batch);
    if (plain) values.set(plain, from);
    for (let row = 0; row < batch.length; row += 1) {
      if (!plain) values[from + row] = (batch.at(row) as number | null) ?? Number.NaN;
      else if (batch.nullCount > 0 && !batch.isValid(row)) values[from + row] = Number.NaN;
    }
  }
  return values;
}

/** The numbers of a batch if its array holds them directly; half floats are stored as bits. */
function plainValues({ values, length }: Batch<unknown>): ArrayLike<number> | undefined {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array || values instanceof Uint16Array)
    return undefined;
  return values.length === length ? values : values.subarray(0, length);
}

function integers(column: ArrowColumn<unknown>): ReadVector {
  const isWide = column.data.some(({ values }) => values instanceof BigInt64Array || values instanceof BigUint64Array);
  if (isWide) return wholeNumbers(Array.from(column as Iterable<bigint | null>));
  const values = doubles(column);
  const isInt32 = values.every((value) => Number.isNaN(value) || Math.abs(value) < 2 ** 31);
  return { dtype: isInt32 ? 'int32' : 'float64', vector: { kind: 'number', values } };
}

function decimals(column: ArrowColumn<unknown>, scale: number): ReadVector {
  const scaled = Array.from(column as Iterable<bigint | number | null>, (value) =>
    value === null ? null : BigInt(value),
  );
  const exact = scale <= PLACES ? microsOf(scaled, 10n ** BigInt(PLACES - scale)) : undefined;
  if (exact) return { dtype: 'float64', vector: { kind: 'micros', values: exact } };
  const values = Float64Array.from(scaled, (value) => (value === null ? Number.NaN : nearestDouble(value, scale)));
  return { dtype: 'float64', vector: { kind: 'number', values } };
}

function microsOf(scaled: readonly (bigint | null)[], factor: bigint): BigInt64Array | undefined {
  const values = new BigInt64Array(scaled.length);
  for (const [row, value] of scaled.entries()) {
    const micros = value === null ? MISSING_MICROS : value * factor;
    if (value !== null && (BigInt.asIntN(64, micros) !== micros || micros === MISSING_MICROS)) return undefined;
    values[row] = micros;
  }
  return values;
}

/** The double nearest to a decimal, given as a whole number of its last places. */
function nearestDouble(value: bigint, scale: number): number {
  return Number(`${value}e${-scale}`);
}

function booleans(column: ArrowColumn<unknown>): Vector {
  const values = Int8Array.from(column as Iterable<boolean | null>, (value) => (value === null ? -1 : Number(value)));
  return { kind: 'boolean', values };
}

function texts(column: ArrowColumn<unknown>, textOf: (value: unknown) => string): Vector {
  const collected = new TextCollector(column.length);
  for (const value of column) collected.add(value === null || value === undefined ? null : textOf(value));
  return collected.vector();
}

function plainTexts(column: ArrowColumn<unknown>): Vector {
  const collected = new TextCollector(column.length);
  for (const batch of column.data) for (let row = 0; row < batch.length; row += 1) collected.add(textAt(batch, row));
  return collected.vector();
}

/** A text decoded from its bytes, since the library would remove a byte order mark at the beginning. */
function textAt(batch: Batch<unknown>, row: number): string | null {
  const text = batch.at(row);
  if (typeof text !== 'string') return null;
  const { values, offsets } = batch;
  const isMarked = isView(batch)
    ? beginsWithMark(batch.view(row), 0)
    : Number(offsets?.[row + 1] ?? 0) - Number(offsets?.[row] ?? 0) > 2 &&
      beginsWithMark(values, Number(offsets?.[row] ?? 0));
  return isMarked ? `\ufeff${text}` : text;
}

/** Whether a batch has texts of Arrow's view layout, as Polars writes them: no offsets, but each text's own bytes. */
function isView(batch: Batch<unknown>): batch is Batch<unknown> & { view(row: number): Uint8Array } {
  return 'view' in batch;
}

function beginsWithMark(bytes: ArrayLike<unknown>, start: number): boolean {
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
}

/** A column whose values stand in dictionaries, mostly one: these are read as a column of their own. */
function fromDictionary(arrow: Arrow, column: ArrowColumn<unknown>, form: MomentForm | undefined): ReadVector {
  const starts = new Map<ArrowColumn<unknown>, number>();
  const rows = new Int32Array(column.length).fill(-1);
  let length = 0;
  for (const [batch, from] of batchesOf(column)) {
    const { dictionary, values, nullCount } = batch as Batch<unknown> & { dictionary: ArrowColumn<unknown> };
    const start = starts.get(dictionary) ?? length;
    if (start === length) length += dictionary.length;
    starts.set(dictionary, start);
    for (let row = 0; row < batch.length; row += 1) {
      if (nullCount === 0 || batch.isValid(row)) rows[from + row] = start + Number(values[row]);
    }
  }
  const batches = [...starts.keys()].flatMap(({ data }) => data);
  const values = new arrow.Column(batches, (column.type as DictionaryType).dictionary);
  const { dtype, vector } = arrowVector(arrow, values, form);
  return { dtype, vector: takeVector(vector, rows) };
}

/** A column whose values stand once for all rows of a run: the runs are read as a column of their own. */
function fromRuns(arrow: Arrow, column: ArrowColumn<unknown>, form: MomentForm | undefined): ReadVector {
  const rows = new Uint32Array(column.length);
  const batches: Batch<unknown>[] = [];
  let run = 0;
  for (const [batch, from] of batchesOf(column)) {
    const [ends, values] = batch.children as [Batch<unknown>, Batch<unknown>];
    let start = 0;
    for (let at = 0; at < ends.length; at += 1) {
      const end = Number(ends.values[at]);
      rows.fill(run + at, from + start, from + Math.min(end, batch.length));
      start = end;
    }
    batches.push(values);
    run += values.length;
  }
  const type = (column.type as RunEndEncodedType).children[1].type;
  const { dtype, vector } = arrowVector(arrow, new arrow.Column(batches, type), form);
  return { dtype, vector: takeVector(vector, rows) };
}

function moments(
  column: ArrowColumn<unknown>,
  microsOfValue: (value: unknown) => bigint,
  form: MomentForm,
): ReadVector {
  const collected = momentCollector(column.length, form);
  for (const value of column) collected.add(value === null || value === undefined ? null : microsOfValue(value));
  const vector = collected.vector();
  return { dtype: isBeyondIso(vector) ? 'string' : 'datetime', vector };
}

/** @param unit Seconds, milliseconds, microseconds: 0 to 2. */
function microsFrom(unit: number): (value: unknown) => bigint {
  const factor = 10n ** BigInt(6 - 3 * unit);
  return (value) => BigInt(value as bigint) * factor;
}

/** Moments to the nanosecond, with nine digits of a second if six are not enough. */
function nanoMoments(column: ArrowColumn<unknown>, form: MomentForm): ReadVector {
  return { dtype: 'datetime', vector: texts(column, (value) => textOfNanos(BigInt(value as bigint), form)) };
}

function textOfNanos(nanos: bigint, form: MomentForm): string {
  const rest = ((nanos % 1000n) + 1000n) % 1000n;
  const micros = (nanos - rest) / 1000n;
  if (rest === 0n) return textOfMoment(micros, form);
  return textOfMoment(micros, 'micros').replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

/** A value whose decimals are numbers and whose moments are texts, also within lists and structs. */
function plainParts(arrow: Arrow, type: DataType, value: unknown): unknown {
  const { Type } = arrow;
  if (value === null || value === undefined) return value;
  switch (type.typeId) {
    case Type.Decimal:
      return nearestDouble(BigInt(value as bigint | number), type.scale);
    case Type.Timestamp:
      if (type.unit === NANOSECONDS) return textOfNanos(BigInt(value as bigint), 'shortest');
      return textOfMoment(microsFrom(type.unit)(value), 'shortest');
    case Type.Date:
      return textOfMoment(BigInt(Math.round(Number(value) * 1000)), 'day');
    case Type.Dictionary:
      return plainParts(arrow, type.dictionary, value);
    case Type.Struct: {
      const parts = type.children.map(({ name, type }) => [name, plainParts(arrow, type, Reflect.get(value, name))]);
      return Object.fromEntries(parts);
    }
    case Type.Map: {
      const [key, item] = (type.children[0].type as StructType).children;
      if (!key || !item) return value;
      const entries = Array.from(value as Iterable<[unknown, unknown]>);
      return entries.map(([one, other]) => [plainParts(arrow, key.type, one), plainParts(arrow, item.type, other)]);
    }
    case Type.List:
    case Type.LargeList:
    case Type.ListView:
    case Type.LargeListView:
    case Type.FixedSizeList:
      return Array.from(value as Iterable<unknown>, (part) => plainParts(arrow, type.children[0].type, part));
    default:
      return value;
  }
}

/** A value as JSON, but a text as it is, and a big integer, such as a duration, as its digits. */
function jsonText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'bigint') return String(value);
  return JSON.stringify(value, plainPart) ?? String(value);
}

function plainPart(_: string, part: unknown): unknown {
  if (typeof part === 'bigint') return String(part);
  return ArrayBuffer.isView(part) ? Array.from(part as Uint8Array) : part;
}

const INT32_LIMIT = 2n ** 31n;
const EXACT_LIMIT = 2n ** 53n;

/**
 * Whole numbers of any size as a column: `int32` if all of them fit, else doubles if all are below 2⁵³ and so exact,
 * else text. None is rounded.
 *
 * @param values One value per row; null if it is missing.
 */
function wholeNumbers(values: readonly (bigint | null)[]): { dtype: Dtype; vector: Vector } {
  const areBelow = (limit: bigint) => values.every((value) => value === null || (value > -limit && value < limit));
  if (!areBelow(EXACT_LIMIT)) {
    const texts = new TextCollector<bigint>(values.length);
    for (const value of values) texts.add(value);
    return { dtype: 'string', vector: texts.vector() };
  }
  const numbers = Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)));
  return { dtype: areBelow(INT32_LIMIT) ? 'int32' : 'float64', vector: { kind: 'number', values: numbers } };
}
