import { AnswerError } from '../../base/errors.js';
import type { Column, Dtype } from '../../contract/definition.js';
import { isIsoTime, shortestTimes } from '../vector/iso-time.js';
import { type Cell, isMissing, type Vector, vectorOfCells } from '../vector/vector.js';
import { describeVector } from './columns-of.js';

export const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** A double can print any decimal of up to 15 digits again; longer ones are ids or amounts in units. */
export const MAX_DIGITS = 15;
const ID_NAME = /(?:^|_)(?:ids?|hash|address|token|wallet|key)$|[a-z]I[dD]s?$/;

/** A column whose type was inferred, and its values. */
export interface InferredColumn {
  readonly column: Column;
  readonly vector: Vector;
}

/**
 * Infers a column from all its values, never from a sample. It is numeric only if its name is not that of an id and
 * either every value is a number or every value is plain decimal text of up to 15 digits; ids and long digit strings
 * stay text. Mixed types become text, and objects become their JSON. NaN is a missing number; a column of nothing but
 * NaN is numeric.
 *
 * @param values Values decoded from JSON, or other values; undefined if a record lacks the field.
 */
export function inferColumn(name: string, values: readonly unknown[]): InferredColumn {
  const present = values.filter((value) => !isNothing(value));
  const isId = ID_NAME.test(name);
  const numbers = present.length > 0 ? present : values.filter((value) => value !== undefined && value !== null);
  if (numbers.length > 0 && !isId && numbers.every(isNumber)) return numeric(name, values);
  if (present.length > 0 && !isId && present.every(isShortDecimal)) {
    const { column, vector } = numeric(name, values);
    return { column: { ...column, decimal: true }, vector };
  }
  if (present.length > 0 && present.every((value) => typeof value === 'boolean')) {
    return described(name, 'boolean', values, present, (value) => value as boolean);
  }
  const dtype = present.length > 0 && present.every(isMoment) ? 'datetime' : 'string';
  return described(name, dtype, values, present, textOf);
}

/** A column of values as they were sent, of any mix of types; lists and records become their JSON text. */
export function sentColumn(name: string, values: readonly unknown[]): InferredColumn {
  const cells = values.map((value) => (value === undefined || value === null ? null : sentCell(value)));
  return { column: { name, dtype: 'string', nullable: true, meaning: '' }, vector: { kind: 'mixed', cells } };
}

function sentCell(value: unknown): Cell {
  return typeof value === 'number' || typeof value === 'boolean' ? value : textOf(value);
}

function numeric(name: string, values: readonly unknown[]): InferredColumn {
  const cells = values.map((value) => (isNothing(value) ? Number.NaN : Number(value)));
  const vector = vectorOfCells(cells, 'number');
  return { column: describeVector(name, vector), vector };
}

function described(
  name: string,
  dtype: Dtype,
  values: readonly unknown[],
  present: readonly unknown[],
  cellOf: (value: unknown) => Cell,
): InferredColumn {
  const cells = values.map((value) => (isNothing(value) ? null : cellOf(value)));
  const column: Column = { name, dtype, nullable: present.length < values.length, meaning: '' };
  const vector = vectorOfCells(cells, 'text');
  return { column, vector: dtype === 'datetime' ? shortestTimes(vector) : vector };
}

function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new AnswerError('A field holds lists or records nested too deeply to be written as text.', { cause });
  }
}

function isNothing(value: unknown): boolean {
  return isMissing(value as Cell);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

/** Whether a value is the text of a plain decimal of up to 15 digits. */
export function isShortDecimal(value: unknown): boolean {
  return typeof value === 'string' && PLAIN_DECIMAL.test(value) && value.replace(/[-.]/g, '').length <= MAX_DIGITS;
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && isIsoTime(value);
}

/** Whether a column's name says that it holds ids, which stay text even if all of them are digits. */
export function isIdName(name: string): boolean {
  return ID_NAME.test(name);
}
