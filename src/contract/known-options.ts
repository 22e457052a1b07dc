import { UsageError } from '../errors.js';
import { nearest } from './nearest.js';

/**
 * Refuses unknown options and options that are no object. Only TypeScript would report them: in JavaScript, an unknown
 * option would silently do nothing. To be called before any option is read.
 *
 * @param of The function that takes the options, for the message: `joinOn`.
 * @throws {UsageError} If the options are null, a list or no object, or if one is unknown; the message names the
 *   nearest.
 */
export function knownOptions(of: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const got = Array.isArray(options) ? 'a list' : options === null ? 'null' : `a value of type ${typeof options}`;
    throw new UsageError(`The options of ${of} must be an object that names them (${names.join(', ')}); got ${got}.`);
  }
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray === undefined) return;
  const near = nearest(stray, names);
  const hint = near === undefined ? `They are ${names.join(', ')}.` : `Did you mean "${near}"?`;
  throw new UsageError(`"${stray}" is no option of ${of}. ${hint}`);
}
