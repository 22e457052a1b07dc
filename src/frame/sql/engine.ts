import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { loadNative } from '../../base/packages.js';

/** DuckDB's module, loaded when it is first needed. */
export type DuckDB = typeof import('@duckdb/node-api');

/** One database in memory, for one task. */
export interface Engine {
  readonly duckdb: DuckDB;
  readonly connection: DuckDBConnection;
}

/**
 * The functions with which the database reads a file that is named as a table. In a folder called `price=1` they would
 * replace the file's prices by 1.
 */
const PLAIN_FILES = Object.entries({
  parquet_scan: 'read_parquet',
  read_csv_auto: 'read_csv',
  read_json_auto: 'read_json',
})
  .map(([name, reader]) => `CREATE TEMP MACRO ${name}(path) AS TABLE FROM ${reader}(path, hive_partitioning = false);`)
  .join(' ');

/**
 * Runs a task on a database of its own, which is closed when the task has settled. The database has no network (no
 * extension can be loaded), its time zone is UTC and its settings are locked. It can read local files; a file that is
 * named as a table has only its own columns.
 *
 * @throws {OddslabError} If DuckDB cannot be loaded.
 */
export async function withEngine<Result>(task: (engine: Engine) => Promise<Result>): Promise<Result> {
  const duckdb = await loadNative('@duckdb/node-api', () => import('@duckdb/node-api'));
  return withSpillFolder(async (spill) => {
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      allow_persistent_secrets: 'false',
      temp_directory: spill,
    });
    try {
      const connection = await instance.connect();
      try {
        await connection.run(`${PLAIN_FILES} SET TimeZone = 'UTC'; SET lock_configuration = true`);
        return await task({ duckdb, connection });
      } finally {
        connection.closeSync();
      }
    } finally {
      instance.closeSync();
    }
  });
}

/** Runs a task with a private folder to spill to; if none can be created, the path is empty and nothing is spilled. */
async function withSpillFolder<Result>(task: (path: string) => Promise<Result>): Promise<Result> {
  const path = await mkdtemp(join(tmpdir(), 'oddslab-sql-')).catch(() => '');
  try {
    return await task(path);
  } finally {
    if (path) await rm(path, { recursive: true, force: true });
  }
}

/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text as an SQL literal, for the places that take no parameter. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
