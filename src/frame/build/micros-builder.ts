import type { Column } from '../../contract/definition.js';
import { MISSING_MICROS, type MicrosVector } from '../vector/vector.js';
import { type ColumnBuilder, grown, isNothing, trimmed } from './column-builder.js';
import type { Cursor } from './scan/cursor.js';
import { POWERS, scanDecimal } from './scan/scan-decimal.js';
import { scanNull } from './scan/scan-null.js';

const DECIMAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
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
    const micros = cursor.places > PLACES ? Number.NaN : number * (POWERS[PLACES - cursor.places] ?? 1);
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
    this.#values[to] = this.#values[from] ?? MISSING_MICROS;
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
  const match = typeof value === 'string' || typeof value === 'number' ? DECIMAL.exec(String(value)) : null;
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
