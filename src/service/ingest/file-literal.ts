import { resolve } from 'node:path';
import { quote } from '../store/database.js';

/** An option for reading files: without it, the engine would make columns of folders that are called `name=value`. */
export const AS_IT_IS = 'hive_partitioning = false';

/** A file's absolute path as an SQL literal: the engine would interpret `~` or `md:` at the start of a relative one. */
export function pathLiteral(path: string): string {
  return quote(resolve(path));
}

/** A file's path as an SQL literal for the engine's readers, with its wildcards escaped. */
export function fileLiteral(path: string): string {
  return pathLiteral(path).replace(/[*?[]/g, '[$&]');
}

/** SQL for the rows of Parquet files, one file after the other. */
export function parquetRows(...files: readonly string[]): string {
  return `read_parquet([${files.map(fileLiteral).join(', ')}], ${AS_IT_IS})`;
}
