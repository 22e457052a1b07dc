import { createRequire } from 'node:module';
import { loadNative } from './packages.js';

/** DuckDB's module, loaded when it is first needed. */
export type DuckDB = typeof import('@duckdb/node-api');

/** Loads DuckDB; by `require`, as an `import` takes twice the time. @throws {OddslabError} If it cannot be loaded. */
export function loadDuckDb(): Promise<DuckDB> {
  return loadNative('@duckdb/node-api', async () => createRequire(import.meta.url)('@duckdb/node-api'));
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
