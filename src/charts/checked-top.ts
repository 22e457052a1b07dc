import { UsageError } from '../errors.js';

/** More bars than this are no chart. */
const MOST = 100;

/**
 * How many of the first are shown.
 *
 * @throws {UsageError} If that is no whole number from 1 to 100.
 */
export function checkedTop(top: number | undefined, otherwise: number): number {
  const asked = top ?? otherwise;
  if (Number.isInteger(asked) && asked >= 1 && asked <= MOST) return asked;
  throw new UsageError(`top must be a whole number from 1 to ${MOST}; got ${asked}.`);
}
