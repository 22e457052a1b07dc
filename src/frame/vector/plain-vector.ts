import { ColumnError } from '../../errors.js';
import type { Cell, Tabular } from '../tabular.js';
import { isMissing } from './is-missing.js';
import {
  type MicrosVector,
  type MixedVector,
  type NumberVector,
  unitsOf,
  type Vector,
  vectorOfCells,
} from './vector.js';
import { vectorOf } from './vectors-of.js';

/** A column whose values are all of one kind. */
export type PlainVector = Exclude<Vector, MixedVector>;

/**
 * A vector of one kind: dates become ISO 8601 text, big integers doubles.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If it mixes kinds of values.
 */
export function plainVector(name: string, vector: Vector): PlainVector {
  if (vector.kind !== 'mixed') return vector;
  const plain = vectorOfCells(vector.cells.map(plainCell));
  if (plain.kind !== 'mixed') return plain;
  const kinds = [...new Set(plain.cells.filter((cell) => !isMissing(cell)).map((cell) => typeof cell))];
  throw new ColumnError(`The column "${name}" mixes ${kinds.join(' and ')} values: convert it to one kind first.`);
}

function plainCell(cell: Cell): Cell {
  return cell instanceof Date ? cell.toISOString() : typeof cell === 'bigint' ? Number(cell) : cell;
}

/**
 * A numeric column of a frame of any kind, not copied: never change it.
 *
 * @throws {ColumnError} If the frame has no such column or it holds no numbers.
 */
export function numericVector(frame: Tabular, name: string): NumberVector | MicrosVector {
  const vector = plainColumn(frame, name);
  if (vector.kind === 'number' || vector.kind === 'micros') return vector;
  const kind = vector.kind === 'boolean' ? 'booleans' : 'text';
  throw new ColumnError(`The column "${name}" holds ${kind}, but numbers are needed.`);
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
