import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { DataError } from '../../errors.js';
import { writeFailure } from '../../whole-file.js';
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
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    // Made by us first: the system's refusal is clearer than the database's.
    await (await open(beside, 'wx', 0o644)).close();
    await connection.run(`COPY (${rows}) TO ${quoteText(beside)} (${[...options, 'USE_TMP_FILE false'].join(', ')})`);
    const { size } = await stat(beside);
    await rename(beside, path);
    return size;
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => {});
    throw new DataError(`Cannot write ${path}: ${writeFailure(cause)}.`, { cause });
  }
}
