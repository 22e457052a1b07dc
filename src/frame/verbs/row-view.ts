import type { Cell, Tabular } from '../tabular.js';
import { unitsOf, type Vector } from '../vector/vector.js';
import { placeOf, vectorsOf } from '../vector/vectors-of.js';

/**
 * One row of a frame, read only: a missing number is NaN, another missing value null, an exact amount a double. If the
 * columns are not known at compile time, each may hold any value.
 */
export type RowView<Row extends object> = [keyof Row] extends [never]
  ? Readonly<Record<string, Cell>>
  : {
      readonly [Name in keyof Row]: [NonNullable<Row[Name]>] extends [number] ? number : Exclude<Row[Name], undefined>;
    };

/** A view that shows one row after another: move it by setting `row`. */
export interface MovableView<Row extends object> {
  readonly view: RowView<Row>;
  readonly cursor: { row: number };
}

/** A view on a frame's vectors, made once for all rows. */
export function rowView<Row extends object>(frame: Tabular): MovableView<Row> {
  const cursor = { row: 0 };
  const view = Object.create(unknownColumns(frame));
  for (const [at, vector] of vectorsOf(frame).entries()) {
    // Defined rather than assigned, so that a column may be named __proto__ too.
    const property = { get: readerOf(vector, cursor), enumerable: true, configurable: true };
    Object.defineProperty(view, frame.columns[at] ?? '', property);
  }
  return { view: Object.freeze(view) as RowView<Row>, cursor };
}

/** What a view falls back on: a name that is no column is an error, where it would be undefined and compare as false. */
function unknownColumns(frame: Tabular): object {
  return new Proxy(Object.freeze({}), {
    get: (_, name) => (typeof name === 'symbol' ? undefined : placeOf(frame, name)),
  });
}

function readerOf(vector: Vector, cursor: { readonly row: number }): () => Cell {
  switch (vector.kind) {
    case 'number': {
      const { values } = vector;
      return () => values[cursor.row];
    }
    case 'micros': {
      const { values } = vector;
      return () => unitsOf(values[cursor.row] as bigint);
    }
    case 'text': {
      const { codes, words } = vector;
      return () => words[codes[cursor.row] as number] ?? null;
    }
    case 'boolean': {
      const { values } = vector;
      const cells = [null, false, true];
      return () => cells[(values[cursor.row] as number) + 1];
    }
    default: {
      const { cells } = vector;
      return () => cells[cursor.row];
    }
  }
}
