import { isDeepStrictEqual } from 'node:util';
import { type InferredColumn, inferColumn, sentColumn } from './infer-column.js';

interface Field {
  /** The first row that has it; -1 where rows had it that are taken already. */
  first: number;
  /** One a row; undefined where a row lacks it, and not as long as there are rows where the last ones do. */
  readonly values: unknown[];
}

/** Collects the fields of records that are no column, in the order in which they are first met. */
export class ExtraFields {
  readonly #fields = new Map<string, Field>();

  /** @param names Fields that are known to come, in order: columns even where no row has them. */
  constructor(names: readonly string[]) {
    for (const name of names) this.#fields.set(name, { first: -1, values: [] });
  }

  /** Takes a field of a row; rows come in order. False where the row has it already. */
  put(row: number, name: string, value: unknown): boolean {
    const field = this.#fields.get(name) ?? { first: row, values: [] };
    if (field.values.length > row) return false;
    this.#fields.set(name, field);
    fill(field.values, row).push(value);
    return true;
  }

  /** The first field that two rows differ in; undefined where they are equal. */
  differing(row: number, other: number): string | undefined {
    for (const [name, { values }] of this.#fields) if (!isDeepStrictEqual(values[row], values[other])) return name;
    return undefined;
  }

  /** Drops the rows from `start` on that are marked with 1, counted from there, and fields that no other row has. */
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

  /** Forgets the rows from a place on, and fields that no row before has. */
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

  /** The fields as columns of their values as they were sent; goes on with the same fields and no rows. */
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
