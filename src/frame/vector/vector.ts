import { endianness } from 'node:os';
import { OddslabError } from '../../base/errors.js';

// The halves of 64-bit numbers are taken from where little-endian machines keep them.
if (endianness() === 'BE') {
  throw new OddslabError('Oddslab needs a machine that keeps the low byte of a number first, such as x64 or arm64.');
}

/** A value in a frame. Missing numbers are NaN, missing text is null. */
export type Cell = string | number | boolean | bigint | Date | null | undefined;

/** Doubles; NaN where a value is missing. */
export interface NumberVector {
  readonly kind: 'number';
  readonly values: Float64Array;
}

/** Integer micro-units of one, exact to the last of them; {@link MISSING_MICROS} where a value is missing. */
export interface MicrosVector {
  readonly kind: 'micros';
  readonly values: BigInt64Array;
}

/** Text by number of its word, -1 where a value is missing. */
export interface TextVector {
  readonly kind: 'text';
  readonly codes: Int32Array;
  /** May hold words that no row has. */
  readonly words: readonly string[];
  /** Whether no two words are equal, so that equal codes are the same as equal texts. */
  readonly distinct: boolean;
}

/** 1 for true, 0 for false, -1 where a value is missing. */
export interface BooleanVector {
  readonly kind: 'boolean';
  readonly values: Int8Array;
}

/** Whatever else a frame that danfo made may hold: mixed kinds, dates as objects, big integers. */
export interface MixedVector {
  readonly kind: 'mixed';
  readonly cells: readonly Cell[];
}

/** The values of one column, as our verbs work on them. Vectors are shared between frames: never change one. */
export type Vector = NumberVector | MicrosVector | TextVector | BooleanVector | MixedVector;

/** Stands in a {@link MicrosVector} for a missing value. */
export const MISSING_MICROS = -(2n ** 63n);

const MICRO = 1e6;

/** Rows of a vector. */
export function lengthOf(vector: Vector): number {
  if (vector.kind === 'text') return vector.codes.length;
  return vector.kind === 'mixed' ? vector.cells.length : vector.values.length;
}

/** The value in one row: NaN for a missing number, null for anything else missing; exact amounts as doubles. */
export function cellAt(vector: Vector, row: number): Cell {
  switch (vector.kind) {
    case 'number':
      return vector.values[row];
    case 'micros':
      return unitsOf(vector.values[row] ?? MISSING_MICROS);
    case 'text':
      return vector.words[vector.codes[row] ?? -1] ?? null;
    case 'boolean':
      return booleanOf(vector.values[row]);
    default:
      return vector.cells[row];
  }
}

/** All values as a plain array of cells, as danfo works on them; see {@link cellAt}. */
export function cellsOf(vector: Vector): Cell[] {
  switch (vector.kind) {
    case 'number':
      return Array.from(vector.values);
    case 'micros':
      return Array.from(vector.values, unitsOf);
    case 'text':
      return Array.from(vector.codes, (code) => vector.words[code] ?? null);
    case 'boolean':
      return Array.from(vector.values, booleanOf);
    default:
      return [...vector.cells];
  }
}

/** Micro-units as a double in units; NaN for a missing value. */
export function unitsOf(micros: bigint): number {
  return micros === MISSING_MICROS ? Number.NaN : Number(micros) / MICRO;
}

function booleanOf(value: number | undefined): boolean | null {
  return value === 1 ? true : value === 0 ? false : null;
}

/** What a column is that holds no value, from which its kind could be seen. */
export type EmptyKind = 'number' | 'text' | 'boolean';

/**
 * The vector of a plain array of cells: of one kind where all of them are, else mixed.
 *
 * @param empty Its kind where all of them are missing. Default text, or numbers where NaN stands for missing.
 */
export function vectorOfCells(cells: readonly Cell[], empty?: EmptyKind): Vector {
  const kind = typeof cells.find((cell) => !isMissing(cell));
  if (kind === 'undefined') {
    return missingVector(empty ?? (cells.some((cell) => typeof cell === 'number') ? 'number' : 'text'), cells.length);
  }
  const isAlike = cells.every((cell) => isMissing(cell) || typeof cell === kind);
  if (isAlike && kind === 'number') {
    return { kind, values: Float64Array.from<Cell>(cells, (cell) => (isMissing(cell) ? Number.NaN : Number(cell))) };
  }
  if (isAlike && kind === 'boolean') {
    return { kind, values: Int8Array.from<Cell>(cells, (cell) => (isMissing(cell) ? -1 : Number(cell))) };
  }
  if (isAlike && kind === 'string') {
    const codes = Int32Array.from<Cell>(cells, (cell, row) => (isMissing(cell) ? -1 : row));
    return { kind: 'text', codes, words: cells as readonly string[], distinct: false };
  }
  return { kind: 'mixed', cells };
}

/** A vector without any value. */
export function missingVector<Kind extends EmptyKind>(kind: Kind, rows: number): Extract<Vector, { kind: Kind }>;
export function missingVector(kind: EmptyKind, rows: number): Vector {
  if (kind === 'number') return { kind, values: new Float64Array(rows).fill(Number.NaN) };
  if (kind === 'boolean') return { kind, values: new Int8Array(rows).fill(-1) };
  return { kind, codes: new Int32Array(rows).fill(-1), words: [], distinct: true };
}

/** Whether a cell holds nothing: null, undefined or NaN. An empty string is a value. */
export function isMissing(cell: Cell): cell is null | undefined {
  return cell === null || cell === undefined || (typeof cell === 'number' && Number.isNaN(cell));
}

/** Whether a vector holds nothing in one row. */
export function missingAt(vector: Vector, row: number): boolean {
  switch (vector.kind) {
    case 'number':
      return Number.isNaN(vector.values[row]);
    case 'micros':
      return vector.values[row] === MISSING_MICROS;
    case 'text':
      return (vector.codes[row] as number) < 0;
    case 'boolean':
      return (vector.values[row] as number) < 0;
    default:
      return isMissing(vector.cells[row]);
  }
}

/** Whether a vector has no value at all: nothing tells of what kind it would be, whatever kind it is kept as. */
export function isBlank(vector: Vector): boolean {
  for (let row = 0; row < lengthOf(vector); row += 1) if (!missingAt(vector, row)) return false;
  return true;
}

const BYTES: Readonly<Record<Vector['kind'], number>> = { number: 8, micros: 8, text: 4, boolean: 1, mixed: 8 };

/** The bytes that a row of some vectors takes, words and objects not counted. */
export function bytesOfRow(vectors: readonly Vector[]): number {
  return vectors.reduce((sum, { kind }) => sum + BYTES[kind], 0);
}
