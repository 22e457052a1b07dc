import { ColumnError, UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { columnNames } from '../column-names.js';
import type { Cell, Tabular } from '../tabular.js';
import { type EmptyKind, MISSING_MICROS, unitsOf, type Vector, vectorOfCells } from './vector.js';

/** A column as a frame was built on it, and what became of it. */
export interface Slot {
  /** Absent once the column may hold something else. */
  vector: Vector | undefined;
  /** Exact amounts as doubles, once danfo or a user got hold of them. */
  array?: Cell[];
}

const stores = new WeakMap<object, readonly Slot[]>();

/** Lets a frame answer {@link vectorsOf} from ready vectors. Undefined takes that away again. */
export function keepVectors(frame: object, store: readonly Slot[] | undefined): void {
  if (store) stores.set(frame, store);
  else stores.delete(frame);
}

/**
 * The columns of a frame as vectors, in the order of its columns: the frame's own where they still are what it holds,
 * else read from danfo's arrays. Without rows, vectors of length 0.
 */
export function vectorsOf(frame: Tabular): Vector[] {
  return columnNames(frame).map((_, at) => vectorAt(frame, at));
}

/**
 * One column as a vector.
 *
 * @throws {ColumnError} If the frame has no such column: names the nearest.
 * @throws {UsageError} If it is no frame.
 */
export function vectorOf(frame: Tabular, name: string): Vector {
  return vectorAt(frame, placeOf(frame, name));
}

/**
 * The place of a column among a frame's columns. Whatever reads a column looks here for it.
 *
 * @throws {ColumnError} If the frame has no such column: names the nearest.
 * @throws {UsageError} If it is no frame, or the name no text.
 */
export function placeOf(frame: Tabular, name: string): number {
  const names = columnNames(frame);
  const at = names.indexOf(name);
  if (at >= 0) return at;
  if (typeof name !== 'string') throw new UsageError(`${notAName(name)} The frame has ${names.join(', ') || 'none'}.`);
  const near = nearest(name, names);
  const hint = near === undefined ? `It has ${names.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
  throw new ColumnError(`The frame has no column "${name}". ${hint}`);
}

/** What only TypeScript would have told. */
function notAName(given: unknown): string {
  const found = given === undefined ? 'no name' : given === null ? 'null' : `a value of type ${typeof given}`;
  return `A column is said by its name, as in 'pnl'; got ${found}.`;
}

function vectorAt(frame: Tabular, at: number): Vector {
  const slot = stores.get(frame)?.[at];
  if (slot?.vector && slot.array && !holds(slot.array, slot.vector)) slot.vector = undefined;
  if (slot?.vector) return slot.vector;
  const cells: readonly Cell[] = frame.shape[0] === 0 ? [] : (frame.getColumnData[at] ?? []);
  return vectorOfCells(cells, emptyKindOf(frame, at));
}

function emptyKindOf({ dtypes }: Tabular & { readonly dtypes?: readonly string[] }, at: number): EmptyKind | undefined {
  const label = dtypes?.[at];
  if (label === 'float32' || label === 'int32') return 'number';
  return label === 'boolean' ? 'boolean' : label === 'string' ? 'text' : undefined;
}

/** Whether an array that was handed out still is what its exact amounts are as doubles. */
function holds(array: readonly Cell[], vector: Vector): boolean {
  if (vector.kind !== 'micros' || array.length !== vector.values.length) return false;
  return array.every((cell, row) => Object.is(cell, unitsOf(vector.values[row] ?? MISSING_MICROS)));
}
