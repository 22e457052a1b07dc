import { CommanderError } from 'commander';
import { CellTimeoutError, DriftError, TypeCheckError, UsageError } from '../base/errors.js';

/** Meanings of the command's exit codes, from which help and documentation are made. */
export const EXIT_CODES = {
  0: 'done',
  1: 'failed; run: a cell failed, or a file is no notebook; data verify: a version is damaged',
  2: 'run --check: outputs differ from those stored in the notebook, or none are stored',
  3: 'run --types block: a notebook has type errors or cannot be checked, so it did not run',
  4: 'run --timeout: a cell did not end in time',
  64: 'wrong usage: an unknown option, parameter or value; run and convert: a missing file, too',
} as const;

/** The exit code of the command after an error. */
export function exitCodeOf(error: unknown): keyof typeof EXIT_CODES {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 64;
  if (error instanceof UsageError) return 64;
  if (error instanceof CellTimeoutError) return 4;
  if (error instanceof TypeCheckError) return 3;
  if (error instanceof DriftError) return 2;
  return 1;
}
