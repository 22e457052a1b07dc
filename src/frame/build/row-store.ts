import type { Column } from '../../contract/definition.js';
import { BooleanBuilder } from './boolean-builder.js';
import type { ColumnBuilder } from './column-builder.js';
import { ExtraFields } from './extra-fields.js';
import { MicrosBuilder } from './micros-builder.js';
import { NumberBuilder } from './number-builder.js';
import { TextBuilder } from './text-builder.js';

const FIRST_ROWS = 1024;

/** How rows are kept: see {@link FrameBuilderOptions}. */
interface StoreOptions {
  readonly exact?: boolean;
  readonly strict?: boolean;
  readonly fields?: readonly string[];
}

/** The rows of a frame that is being built: a builder for each column, and the fields that are not columns. */
export class RowStore {
  readonly builders: readonly ColumnBuilder[];
  /** The builders of columns outside the key. */
  readonly #others: readonly ColumnBuilder[];
  readonly extra: ExtraFields;
  /** Index of each field's builder, by its name and its alias. */
  readonly places: ReadonlyMap<string, number>;
  /** Whether fields that are not columns are refused. */
  readonly strict: boolean;
  /** Whether amounts are kept exactly. */
  readonly exact: boolean;
  rows = 0;
  #room = 0;

  constructor(
    columns: readonly Column[],
    key: readonly string[],
    { exact = false, strict = false, fields = [] }: StoreOptions,
  ) {
    this.extra = new ExtraFields(fields);
    this.strict = strict;
    this.exact = exact;
    this.builders = columns.map((column) => builderOf(column, key.includes(column.name), exact));
    this.#others = this.builders.filter(({ column }) => !key.includes(column.name));
    const aliases = columns.flatMap(({ alias }, at) => (alias === undefined ? [] : [[alias, at] as const]));
    this.places = new Map([...aliases, ...columns.map(({ name }, at) => [name, at] as const)]);
  }

  /** Makes room for this many rows, at least doubling it. */
  reserve(rows: number): void {
    if (rows <= this.#room) return;
    this.#room = Math.max(rows, 2 * this.#room, FIRST_ROWS);
    for (const builder of this.builders) builder.reserve(this.#room);
  }

  /** Forgets all rows but the first `rows`. */
  truncate(rows: number): void {
    this.rows = rows;
    this.extra.truncate(rows);
  }

  /** The first field outside the key in which two rows differ; undefined if they are equal. */
  differing(row: number, other: number): string | undefined {
    const builder = this.#others.find((column) => !column.isSame(row, other));
    return builder?.column.name ?? this.extra.differing(row, other);
  }

  /** Drops the rows from `start` on whose mark is 1; the first mark is that of `start`. */
  drop(start: number, marks: Uint8Array): void {
    let end = start;
    for (let row = start; row < this.rows; row += 1) {
      if (marks[row - start] === 1) continue;
      if (end < row) for (const builder of this.builders) builder.move(row, end);
      end += 1;
    }
    this.extra.drop(start, marks);
    this.rows = end;
  }
}

function builderOf(column: Column, isKey: boolean, exact: boolean): ColumnBuilder {
  if (column.dtype === 'boolean') return new BooleanBuilder(column);
  if (column.dtype === 'string' || column.dtype === 'datetime') return new TextBuilder(column, isKey);
  const isAmount = column.dtype === 'float64' && (column.decimal === true || column.unit === 'USD');
  return exact && isAmount ? new MicrosBuilder(column) : new NumberBuilder(column);
}
