import { nearest } from '../../contract/nearest.js';
import { ColumnError } from '../../errors.js';
import type { Cell, Tabular } from '../tabular.js';
import { type EmptyKind, type Vector, vectorOfCells } from './vector.js';

/** The vectors on which a frame was built; a place is empty once danfo or a user got hold of the column's own array. */
type Store = (Vector | undefined)[];

const stores = new WeakMap<object, Store>();

/** Lets a frame answer {@link vectorsOf} from ready vectors. Undefined takes that away again. */
export function keepVectors(frame: object, store: Store | undefined): void {
  if (store) stores.set(frame, store);
  else stores.delete(frame);
}

/**
 * The columns of a frame as vectors, in the order of its columns: the frame's own where they still are what it holds,
 * else read from danfo's arrays. Without rows, vectors of length 0.
 */
export function vectorsOf(frame: Tabular): Vector[] {
  return frame.columns.map((_, at) => vectorAt(frame, at));
}

/**
 * One column as a vector.
 *
 * @throws {ColumnError} If the frame has no such column: names the nearest.
 */
export function vectorOf(frame: Tabular, name: string): Vector {
  return vectorAt(frame, placeOf(frame, name));
}

/**
 * The place of a column among a frame's columns.
 *
 * @throws {ColumnError} If the frame has no such column: names the nearest.
 */
export function placeOf(frame: Tabular, name: string): number {
  const at = frame.columns.indexOf(name);
  if (at >= 0) return at;
  const near = nearest(name, frame.columns);
  const hint = near === undefined ? `It has ${frame.columns.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
  throw new ColumnError(`The frame has no column "${name}". ${hint}`);
}

function vectorAt(frame: Tabular, at: number): Vector {
  const kept = stores.get(frame)?.[at];
  if (kept) return kept;
  const cells: readonly Cell[] = frame.shape[0] === 0 ? [] : (frame.getColumnData[at] ?? []);
  return vectorOfCells(cells, emptyKindOf(frame, at));
}

function emptyKindOf({ dtypes }: Tabular & { readonly dtypes?: readonly string[] }, at: number): EmptyKind | undefined {
  const label = dtypes?.[at];
  if (label === 'float32' || label === 'int32') return 'number';
  return label === 'boolean' ? 'boolean' : label === 'string' ? 'text' : undefined;
}
