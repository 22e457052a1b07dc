import { createRequire } from 'node:module';
import { loadNative } from './packages.js';

/** DuckDB's module, loaded when it is first needed. */
export type DuckDB = typeof import('@duckdb/node-api');

/** Loads DuckDB; by `require`, as an `import` takes twice the time. @throws {OddslabError} If it cannot be loaded. */
export function loadDuckDb(): Promise<DuckDB> {
  return loadNative('@duckdb/node-api', async () => createRequire(import.meta.url)('@duckdb/node-api'));
}

declare const vector: unique symbol;

/** Where the database keeps a column of a chunk. */
export interface ChunkMemory {
  readonly [vector]: true;
}

/**
 * The part of the bindings below DuckDB's module that writes into a chunk of rows. The module's own way there reads the
 * chunk first, and of an enum all its values: a million rows take three times as long by it.
 */
export interface ChunkBindings {
  data_chunk_set_size(chunk: unknown, rows: number): void;
  data_chunk_get_vector(chunk: unknown, column: number): ChunkMemory;
  copy_data_to_vector(to: ChunkMemory, at: number, from: ArrayBufferLike, byteOffset: number, bytes: number): void;
  vector_assign_string_element_len(to: ChunkMemory, row: number, text: Uint8Array): void;
  vector_get_data(of: ChunkMemory, bytes: number): Uint8Array;
  vector_ensure_validity_writable(of: ChunkMemory): void;
  copy_data_to_vector_validity(
    to: ChunkMemory,
    at: number,
    from: ArrayBufferLike,
    byteOffset: number,
    bytes: number,
  ): void;
}

/** Loads the bindings that DuckDB's module stands on. @throws {OddslabError} If they cannot be loaded. */
export function loadChunkBindings(): Promise<ChunkBindings> {
  return loadNative('@duckdb/node-api', async () => {
    // Those of the module itself: others would not know its chunks.
    const module = createRequire(import.meta.url).resolve('@duckdb/node-api');
    return createRequire(module)('@duckdb/node-bindings');
  });
}

/** The settings with which no database loads an extension. */
export const NO_EXTENSIONS = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };

/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text as an SQL literal, for the places that take no parameter. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * SQL that doubles a byte order mark at the beginning of a text, since DuckDB's driver drops the first one.
 *
 * @param text SQL of a text.
 */
export function wholeText(text: string): string {
  return `CASE WHEN starts_with(${text}, chr(65279)) THEN chr(65279) || ${text} ELSE ${text} END`;
}
