import { CommanderError } from 'commander';
import { CellTimeoutError, DriftError, TypeCheckError, UsageError } from '../errors.js';

/** What the command's exit codes mean, by code: the one place that says it. */
export const EXIT_CODES = {
  0: 'done',
  1: 'failed; of run: a cell failed, or a file is no notebook; of data verify: a version is damaged',
  2: 'run --check: outputs are not those that the notebook holds',
  3: 'run --types block: the types of a notebook are wrong, or cannot be checked, so it did not run',
  4: 'run --timeout: a cell did not end in its time',
  64: 'called wrongly: an unknown option, parameter or value, or a file that is missing',
} as const;

/** The exit code that an error ends the command with. */
export function exitCodeOf(error: unknown): keyof typeof EXIT_CODES {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 64;
  if (error instanceof UsageError) return 64;
  if (error instanceof CellTimeoutError) return 4;
  if (error instanceof TypeCheckError) return 3;
  if (error instanceof DriftError) return 2;
  return 1;
}
