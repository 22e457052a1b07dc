import type { Column } from '../../contract/definition.js';
import {
  type BooleanVector,
  MISSING_MICROS,
  type MicrosVector,
  type NumberVector,
  type Vector,
} from '../vector/vector.js';
import { ALSE_WORD, TRUE_WORD } from './json-ends.js';
import { type Cursor, POWERS, scanDecimal, scanNull } from './scan-values.js';

/** Collects the values of one column. Rows may be written in any order, below the number that was reserved. */
export interface ColumnBuilder {
  readonly column: Column;
  /** What a value has to look like, for error messages. */
  readonly expected: string;
  /** Makes room for that many rows. */
  reserve(rows: number): void;
  /**
   * Reads the JSON value at the cursor into a row and moves the cursor past it.
   *
   * @returns False, with the cursor unmoved, if the value does not have the plain form that is expected.
   */
  scan(cursor: Cursor, row: number): boolean;
  /** Takes a decoded JSON value, undefined if the record lacks the field. Returns false if it does not fit. */
  put(row: number, value: unknown): boolean;
  /** Whether two rows hold the same value. */
  isSame(row: number, other: number): boolean;
  /** Moves a value to another row. */
  move(from: number, to: number): void;
  /** Returns the first rows as a vector of their own; the builder continues without rows. */
  take(rows: number): Vector;
  /** Returns the first rows as a vector; the builder cannot be used afterwards. */
  finish(rows: number): Vector;
}

/** Whether a value counts as missing: undefined, null, NaN or an empty text. Columns of text may allow empty text. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number.isNaN(value);
}

type Values = Float64Array | Int32Array | Int8Array | BigInt64Array;

/** A longer copy of an array; the array itself where it is long enough. */
export function grown<Array extends Values>(values: Array, rows: number): Array {
  if (values.length >= rows) return values;
  const longer = new (values.constructor as new (length: number) => Array)(rows);
  longer.set(values as never);
  return longer;
}

