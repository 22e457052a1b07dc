import type { Column, Dtype } from '../contract/column.js';
import { describeColumns } from './columns-of.js';
import { DataFrame } from './danfo/danfo.js';
import { inheritProvenance } from './provenance.js';
import type { Cell, Tabular } from './tabular.js';
import { cellsOf, lengthOf, type Vector } from './vector/vector.js';
import { keepVectors, type Slot } from './vector/vectors-of.js';

/** Danfo's label of each dtype. It has no label for doubles; the values keep full precision under `float32`. */
const LABELS: Record<Dtype, string> = {
  string: 'string',
  boolean: 'boolean',
  int32: 'int32',
  float64: 'float32',
  datetime: 'string',
};

/**
 * Builds a frame on ready vectors. Danfo's columns, rows and row labels are made only when a method first asks for
 * them, each column on its own, so that this takes the same time for any number of rows.
 *
 * @param columns What each column is; {@link columnsOf} gives it back.
 * @param vectors One a column, of equal lengths.
 * @param sources The frames that the rows come from: the new one keeps their provenance.
 */
export function frameFromVectors<Row extends object = object>(
  columns: readonly Column[],
  vectors: readonly Vector[],
  ...sources: readonly Tabular[]
): DataFrame<Row> {
  const frame = new DataFrame([], {
    columns: columns.map(({ name }) => name),
    dtypes: columns.map(({ dtype }) => LABELS[dtype]),
  });
  const rows = vectors[0] === undefined ? 0 : lengthOf(vectors[0]);
  const slots: Slot[] = vectors.map((vector) => ({ vector }));
  keepVectors(frame, slots);
  if (rows > 0) fillLazily(frame, vectors, slots, rows);
  describeColumns(frame, columns);
  inheritProvenance(sources, frame);
  return frame as unknown as DataFrame<Row>;
}

function fillLazily(frame: DataFrame, vectors: readonly Vector[], slots: readonly Slot[], rows: number): void {
  let arrays: unknown = lazyArrays(slots);
  Object.defineProperty(frame, '$dataIncolumnFormat', {
    configurable: true,
    enumerable: true,
    get: () => arrays,
    set: (others) => {
      keepVectors(frame, undefined);
      arrays = others;
    },
  });
  defineLazily(frame, '$index', () => Array.from({ length: rows }, (_, row) => row));
  defineLazily(frame, '$data', () => rowsOf(vectors, arrays, rows), 'shape');
  Object.defineProperty(frame, 'shape', { configurable: true, get: () => [rows, frame.columns.length] });
}

/**
 * Danfo's array of columns, each made when first read. From then on it, not the vector, says what the column holds; but
 * exact amounts, which it can only hold as doubles, stay known as long as it is not changed.
 */
function lazyArrays(slots: readonly Slot[]): Cell[][] {
  const arrays: Cell[][] = [];
  for (const [at, slot] of slots.entries()) {
    const { vector } = slot;
    if (!vector) continue;
    const settle = (value: Cell[]) => {
      slot.vector = undefined;
      Object.defineProperty(arrays, at, { value, writable: true, configurable: true, enumerable: true });
      return value;
    };
    const exact = () => {
      slot.array ??= cellsOf(vector);
      return slot.array;
    };
    Object.defineProperty(arrays, at, {
      configurable: true,
      enumerable: true,
      get: vector.kind === 'micros' ? exact : () => settle(cellsOf(vector)),
      set: settle,
    });
  }
  return arrays;
}

/** A property that is made when first read, and then is an ordinary one; `stale` is deleted at that moment. */
function defineLazily(target: object, name: string, make: () => unknown, stale?: string): void {
  const settle = (value: unknown): unknown => {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
    if (stale !== undefined) Reflect.deleteProperty(target, stale);
    return value;
  };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    get: () => settle(make()),
    set: settle,
  });
}

function rowsOf(vectors: readonly Vector[], arrays: unknown, rows: number): Cell[][] {
  const known = arrays as Cell[][];
  const columns = vectors.map((vector, at) => {
    // Reading an array that is still to be made would give the column away.
    const made = Object.getOwnPropertyDescriptor(known, at)?.value as Cell[] | undefined;
    return made ?? cellsOf(vector);
  });
  return Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]));
}
