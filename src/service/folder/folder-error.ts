import { DataError, OddslabError } from '../../errors.js';
import { writeFailure } from '../../whole-file.js';

/** The one clear message for a data folder that cannot be written, from whatever the system said. */
export function folderError(folder: string, cause: unknown): Error {
  if (cause instanceof OddslabError) return cause;
  return new DataError(`Cannot write the data folder ${folder}: ${writeFailure(cause)}.`, { cause });
}
