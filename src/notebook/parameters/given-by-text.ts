import { UsageError } from '../../base/errors.js';
import type { GivenParameter } from './parameter-value.js';

/**
 * Reads a value of `-p`.
 *
 * @throws {UsageError} If it does not have the form `name=value`.
 * @example givenByText('days=7'); // { name: 'days', where: '-p', value: { text: '7' } }
 */
export function givenByText(word: string): GivenParameter {
  const at = word.indexOf('=');
  const name = word.slice(0, Math.max(0, at)).trim();
  if (at === -1 || !isName(name)) {
    throw new UsageError(`-p takes name=value, such as -p days=30; got ${JSON.stringify(word)}.`);
  }
  return { name, where: '-p', value: { text: word.slice(at + 1) } };
}

/** Whether a text has the form of a variable's name. */
export function isName(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text);
}
