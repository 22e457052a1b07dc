import type { Column } from '../contract/column.js';
import { toIsoTime } from './iso-time.js';
import type { Cell } from './tabular.js';

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * Reads one JSON value as its column says. Numbers come as JSON numbers or as plain decimal text; null, an empty
 * string and nothing are missing where the column is nullable.
 *
 * @param value What the record holds; undefined where it lacks the field.
 * @returns The cell: NaN for a missing number, null for anything else missing; undefined where the value does not fit.
 */
export function decodeCell(column: Column, value: unknown): Cell {
  const numeric = column.dtype === 'float64' || column.dtype === 'int32';
  if (value === undefined || value === null || (value === '' && (column.nullable || column.dtype !== 'string'))) {
    if (!column.nullable) return undefined;
    return numeric ? Number.NaN : null;
  }
  if (numeric) return decodeNumber(column, value);
  if (column.dtype === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (typeof value !== 'string') return undefined;
  return column.dtype === 'datetime' ? toIsoTime(value) : value;
}

function decodeNumber(column: Column, value: unknown): number | undefined {
  let number: number;
  if (typeof value === 'number') number = value;
  else if (typeof value === 'string' && DECIMAL.test(value)) number = Number(value);
  else return undefined;
  const fits = column.dtype === 'int32' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return fits ? number : undefined;
}

/** What a value of a column has to look like, for error messages. */
export function expectedOf(column: Column): string {
  const kind = {
    float64: 'a number or plain decimal text such as "12.5"',
    int32: 'an integer, as a number or as decimal text',
    boolean: 'true or false',
    string: 'text',
    datetime: 'ISO 8601 text such as "2025-11-01T00:00:00Z"',
  }[column.dtype];
  return column.nullable ? `${kind}, or null` : kind;
}
