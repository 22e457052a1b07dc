import { OddslabError } from '../base/errors.js';
import { exitCodeOf } from './exit-code.js';

/** Exit codes, the worst first: failed, wrong usage, out of time, type errors, outputs that differ. */
export const WORST_FIRST = [1, 64, 4, 3, 2];

/**
 * Joins the failures of one run into one error with the messages of all. It has the class of the worst, which decides
 * the exit code. A single failure is returned as it is.
 *
 * @param summary Last line if there are several failures. Default: none.
 */
export function joinedErrors(failures: readonly unknown[], summary?: string): unknown {
  const ranks = failures.map((failure) => WORST_FIRST.indexOf(exitCodeOf(failure)));
  const worst = failures[ranks.indexOf(Math.min(...ranks))];
  if (failures.length === 1 || !(worst instanceof OddslabError)) return worst;
  const messages = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  const text = [...messages, ...(summary === undefined ? [] : [summary])].join('\n\n');
  const Class = worst.constructor as new (message: string, options: ErrorOptions) => OddslabError;
  return new Class(text, { cause: worst });
}
