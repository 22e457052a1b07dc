import type { Column, Dtype } from '../../contract/definition.js';
import { columnsOf, describeColumns } from '../tabular/columns-of.js';
import { inheritProvenance } from '../tabular/provenance.js';
import { keepVectors, rowCount, Slot, type Tabular, vectorForLater } from '../tabular/tabular.js';
import { type Runs, runsOf, takeVector } from '../vector/take-vector.js';
import { type Cell, cellsOf, type EmptyKind, lengthOf, type Vector, vectorOfCells } from '../vector/vector.js';
import { DataFrame } from './danfo.js';

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
  const slots = vectors.map((vector) => new Slot(vector));
  return frameOfSlots(columns, slots, vectors[0] === undefined ? 0 : lengthOf(vectors[0]), sources);
}

/** Like {@link frameFromVectors}, of columns that may still be to be made when they are first read. */
export function frameOfSlots<Row extends object = object>(
  columns: readonly Column[],
  slots: readonly Slot[],
  rows: number,
  sources: readonly Tabular[] = [],
): DataFrame<Row> {
  const frame = new DataFrame([], {
    columns: columns.map(({ name }) => name),
    dtypes: columns.map(({ dtype }) => LABELS[dtype]),
  });
  keepVectors(frame, slots);
  if (rows > 0) fillLazily(frame, slots, rows);
  describeColumns(frame, columns);
  inheritProvenance(sources, frame);
  return frame as unknown as DataFrame<Row>;
}

function fillLazily(frame: DataFrame, slots: readonly Slot[], rows: number): void {
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
  defineLazily(frame, '$data', () => rowsOf(slots, arrays, rows), 'shape');
  Object.defineProperty(frame, 'shape', { configurable: true, get: () => [rows, frame.columns.length] });
}

/**
 * Danfo's array of columns, each made when it is first read. From then on this array, not the vector, determines what
 * the column holds. Exact amounts, which it can hold only as doubles, stay known until it is changed.
 */
function lazyArrays(slots: readonly Slot[]): Cell[][] {
  const arrays: Cell[][] = [];
  for (const [at, slot] of slots.entries()) {
    const settle = (value: Cell[]) => {
      slot.change();
      Object.defineProperty(arrays, at, { value, writable: true, configurable: true, enumerable: true });
      return value;
    };
    const read = () => {
      const vector = slot.source();
      if (vector.kind !== 'micros') return settle(cellsOf(vector));
      slot.array ??= cellsOf(vector);
      return slot.array;
    };
    Object.defineProperty(arrays, at, { configurable: true, enumerable: true, get: read, set: settle });
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

function rowsOf(slots: readonly Slot[], arrays: unknown, rows: number): Cell[][] {
  const known = arrays as Cell[][];
  const columns = slots.map((slot, at) => {
    // Reading an array that is not yet made would make it, and it would replace the vector.
    const made = Object.getOwnPropertyDescriptor(known, at)?.value as Cell[] | undefined;
    return made ?? cellsOf(slot.source());
  });
  return Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]));
}

const EMPTY_KINDS: Readonly<Record<Dtype, EmptyKind>> = {
  float64: 'number',
  int32: 'number',
  boolean: 'boolean',
  string: 'text',
  datetime: 'text',
};

/**
 * Builds a frame from plain arrays of cells.
 *
 * @param columns Descriptions of the columns, which {@link columnsOf} returns.
 * @param arrays One array for each column, of equal lengths; the frame takes them over.
 * @param sources The frames that the rows come from; the new one keeps their provenance.
 */
export function frameFromColumns<Row extends object = object>(
  columns: readonly Column[],
  arrays: readonly (readonly Cell[])[],
  ...sources: readonly Tabular[]
): DataFrame<Row> {
  return frameFromVectors<Row>(columns, vectorsOfArrays(columns, arrays), ...sources);
}

/** The vectors of plain arrays of cells, one for each column; they take the arrays over. */
export function vectorsOfArrays(columns: readonly Column[], arrays: readonly (readonly Cell[])[]): Vector[] {
  return arrays.map((cells, at) => vectorOfCells(cells, EMPTY_KINDS[columns[at]?.dtype ?? 'string']));
}

/** Rows up to which a column is taken at once, since that takes less time than to remember how. */
const FEW = 1000;

/**
 * A frame of some rows of another, by position and in the order given; the row labels start at 0 again. A column is taken
 * when it is first read, unless the rows are few: a frame of few must not keep one of many in memory.
 */
export function takeRows<Row extends object>(frame: DataFrame<Row>, rows: Uint32Array): DataFrame<Row> {
  const isFew = rows.length <= FEW || rows.length < rowCount(frame) / 4;
  let runs: { found: Runs | undefined } | undefined;
  const take = (vector: Vector): Vector => {
    runs ??= { found: runsOf(rows) };
    return takeVector(vector, rows, runs.found);
  };
  const slots = frame.columns.map((_, at) => {
    const from = vectorForLater(frame, at);
    return new Slot(isFew ? takeVector(from(), rows) : () => take(from()));
  });
  return frameOfSlots<Row>(columnsOf(frame), slots, rows.length, [frame]);
}
