import { OddslabError } from '../errors.js';
import { exitCodeOf } from './exit-code.js';

/** Exit codes from the worst on: what failed outright, what was too slow, what did not run, what shows something else. */
const WORST_FIRST = [1, 64, 4, 3, 2];

/**
 * Several failures of one run as one error: of the class of the worst, so that it decides the exit code, with the
 * messages of all. One failure alone is given back as it is.
 *
 * @param summary A last line where there are several. Default: none.
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
