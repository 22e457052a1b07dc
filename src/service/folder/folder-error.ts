import { DataError, OddslabError } from '../../base/errors.js';
import { writeFailure } from '../../base/whole-file.js';

/**
 * The error for a data folder that cannot be written, from an error of the system; errors of Oddslab stay as they are.
 */
export function folderError(folder: string, cause: unknown): Error {
  if (cause instanceof OddslabError) return cause;
  return new DataError(`Cannot write the data folder ${folder}: ${writeFailure(cause)}.`, { cause });
}
