import { isDeepStrictEqual } from 'node:util';
import type { Column } from '../../contract/definition.js';
import { type InferredColumn, inferColumn, sentColumn } from '../tabular/infer-column.js';
import { BooleanBuilder, type ColumnBuilder, MicrosBuilder, NumberBuilder } from './column-builder.js';
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

interface Field {
  /** The first row that has the field; -1 if rows that were already taken had it. */
  first: number;
  /** One value per row, undefined if the row lacks the field; shorter if the last rows lack it. */
  readonly values: unknown[];
}

/** Collects the fields of records that are not columns, in the order of their first appearance. */
class ExtraFields {
  readonly #fields = new Map<string, Field>();

  /** @param names Fields that become columns even if no row has them, in this order. */
  constructor(names: readonly string[]) {
    for (const name of names) this.#fields.set(name, { first: -1, values: [] });
  }

  /** Takes a field of a row; rows must come in order. Returns false if the row has it already. */
  put(row: number, name: string, value: unknown): boolean {
    const field = this.#fields.get(name) ?? { first: row, values: [] };
    if (field.values.length > row) return false;
    this.#fields.set(name, field);
    fill(field.values, row).push(value);
    return true;
  }

  /** The first field in which two rows differ; undefined if they are equal. */
  differing(row: number, other: number): string | undefined {
    for (const [name, { values }] of this.#fields) if (!isDeepStrictEqual(values[row], values[other])) return name;
    return undefined;
  }

  /**
   * Drops the rows from `start` on whose mark is 1 (the first mark is that of `start`), and fields left without rows.
   */
  drop(start: number, marks: Uint8Array): void {
    for (const [name, field] of this.#fields) {
      const { values } = field;
      let end = Math.min(start, values.length);
      for (let row = start; row < values.length; row += 1) {
        if (marks[row - start] === 1) continue;
        values[end] = values[row];
        end += 1;
      }
      values.length = end;
      if (field.first < start) continue;
      field.first = values.findIndex((value) => value !== undefined);
      if (field.first < 0) this.#fields.delete(name);
    }
  }

  /** Forgets all rows but the first `rows`, and fields that none of these has. */
  truncate(rows: number): void {
    for (const [name, field] of this.#fields) {
      if (field.first >= rows) this.#fields.delete(name);
      else if (field.values.length > rows) field.values.length = rows;
    }
  }

  /** The fields as columns, inferred over all rows. */
  infer(rows: number): InferredColumn[] {
    return Array.from(this.#fields, ([name, { values }]) => inferColumn(name, fill(values, rows)));
  }

  /** Returns the fields as columns with the values as sent; continues with the same fields and no rows. */
  take(rows: number): InferredColumn[] {
    const columns = Array.from(this.#fields, ([name, { values }]) => sentColumn(name, fill(values, rows)));
    for (const field of this.#fields.values()) {
      field.first = -1;
      field.values.length = 0;
    }
    return columns;
  }
}

function fill(values: unknown[], rows: number): unknown[] {
  while (values.length < rows) values.push(undefined);
  return values;
}
