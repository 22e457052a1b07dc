import { UsageError } from '../errors.js';
import { nearest } from './nearest.js';

/**
 * Refuses what only TypeScript would have told: an option that there is not would otherwise do nothing, in silence, and
 * options that are no object would end in an error of the machine. To be called before an option is read.
 *
 * @param of Whose options they are, for the message: `joinOn`.
 * @throws {UsageError} If the options are null, a list or no object, or one has another name than these: names the
 * nearest.
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
