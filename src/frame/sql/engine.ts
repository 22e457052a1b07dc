import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type ChunkBindings, type DuckDB, loadChunkBindings, loadDuckDb, NO_EXTENSIONS } from '../../base/duckdb.js';

/** One database in memory, for one task. */
export interface Engine {
  readonly duckdb: DuckDB;
  readonly bindings: ChunkBindings;
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
  const duckdb = await loadDuckDb();
  const bindings = await loadChunkBindings();
  return withSpillFolder(async (spill) => {
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      ...NO_EXTENSIONS,
      allow_community_extensions: 'false',
      allow_persistent_secrets: 'false',
      temp_directory: spill,
    });
    try {
      const connection = await instance.connect();
      try {
        await connection.run(`${PLAIN_FILES} SET TimeZone = 'UTC'; SET lock_configuration = true`);
        return await task({ duckdb, bindings, connection });
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
