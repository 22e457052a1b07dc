import { resolve } from 'node:path';
import { quote } from '../store/database.js';

/** What the engine is told of each file, as it would make columns of folders that are called `name=value`. */
export const AS_IT_IS = 'hive_partitioning = false';

/** A file's path as an SQL literal: in full, as the engine has meanings of its own for `~` or `md:` at the beginning. */
export function pathLiteral(path: string): string {
  return quote(resolve(path));
}

/** A file's path as an SQL literal in which nothing stands for several files, for the engine's readers. */
export function fileLiteral(path: string): string {
  return pathLiteral(path).replace(/[*?[]/g, '[$&]');
}

/** SQL for the rows of Parquet files, one behind the other. */
export function parquetRows(...files: readonly string[]): string {
  return `read_parquet([${files.map(fileLiteral).join(', ')}], ${AS_IT_IS})`;
}
