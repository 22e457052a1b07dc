import type { Dtype } from '../../contract/definition.js';
import { knownColumns } from '../columns-of.js';
import { toIsoTime, WHOLE_SECOND } from '../iso-time.js';
import type { Tabular } from '../tabular.js';
import { dateText } from './date-text.js';
import { describeVector } from './describe-vector.js';
import { type MixedVector, type Vector, vectorOfCells } from './vector.js';
import { vectorOf } from './vectors-of.js';

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

/** {@link comparedVector} of a column of a frame. */
export function comparedColumn(frame: Tabular, name: string): Vector {
  const vector = vectorOf(frame, name);
  return comparedVector(name, comparedDtype(frame, name, vector), vector);
}

/** The dtype of a column; of numbers and booleans, without looking at them, just not that of times. */
export function comparedDtype(frame: Tabular, name: string, vector: Vector): Dtype {
  if (vector.kind !== 'text' && vector.kind !== 'mixed') return 'float64';
  return (knownColumns(frame)?.get(name) ?? describeVector(name, vector)).dtype;
}

/** The fraction of a second stands behind the Z, so that the moment without one comes first. */
function comparedTime(word: string | null | undefined): string {
  if (!word || word.length === WHOLE_SECOND) return word ?? '';
  const time = toIsoTime(word);
  if (time === undefined) return word;
  return time.length === 10 ? `${time}T00:00:00Z` : `${time.slice(0, 19)}Z${time.slice(19, -1)}`;
}
