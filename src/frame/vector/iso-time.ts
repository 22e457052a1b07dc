import { ColumnError } from '../../base/errors.js';
import type { Dtype } from '../../contract/definition.js';
import { dayOfDate } from '../../contract/time.js';
import { type MixedVector, type Vector, vectorOfCells } from './vector.js';

const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?`;
const UTC_TIME = new RegExp(`^${DAY}(?:T${CLOCK}Z)?$`);
const ANY_TIME = new RegExp(`^(${DAY})[T ](${CLOCK})(Z|[+-]\\d{2}(?::?\\d{2})?)?$`);
/** Length of `YYYY-MM-DDTHH:MM:SSZ`, the only form of a time in UTC with this length. */
export const WHOLE_SECOND = 20;

/** Whether a text is an ISO 8601 date, or date and time in UTC, of a day that exists. */
export function isIsoTime(text: string): boolean {
  return UTC_TIME.test(text) && isDay(text);
}

/**
 * Converts a date, or a date and time, to the one form in which frames hold it. A date stays as it is. A time is in UTC
 * with seconds and, if it has a fraction of a second, 3, 6, 9 … digits of it, as few as needed.
 *
 * @param text A date, or a date and time with `T` or a blank between them and an offset; without an offset it is UTC.
 * @returns Undefined if it is not a time, or its day does not exist, such as 30 February.
 * @example toIsoTime('2025-11-05 14:30:00.500000+02'); // '2025-11-05T12:30:00.500Z'
 */
export function toIsoTime(text: string): string | undefined {
  if (UTC_TIME.test(text) && (text.length === WHOLE_SECOND || text.length === 10)) {
    return isDay(text) ? text : undefined;
  }
  const [, day = '', clock = '', offset = 'Z'] = ANY_TIME.exec(text) ?? [];
  if (day === '' || !isDay(day)) return undefined;
  const zone = offset === 'Z' ? offset : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
  const [whole = '', fraction = ''] = clock.split('.');
  const time = new Date(`${day}T${whole}${zone}`);
  if (Number.isNaN(time.getTime())) return undefined;
  const utc = time.toISOString();
  return /^\d{4}-/.test(utc) ? utc.replace('.000Z', `${shortest(fraction)}Z`) : undefined;
}

/** Whether the day at the beginning of a text exists. The pattern that matched it allows 31 days in every month. */
function isDay(text: string): boolean {
  return text.slice(8, 10) < '29' || dayOfDate(text.slice(0, 10)) !== undefined;
}

function shortest(fraction: string): string {
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? '' : `.${digits.padEnd(3 * Math.ceil(digits.length / 3), '0')}`;
}

/**
 * The values of a column of times in the form in which frames hold them, see {@link toIsoTime}; the vector itself where
 * they are so already, or are no text.
 */
export function shortestTimes(vector: Vector): Vector {
  if (vector.kind !== 'text') return vector;
  const words = vector.words.map((word) => (typeof word === 'string' ? (toIsoTime(word) ?? word) : word));
  if (words.every((word, code) => word === vector.words[code])) return vector;
  return { kind: 'text', codes: vector.codes, words, distinct: false };
}

/**
 * A date in a frame as ISO 8601 text, in the form in which frames hold times.
 *
 * @param name Its column, and `row` its row from 0, for the error.
 * @throws {ColumnError} If the date is invalid, so that no text can say it.
 */
export function dateText(date: Date, name: string, row: number): string {
  if (!Number.isNaN(date.getTime())) return date.toISOString().replace('.000Z', 'Z');
  throw new ColumnError(
    `The column "${name}" holds an invalid date in row ${row}, counted from 0: put null where there is none.`,
  );
}

/**
 * The values of a column as keys and orders compare them: times as text that is equal for equal moments and sorts by
 * time, whatever their forms; all else as it is.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it holds an invalid date.
 */
export function comparedVector(name: string, dtype: Dtype, vector: Vector): Vector {
  if (dtype !== 'datetime') return vector;
  const times = vector.kind === 'mixed' ? datesAsText(name, vector) : vector;
  if (times.kind !== 'text') return times;
  const { codes, words } = times;
  if (words.every((word) => word?.length === WHOLE_SECOND)) return times;
  return { kind: 'text', codes, words: words.map(comparedTime), distinct: false };
}

function datesAsText(name: string, { cells }: MixedVector): Vector {
  return vectorOfCells(cells.map((cell, row) => (cell instanceof Date ? dateText(cell, name, row) : cell)));
}

/** The fraction of a second stands behind the Z, so that the moment without one comes first. */
function comparedTime(word: string | null | undefined): string {
  if (!word || word.length === WHOLE_SECOND) return word ?? '';
  const time = toIsoTime(word);
  if (time === undefined) return word;
  return time.length === 10 ? `${time}T00:00:00Z` : `${time.slice(0, 19)}Z${time.slice(19, -1)}`;
}
