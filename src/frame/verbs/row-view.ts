import { UsageError } from '../../base/errors.js';
import { placeOf, type Tabular, vectorForLater, vectorOf } from '../tabular/tabular.js';
import { type Cell, cellAt, unitsOf, type Vector } from '../vector/vector.js';

/**
 * One row of a frame, read only: a missing number is NaN, another missing value null, an exact amount a double. If the
 * columns are not known at compile time, each may hold any value.
 */
export type RowView<Row extends object> = [keyof Row] extends [never]
  ? Readonly<Record<string, Cell>>
  : {
      readonly [Name in keyof Row]: IsAny<Row[Name]> extends true
        ? Row[Name]
        : [NonNullable<Row[Name]>] extends [number]
          ? number
          : Exclude<Row[Name], undefined>;
    };

/** Whether a type is `any`, as of rows that JSON holds: nothing else takes each type and is each of them. */
type IsAny<Type> = 0 extends 1 & Type ? true : false;

/** The row that a view shows. */
export interface Cursor {
  row: number;
}

/** Views by their columns: code that meets the same one each time runs faster than with a new one. */
const views = new Map<string, MovableView>();
const MOST_VIEWS = 50;

/** Does something with a view on a frame's rows, made once for all of them. */
export function withRowView<Row extends object, Result>(
  frame: Tabular,
  work: (view: RowView<Row>, cursor: Cursor) => Result,
): Result {
  const key = JSON.stringify(frame.columns);
  const known = views.get(key);
  // A test may itself filter rows of the same columns.
  const shown = known?.isFree ? known : new MovableView(frame.columns);
  if (!known && views.size < MOST_VIEWS) views.set(key, shown);
  shown.show(frame);
  try {
    return work(shown.view as RowView<Row>, shown.cursor);
  } finally {
    shown.show(undefined);
  }
}

/** A view of rows with certain columns, which shows one row after another: move it by setting the cursor's `row`. */
class MovableView {
  readonly cursor: Cursor = { row: 0 };
  readonly view: object;
  readonly #columns: ReadonlyMap<string, ShownColumn>;
  #frame: Tabular | undefined;

  constructor(names: readonly string[]) {
    this.view = Object.create(new Proxy(Object.freeze({}), { get: (_, name) => this.#missing(name) }));
    this.#columns = new Map(names.map((name) => [name, new ShownColumn()]));
    for (const [name, column] of this.#columns) this.#define(name, () => this.#first(name, column));
    Object.preventExtensions(this.view);
    // What has several getters, V8 keeps as a table that it looks each of them up in, unless something inherits from it:
    // a test of a million rows takes 10 ms instead of 14.
    Object.create(this.view);
  }

  get isFree(): boolean {
    return this.#frame === undefined;
  }

  /** Shows rows of a frame, or lets go of it. */
  show(frame: Tabular | undefined): void {
    this.#frame = frame;
    for (const column of this.#columns.values()) column.keep(undefined);
  }

  /** Defined rather than assigned, so that a column may be named __proto__ too. */
  #define(name: string, get: () => Cell): void {
    Object.defineProperty(this.view, name, { get, enumerable: true, configurable: true });
  }

  /** Reads a column for the first time, which makes it: only columns that the code reads are made. */
  #first(name: string, column: ShownColumn): Cell {
    if (!this.#frame) {
      throw new UsageError(
        'This row is no longer shown: what a function is given is one object for all rows. Copy it: { ...row }.',
      );
    }
    const vector = vectorForLater(this.#frame, placeOf(this.#frame, name))();
    // The same getter as for other frames, which the code that reads it has met, unless the column is of another kind.
    if (column.keep(vector)) {
      // A proxy, as V8 would build what makes a column into each test that reads it, which then takes an eighth longer.
      const first = new Proxy((): Cell => this.#first(name, column), {});
      this.#define(name, readerOf(vector.kind, column, this.cursor, first));
    }
    return cellAt(vector, this.cursor.row);
  }

  /** A name that is no column is an error, where it would be undefined and compare as false. */
  #missing(name: string | symbol): unknown {
    if (typeof name === 'symbol' || !this.#frame) return undefined;
    return cellAt(vectorOf(this.#frame, name), this.cursor.row);
  }
}

/** A column of the rows that a view shows. All of it is undefined until it is read. */
class ShownColumn {
  vector: Vector | undefined;
  /** The same as the reader of its kind takes it. */
  numbers: Float64Array | undefined;
  micros: BigInt64Array | undefined;
  codes: Int32Array | undefined;
  words: readonly string[] = [];
  #kind: Vector['kind'] | undefined;

  /** Keeps the column, or lets go of it; true if it is of another kind than the one before. */
  keep(vector: Vector | undefined): boolean {
    this.vector = vector;
    this.numbers = vector?.kind === 'number' ? vector.values : undefined;
    this.micros = vector?.kind === 'micros' ? vector.values : undefined;
    this.codes = vector?.kind === 'text' ? vector.codes : undefined;
    this.words = vector?.kind === 'text' ? vector.words : [];
    const isOther = vector !== undefined && vector.kind !== this.#kind;
    if (isOther) this.#kind = vector.kind;
    return isOther;
  }
}

/** A reader a kind, so that a number is read as one and never made an object. */
function readerOf(kind: Vector['kind'], column: ShownColumn, cursor: Cursor, first: () => Cell): () => Cell {
  switch (kind) {
    case 'number':
      return () => {
        const { numbers } = column;
        return numbers === undefined ? first() : numbers[cursor.row];
      };
    case 'micros':
      return () => {
        const { micros } = column;
        return micros === undefined ? first() : unitsOf(micros[cursor.row] as bigint);
      };
    case 'text':
      return () => {
        const { codes, words } = column;
        return codes === undefined ? first() : (words[codes[cursor.row] as number] ?? null);
      };
    default:
      return () => {
        const { vector } = column;
        return vector === undefined ? first() : cellAt(vector, cursor.row);
      };
  }
}
