import { UsageError } from '../base/errors.js';

/** The most bars that a chart shows. */
const MOST = 100;

/**
 * Checks the option `top`, the number of bars to show.
 *
 * @param otherwise The default.
 * @throws {UsageError} If it is not a whole number from 1 to 100.
 */
export function checkedTop(top: number | undefined, otherwise: number): number {
  const asked = top ?? otherwise;
  if (Number.isInteger(asked) && asked >= 1 && asked <= MOST) return asked;
  throw new UsageError(`top must be a whole number from 1 to ${MOST}; got ${asked}.`);
}