/** An array of the first rows: a view if it wastes little memory, else a copy. */
export function trimmed<Array extends Values>(values: Array, rows: number): Array {
  return (rows * 8 >= values.length * 7 ? values.subarray(0, rows) : values.slice(0, rows)) as Array;
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Builds a column of doubles or, by its dtype, of integers, from JSON numbers and from text of the same form. */
export class NumberBuilder implements ColumnBuilder {
  readonly column: Column;
  readonly expected: string;
  readonly #integers: boolean;
  #values = new Float64Array(0);

  constructor(column: Column) {
    this.column = column;
    this.#integers = column.dtype === 'int32';
    this.expected = this.#integers
      ? 'an integer, as a number or as decimal text'
      : 'a number or decimal text such as "12.5"';
  }

  reserve(rows: number): void {
    this.#values = grown(this.#values, rows);
  }

  scan(cursor: Cursor, row: number): boolean {
    const { at } = cursor;
    const number = scanDecimal(cursor);
    if (Number.isNaN(number)) return this.column.nullable && scanNull(cursor) && this.put(row, null);
    const { places } = cursor;
    if (places > 0 && this.#integers) {
      cursor.at = at;
      return false;
    }
    this.#values[row] = places > 0 ? number / (POWERS[places] as number) : number;
    return true;
  }

  put(row: number, value: unknown): boolean {
    const number = isNothing(value) && this.column.nullable ? Number.NaN : this.#read(value);
    if (number === undefined) return false;
    this.#values[row] = number;
    return true;
  }

  isSame(row: number, other: number): boolean {
    const [value, second] = [this.#values[row] as number, this.#values[other] as number];
    return value === second || (Number.isNaN(value) && Number.isNaN(second));
  }

  move(from: number, to: number): void {
    this.#values[to] = this.#values[from] as number;
  }

  take(rows: number): NumberVector {
    return { kind: 'number', values: this.#values.slice(0, rows) };
  }

  finish(rows: number): NumberVector {
    const values = trimmed(this.#values, rows);
    this.#values = new Float64Array(0);
    return { kind: 'number', values };
  }

  #read(value: unknown): number | undefined {
    if (typeof value !== 'number' && (typeof value !== 'string' || !DECIMAL.test(value))) return undefined;
    const number = Number(value);
    if (this.#integers) return Number.isSafeInteger(number) ? number : undefined;
    // A JavaScript number may be infinite, but text may not: pages keep numbers that are too large as text.
    return Number.isFinite(number) || (number === value && !Number.isNaN(number)) ? number : undefined;
  }
}

const AMOUNT = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const PLACES = 6;
/** A double can print any decimal of up to 15 digits again. */
const MAX_DIGITS = 15;
/** The largest amount, in micro-units: what 64 bits hold, rounded down to 9.2e12 units. */
const LIMIT = 9_200_000_000_000n * 1_000_000n;
const LIMIT_DIGITS = String(LIMIT).length;

/**
 * Builds a column of exact amounts. Text is read without rounding it to a double. A number that was already decoded and
 * has more than 15 digits is refused, since a double does not show what was sent.
 */
export class MicrosBuilder implements ColumnBuilder {
  readonly column: Column;
  readonly expected =
    'a decimal such as "12.5" with at most six places, within ±9.2e12, and no double of more digits than the 15 that ' +
    'it holds exactly, to be kept exactly';
  #values = new BigInt64Array(0);

  constructor(column: Column) {
    this.column = column;
  }

  reserve(rows: number): void {
    this.#values = grown(this.#values, rows);
  }

  scan(cursor: Cursor, row: number): boolean {
    const { at } = cursor;
    const number = scanDecimal(cursor);
    if (Number.isNaN(number)) return this.column.nullable && scanNull(cursor) && this.put(row, null);
    const micros = cursor.places > PLACES ? Number.NaN : number * (POWERS[PLACES - cursor.places] as number);
    if (!Number.isSafeInteger(micros)) {
      cursor.at = at;
      return false;
    }
    this.#values[row] = BigInt(micros);
    return true;
  }

  put(row: number, value: unknown): boolean {
    const micros = isNothing(value) && this.column.nullable ? MISSING_MICROS : exactMicros(value);
    if (micros === undefined) return false;
    this.#values[row] = micros;
    return true;
  }

  isSame(row: number, other: number): boolean {
    return this.#values[row] === this.#values[other];
  }

  move(from: number, to: number): void {
    this.#values[to] = this.#values[from] as bigint;
  }

  take(rows: number): MicrosVector {
    return { kind: 'micros', values: this.#values.slice(0, rows) };
  }

  finish(rows: number): MicrosVector {
    const values = trimmed(this.#values, rows);
    this.#values = new BigInt64Array(0);
    return { kind: 'micros', values };
  }
}

function exactMicros(value: unknown): bigint | undefined {
  const match = typeof value === 'string' || typeof value === 'number' ? AMOUNT.exec(String(value)) : null;
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  if (typeof value === 'number' && digits.length > MAX_DIGITS) return undefined;
  const micros = shifted(digits, PLACES - fraction.length + Number(power));
  if (micros === undefined || micros > LIMIT) return undefined;
  return sign ? -micros : micros;
}

/** Digits times a power of ten; undefined if that is no whole number, or far too large. */
function shifted(digits: string, power: number): bigint | undefined {
  if (digits === '0') return 0n;
  if (power < 0) return /[1-9]/.test(digits.slice(power)) ? undefined : BigInt(digits.slice(0, power));
  return digits.length + power > LIMIT_DIGITS ? undefined : BigInt(digits + '0'.repeat(power));
}

/** What stands for true and for false: as text, too, in the forms that filters are sent in. */
const WORDS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
]);

/** Builds a column of booleans. */
export class BooleanBuilder implements ColumnBuilder {
  readonly column: Column;
  readonly expected = 'true or false';
  #values = new Int8Array(0);

  constructor(column: Column) {
    this.column = column;
  }

  reserve(rows: number): void {
    this.#values = grown(this.#values, rows);
  }

  scan(cursor: Cursor, row: number): boolean {
    const { view, at } = cursor;
    // A word of four bytes tells `true` from `alse`; the `f` before that is checked separately.
    if (at + 5 > view.byteLength) return false;
    if (view.getInt32(at, true) === TRUE_WORD) {
      this.#values[row] = 1;
      cursor.at = at + 4;
      return true;
    }
    if (view.getInt32(at + 1, true) !== ALSE_WORD)
      return this.column.nullable && scanNull(cursor) && this.put(row, null);
    if (cursor.bytes[at] !== 0x66) return false;
    this.#values[row] = 0;
    cursor.at = at + 5;
    return true;
  }

  put(row: number, value: unknown): boolean {
    if (isNothing(value)) {
      this.#values[row] = -1;
      return this.column.nullable;
    }
    const isTrue = WORDS.get(value);
    if (isTrue === undefined) return false;
    this.#values[row] = isTrue ? 1 : 0;
    return true;
  }

  isSame(row: number, other: number): boolean {
    return this.#values[row] === this.#values[other];
  }

  move(from: number, to: number): void {
    this.#values[to] = this.#values[from] as number;
  }

  take(rows: number): BooleanVector {
    return { kind: 'boolean', values: this.#values.slice(0, rows) };
  }

  finish(rows: number): BooleanVector {
    const values = trimmed(this.#values, rows);
    this.#values = new Int8Array(0);
    return { kind: 'boolean', values };
  }
}
