import type { DuckDBType } from '@duckdb/node-api';
import type { ChunkBindings, ChunkMemory } from '../../base/duckdb.js';
import type { MomentForm } from '../vector/moment-form.js';
import { ENTRY_PARTS, type TextPacker } from './packed-text.js';

/** Number of rows in a chunk of the database. */
export const CHUNK_ROWS = 2048;

/** A column of a chunk that the database asks for. */
export class ChunkColumn {
  readonly #bindings: ChunkBindings;
  readonly #memory: ChunkMemory;

  constructor(bindings: ChunkBindings, memory: ChunkMemory) {
    this.#bindings = bindings;
    this.#memory = memory;
  }

  /** Sets all rows, from an array in the layout that the database has for the column's type. */
  setAll({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.#bindings.copy_data_to_vector(this.#memory, 0, buffer, byteOffset, byteLength);
  }

  /** Sets all rows of a column of text. */
  setTexts(texts: readonly string[], packer: TextPacker): void {
    const entries = new Uint32Array(ENTRY_PARTS * texts.length);
    packer.pack(this.#memory, texts, entries);
    this.setAll(entries);
  }

  /** Makes the rows NULL whose bits are 0. */
  setPresent({ buffer, byteOffset, byteLength }: Uint8Array): void {
    this.#bindings.vector_ensure_validity_writable(this.#memory);
    this.#bindings.copy_data_to_vector_validity(this.#memory, 0, buffer, byteOffset, byteLength);
  }
}

/** How a column gets into the database. What is missing becomes NULL. */
export interface Feed {
  readonly type: DuckDBType;
  /** Sets a chunk to the rows from one up to, but without, another. */
  fill(target: ChunkColumn, from: number, to: number): void;
  /** Form of the column's moments, if it becomes a DATE or TIMESTAMP. */
  readonly moments?: MomentForm;
}

/** Whether a row has no value. */
export type Missing = (row: number) => boolean;

/** A feed of parts of an array. */
export function feedOfParts(
  type: DuckDBType,
  partOf: (from: number, to: number) => ArrayBufferView,
  missing?: Missing | false,
) {
  const fill: Feed['fill'] = (target, from, to) => {
    target.setAll(partOf(from, to));
    if (missing) hide(target, from, to, missing);
  };
  return { type, fill };
}

type Part = Int8Array | Int32Array | Uint32Array | BigInt64Array;

/** A feed of values that are made one by one: `put` sets the part's entry at a place to what a row has. */
export function madeFeed(
  type: DuckDBType,
  part: Part,
  put: (at: number, row: number) => void,
  missing?: Missing | false,
): Feed {
  const width = part.length / CHUNK_ROWS;
  return feedOfParts(
    type,
    (from, to) => {
      for (let row = from; row < to; row += 1) put(row - from, row);
      return part.subarray(0, (to - from) * width);
    },
    missing,
  );
}

const present = new Uint8Array(CHUNK_ROWS / 8);

/** Makes the rows of a chunk NULL that have no value. */
export function hide(target: ChunkColumn, from: number, to: number, missing: Missing): void {
  present.fill(255);
  let many = 0;
  for (let row = from; row < to; row += 1) {
    if (!missing(row)) continue;
    const at = row - from;
    present[at >> 3] = (present[at >> 3] as number) & ~(1 << (at & 7));
    many += 1;
  }
  if (many > 0) target.setPresent(present);
}
