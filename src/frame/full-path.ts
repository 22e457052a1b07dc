import { resolve } from 'node:path';
import { UsageError } from '../base/errors.js';

/**
 * The full path of a file that a caller named.
 *
 * @throws {UsageError} If the path is not a text, or is empty.
 */
export function fullPath(path: string): string {
  const given: unknown = path;
  if (typeof given === 'string' && given !== '') return resolve(given);
  const what = given === '' ? 'an empty text' : given === null ? 'null' : `a value of type ${typeof given}`;
  throw new UsageError(`This needs the path of a file, such as "pnl.csv"; got ${what}.`);
}
