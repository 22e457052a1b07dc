import type { ColumnBuilder } from '../column-builder.js';
import { sameBytes } from './same-bytes.js';

/** A field of a record as it was written: where its value goes, and all bytes from the value before it to its own. */
export interface WrittenField {
  /** The column, or undefined where the field is none. */
  readonly builder: ColumnBuilder | undefined;
  readonly name: string;
  readonly before: Uint8Array;
}

/**
 * How one record was written, byte by byte but for its values: order of fields, aliases, white space. The records of
 * an answer are mostly alike, so that the next one is read by comparing these bytes and nothing else.
 */
export class RecordLayout {
  readonly fields: readonly WrittenField[];
  /** Columns without a field. */
  readonly absent: readonly ColumnBuilder[];
  readonly #view: DataView;
  readonly #starts: Int32Array;

  /** @param tail The bytes from the last value to the end of the record. */
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
   * Where the value of a field begins, or after the last field where the record ends.
   *
   * @param at Behind the value before.
   * @param without Bytes that are left out at the start.
   * @returns -1 where other bytes are there.
   */
  pass(field: number, view: DataView, at: number, without: number): number {
    const start = (this.#starts[field] ?? 0) + without;
    const length = (this.#starts[field + 1] ?? 0) - start;
    const end = at + length;
    return end <= view.byteLength && sameBytes(view, at, this.#view, start, length) ? end : -1;
  }
}
