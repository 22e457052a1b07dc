import { UsageError } from '../../base/errors.js';

/**
 * Columns that were given as one name or as a list of names, each once.
 *
 * @param of Whose they are, for the message: `The keys of groupBy`.
 * @throws {UsageError} If they are neither, which only TypeScript would have told.
 */
export function keyNames(of: string, keys: string | readonly string[]): string[] {
  if (typeof keys === 'string') return [keys];
  if (Array.isArray(keys)) return [...new Set(keys)];
  const found = keys === null ? 'null' : `a value of type ${typeof keys}`;
  throw new UsageError(`${of} must be the name of a column, such as 'date', or a list of names; got ${found}.`);
}
