import { UsageError } from '../../base/errors.js';

/**
 * What was given by name for new columns, in its order.
 *
 * @param example What would be right, for the message.
 * @throws {UsageError} If it is no object of names, which only TypeScript would have told.
 */
export function namedValues<Value>(given: Readonly<Record<string, Value>>, example: string): [string, Value][] {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given);
  const found = Array.isArray(given) ? 'a list' : given === null ? 'null' : `a value of type ${typeof given}`;
  throw new UsageError(`New columns are given by their names, as in ${example}; got ${found}.`);
}
