import type { Column, Dtype } from '../contract/definition.js';
import { describeColumns } from './columns-of.js';
import { DataFrame } from './danfo/danfo.js';
import { inheritProvenance } from './provenance.js';
import type { Cell, Tabular } from './tabular.js';
import { cellsOf, lengthOf, type Vector } from './vector/vector.js';
import { keepVectors, type Slot } from './vector/vectors-of.js';

/** Danfo's label for each dtype. It has none for doubles, whose label is `float32`; they keep full precision. */
const LABELS: Record<Dtype, string> = {
  string: 'string',
  boolean: 'boolean',
  int32: 'int32',
  float64: 'float32',
  datetime: 'string',
};

/**
 * Builds a frame from vectors. Danfo's columns, rows and row labels are made only when a method first asks for them,
 * each column separately, so that this takes the same time for any number of rows.
 *
 * @param columns Descriptions of the columns, which {@link columnsOf} returns.
 * @param vectors One vector for each column, of equal lengths.
 * @param sources The frames that the rows come from; the new one keeps their provenance.
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
 * Danfo's array of columns, each made when it is first read. From then on this array, not the vector, determines what
 * the column holds. Exact amounts, which it can hold only as doubles, stay known until it is changed.
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

/** Defines a property whose value is made when first read, and which is then ordinary; `stale` is then deleted. */
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
    // Reading an array that is not yet made would make it, and it would replace the vector.
    const made = Object.getOwnPropertyDescriptor(known, at)?.value as Cell[] | undefined;
    return made ?? cellsOf(vector);
  });
  return Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]));
}
