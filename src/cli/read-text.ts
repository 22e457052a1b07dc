import { readFileSync } from 'node:fs';
import { InputError, UsageError } from '../base/errors.js';

/**
 * Reads a text file that the user named.
 *
 * @param kind What the file should be, for the error, with a space at the end: `the notebook `. Default: nothing.
 * @throws {UsageError} If there is no such file, or it is a folder.
 * @throws {InputError} If it cannot be read for another reason.
 */
export function readText(path: string, kind = ''): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const head = `Cannot read ${kind}${path}: `;
    const code: unknown = Reflect.get(Object(cause), 'code');
    if (code === 'ENOENT') throw new UsageError(`${head}there is no such file.`, { cause });
    if (code === 'EISDIR') throw new UsageError(`${head}it is a folder.`, { cause });
    throw new InputError(`${head}${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}
