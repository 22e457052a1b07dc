import { DataError } from '../../errors.js';

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there; choose another folder or change its permissions',
  EPERM: 'this user may not write there; choose another folder or change its permissions',
  EROFS: 'the file system is read-only; choose another folder',
  ENOSPC: 'the disk is full; free some space or choose another folder',
  EDQUOT: 'the quota is used up; free some space or choose another folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is in the way',
};

/** The one clear message for a data folder that cannot be written, from whatever the system said. */
export function folderError(folder: string, cause: unknown): DataError {
  if (cause instanceof DataError) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause) ?? (/no space|disk full/i.test(text) ? 'ENOSPC' : /read-only/i.test(text) ? 'EROFS' : '');
  return new DataError(`Cannot write the data folder ${folder}: ${REMEDIES[code] ?? text}.`, { cause });
}

/** The system's code of a failed call, such as `ENOENT`, or undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
