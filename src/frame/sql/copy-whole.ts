import { DataError } from '../../base/errors.js';
import { openBeside, writeFailure } from '../../base/whole-file.js';
import type { Engine } from './engine.js';
import { quoteText } from './quote.js';

/**
 * Makes the database write rows to a file that appears only once it is complete: it is written beside its place and
 * then renamed.
 *
 * @param rows A SELECT statement.
 * @param options Options of COPY, as in its parentheses.
 * @returns The number of bytes written.
 * @throws {DataError} If the file cannot be written; nothing is left behind.
 */
export async function copyWhole(
  { connection }: Engine,
  rows: string,
  path: string,
  options: readonly string[],
): Promise<number> {
  const file = await openBeside(path);
  try {
    const copy = [...options, 'USE_TMP_FILE false'].join(', ');
    await connection.run(`COPY (${rows}) TO ${quoteText(file.beside)} (${copy})`).catch((cause) => {
      throw new DataError(`Cannot write ${path}: ${writeFailure(cause)}.`, { cause });
    });
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
