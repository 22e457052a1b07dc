import { ColumnError } from '../../base/errors.js';
import type { Cell, Tabular } from '../tabular.js';
import { dateText } from './date-text.js';
import { isBlank } from './is-blank.js';
import { isMissing } from './is-missing.js';
import {
  lengthOf,
  type MicrosVector,
  type MixedVector,
  type NumberVector,
  type TextVector,
  unitsOf,
  type Vector,
  vectorOfCells,
} from './vector.js';
import { vectorOf } from './vectors-of.js';

/** A column whose values are all of one kind. */
export type PlainVector = Exclude<Vector, MixedVector>;

/** The integers from which on a double no longer holds each of them. */
const EXACT_LIMIT = 2n ** 53n;

/**
 * A vector of one kind: dates become ISO 8601 text; big integers doubles where all are below 2⁵³, else text, so that none
 * is rounded.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it mixes kinds of values, as of big integers that are too large for doubles with doubles, or
 * holds an invalid date.
 */
export function plainVector(name: string, vector: Vector): PlainVector {
  if (vector.kind !== 'mixed') return vector;
  const asText = vector.cells.some(isLarge) && bigIntegersOf(vector) !== undefined;
  const plain = vectorOfCells(vector.cells.map((cell, row) => plainCell(cell, asText, name, row)));
  if (plain.kind !== 'mixed') return plain;
  const kinds = [...new Set(plain.cells.filter((cell) => !isMissing(cell)).map((cell) => typeof cell))];
  throw new ColumnError(`The column "${name}" mixes ${kinds.join(' and ')} values: convert it to one kind first.`);
}

function plainCell(cell: Cell, asText: boolean, name: string, row: number): Cell {
  if (cell instanceof Date) return dateText(cell, name, row);
  if (typeof cell !== 'bigint') return cell;
  if (asText) return String(cell);
  return isLarge(cell) ? cell : Number(cell);
}

function isLarge(cell: Cell): boolean {
  return typeof cell === 'bigint' && (cell >= EXACT_LIMIT || cell <= -EXACT_LIMIT);
}

/**
 * The values of a column that holds big integers and nothing else, null where one is missing: {@link plainVector} may
 * make text of them, which has another order. Undefined for every other column.
 */
export function bigIntegersOf(vector: Vector): (bigint | null)[] | undefined {
  if (vector.kind !== 'mixed') return undefined;
  const integers: (bigint | null)[] = [];
  for (const cell of vector.cells) {
    if (typeof cell === 'bigint') integers.push(cell);
    else if (isMissing(cell)) integers.push(null);
    else return undefined;
  }
  return integers;
}

/**
 * A numeric column of a frame of any kind, not copied: never change it. One without any value, such as that of a CSV file
 * without rows, is one of numbers that are all missing.
 *
 * @throws {ColumnError} If the frame has no such column or it holds something else.
 */
export function numericVector(frame: Tabular, name: string): NumberVector | MicrosVector {
  const vector = plainColumn(frame, name);
  if (vector.kind === 'number' || vector.kind === 'micros') return vector;
  if (isBlank(vector)) return { kind: 'number', values: new Float64Array(lengthOf(vector)).fill(Number.NaN) };
  const kind = vector.kind === 'boolean' ? 'booleans' : 'text';
  throw new ColumnError(`The column "${name}" holds ${kind}, but numbers are needed.`);
}

/**
 * A column of text, such as one of dates, not copied: never change it. One without any value is one of text that is
 * missing everywhere.
 *
 * @param needed What it should hold, for the error.
 * @throws {ColumnError} If the frame has no such column or it holds no text.
 */
export function textVector(frame: Tabular, name: string, needed: string): TextVector {
  const vector = plainColumn(frame, name);
  if (vector.kind === 'text') return vector;
  if (isBlank(vector))
    return { kind: 'text', codes: new Int32Array(lengthOf(vector)).fill(-1), words: [], distinct: true };
  const found = vector.kind === 'boolean' ? 'booleans' : 'numbers';
  throw new ColumnError(`The column "${name}" holds ${found}; it needs ${needed}.`);
}

/** The values of a numeric vector as doubles, not copied where they are doubles already: never change them. */
export function doublesOf(vector: NumberVector | MicrosVector): Float64Array {
  return vector.kind === 'number' ? vector.values : Float64Array.from(vector.values, unitsOf);
}

/**
 * A column of a frame as a vector of one kind, not copied: never change it.
 *
 * @throws {ColumnError} If the frame has no such column, or it mixes kinds of values.
 */
export function plainColumn(frame: Tabular, name: string): PlainVector {
  return plainVector(name, vectorOf(frame, name));
}
