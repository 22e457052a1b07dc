import { ColumnError, UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { type PlainVector, plainVector } from '../vector/plain-vector.js';
import {
  type Cell,
  type EmptyKind,
  isBlank,
  lengthOf,
  MISSING_MICROS,
  type MicrosVector,
  missingVector,
  type NumberVector,
  type TextVector,
  unitsOf,
  type Vector,
  vectorOfCells,
} from '../vector/vector.js';

/** What reading a frame takes: names, a shape, and an array of values a column. Every danfo DataFrame has it. */
export interface Tabular {
  readonly columns: readonly string[];
  /** Rows, then columns. */
  readonly shape: readonly number[];
  /** One array a column, in the order of `columns`; may be empty where there are no rows. */
  readonly getColumnData: readonly (readonly Cell[])[];
}

/**
 * The names of a frame's columns. Every function that reads a frame asks for them first, so this is where values that
 * are no frames are refused.
 *
 * @throws {UsageError} If the value is no frame; the message says how to get one.
 */
export function columnNames(frame: Tabular): readonly string[] {
  const given: Partial<Tabular> | null | undefined = frame;
  if (Array.isArray(given?.columns) && Array.isArray(given.shape) && !('$isSeries' in given && given.$isSeries))
    return given.columns;
  throw new UsageError(`This needs a frame, but ${mistakeOf(frame)}`);
}

/** What is wrong with a value that is no frame, and how to get one: the end of a sentence. */
export function mistakeOf(given: unknown): string {
  if (Array.isArray(given)) return 'got an array: frameFromRecords([], records) makes a frame of an array of records.';
  if (typeof given !== 'object' || given === null)
    return `got ${given === null ? 'null' : `a value of type ${typeof given}`}.`;
  if ('$isSeries' in given && given.$isSeries)
    return 'got a Series, which is one column: new DataFrame({ pnl: series.values }) makes a frame of it.';
  if ('then' in given) return 'got a Promise of something: await it, as in await lab.pnl({ wallet }).frame().';
  if ('frame' in given)
    return 'got a query, which asks for nothing by itself: ask it for .frame(), as in await lab.pnl({ wallet }).frame().';
  return 'got an object without columns or shape: await lab.pnl({ wallet }).frame() answers a frame, and await readCsv() does.';
}

/**
 * The number of rows of a frame.
 *
 * @throws {UsageError} If the value is no frame; the message says how to get one.
 */
export function rowCount(frame: Tabular): number {
  columnNames(frame);
  return frame.shape[0] ?? 0;
}

/** A column as a frame was built on it, and what became of it. */
export class Slot {
  #source: Vector | (() => Vector);
  #isChanged = false;
  /** Exact amounts as doubles, once danfo or a user got hold of them. */
  array?: Cell[];

  /** @param source The column, or what makes it when it is first read: always the same. */
  constructor(source: Vector | (() => Vector)) {
    this.#source = source;
  }

  /** Whether the column still is to be made, as nobody has read it yet. */
  get isUnread(): boolean {
    return !this.#isChanged && typeof this.#source === 'function';
  }

  /** Whether the column is there without anything being read. */
  get isReady(): boolean {
    return !this.#isChanged && typeof this.#source !== 'function';
  }

  /** The column that the frame was built on. */
  source(): Vector {
    if (typeof this.#source === 'function') this.#source = this.#source();
    return this.#source;
  }

  /** The column; undefined once it may hold something else. */
  get vector(): Vector | undefined {
    return this.#isChanged ? undefined : this.source();
  }

  /** From now on danfo's array says what the column holds. */
  change(): void {
    this.#isChanged = true;
  }
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

/** Whether the column at a place is a vector already: otherwise {@link vectorsOf} reads all its values. */
export function isReadyAt(frame: Tabular, at: number): boolean {
  return stores.get(frame)?.[at]?.isReady === true;
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

/**
 * A column of a frame as it is now, for later: one that nobody has read yet is not made before.
 *
 * @param at Its place among the columns.
 */
export function vectorForLater(frame: Tabular, at: number): () => Vector {
  const slot = stores.get(frame)?.[at];
  if (slot?.isUnread) return () => slot.source();
  const vector = vectorAt(frame, at);
  return () => vector;
}

function vectorAt(frame: Tabular, at: number): Vector {
  const slot = stores.get(frame)?.[at];
  const vector = slot?.vector;
  if (slot && vector && (!slot.array || holds(slot.array, vector))) return vector;
  slot?.change();
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

/**
 * A numeric column of a frame of any kind, not copied: never change it. One without any value, such as that of a CSV file
 * without rows, is one of numbers that are all missing.
 *
 * @throws {ColumnError} If the frame has no such column or it holds something else.
 */
export function numericVector(frame: Tabular, name: string): NumberVector | MicrosVector {
  const vector = plainColumn(frame, name);
  if (vector.kind === 'number' || vector.kind === 'micros') return vector;
  if (isBlank(vector)) return missingVector('number', lengthOf(vector));
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
  if (isBlank(vector)) return missingVector('text', lengthOf(vector));
  const found = vector.kind === 'boolean' ? 'booleans' : 'numbers';
  throw new ColumnError(`The column "${name}" holds ${found}; it needs ${needed}.`);
}

/**
 * A column of a frame as a vector of one kind, not copied: never change it.
 *
 * @throws {ColumnError} If the frame has no such column, or it mixes kinds of values.
 */
export function plainColumn(frame: Tabular, name: string): PlainVector {
  return plainVector(name, vectorOf(frame, name));
}
