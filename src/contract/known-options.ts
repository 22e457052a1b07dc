import { UsageError } from '../errors.js';
import { nearest } from './nearest.js';

/**
 * Refuses what only TypeScript would have told: an option that there is not would otherwise do nothing, in silence.
 *
 * @param of Whose options they are, for the message: `joinOn`.
 * @throws {UsageError} If one has another name than these: names the nearest.
 */
export function knownOptions(of: string, options: object, names: readonly string[]): void {
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray === undefined) return;
  const near = nearest(stray, names);
  const hint = near === undefined ? `They are ${names.join(', ')}.` : `Did you mean "${near}"?`;
  throw new UsageError(`"${stray}" is no option of ${of}. ${hint}`);
}
