import { DataError } from '../../errors.js';
import { openBeside, writeFailure } from '../../whole-file.js';
import type { Engine } from './engine.js';
import { quoteText } from './quote.js';

/**
 * Lets the database write rows as a file that appears whole or not at all: beside its place, then renamed over it.
 *
 * @param rows A SELECT statement.
 * @param options What stands in the parentheses of COPY.
 * @returns The bytes written.
 * @throws {DataError} If it cannot be written there; nothing is left behind then.
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
