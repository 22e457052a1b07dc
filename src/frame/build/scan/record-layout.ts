import type { ColumnBuilder } from '../column-builder.js';
import { sameBytes } from './same-bytes.js';

/**
 * A field of a record as it was written: the builder for its value, and all bytes between the value before and its own.
 */
export interface WrittenField {
  /** Builder of the column; undefined if the field is not a column. */
  readonly builder: ColumnBuilder | undefined;
  readonly name: string;
  readonly before: Uint8Array;
}

/**
 * All bytes of a record except its values: order of fields, aliases, white space. The records of an answer are mostly
 * laid out alike, so reading the next one takes only a comparison of these bytes.
 */
export class RecordLayout {
  readonly fields: readonly WrittenField[];
  /** Builders of columns that the record has no field for. */
  readonly absent: readonly ColumnBuilder[];
  readonly #view: DataView;
  readonly #starts: Int32Array;

  /** @param tail The bytes after the last value, up to the end of the record. */
  constructor(fields: readonly WrittenField[], tail: Uint8Array, absent: readonly ColumnBuilder[]) {
    this.fields = fields;
    this.absent = absent;
    const parts = [...fields.map(({ before }) => before), tail];
    this.#starts = new Int32Array(parts.length + 1);
    for (const [at, part] of parts.entries()) this.#starts[at + 1] = (this.#starts[at] ?? 0) + part.length;
    const bytes = new Uint8Array(this.#starts[parts.length] ?? 0);
    for (const [at, part] of parts.entries()) bytes.set(part, this.#starts[at]);
    this.#view = new DataView(bytes.buffer);
  }

  /**
   * The offset at which the value of a field begins or, after the last field, at which the record ends.
   *
   * @param at Offset after the value before.
   * @param without How many bytes of the layout's start the text lacks.
   * @returns -1 if the bytes differ from the layout.
   */
  pass(field: number, view: DataView, at: number, without: number): number {
    const start = (this.#starts[field] ?? 0) + without;
    const length = (this.#starts[field + 1] ?? 0) - start;
    const end = at + length;
    return end <= view.byteLength && sameBytes(view, at, this.#view, start, length) ? end : -1;
  }
}
