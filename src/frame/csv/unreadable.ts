import { stat } from 'node:fs/promises';
import { InputError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder; name a file',
};

/** Whether a path names a folder; throws the system's error if it names nothing. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/** The error for a file that could not be read, with the format that was expected and the reason. */
export function unreadable(path: string, format: string, cause: unknown): InputError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const reason = REASONS[systemErrorCode(cause) ?? ''] ?? text.split('\n', 1)[0]?.replace(/\.$/, '');
  return new InputError(`Cannot read ${path} as ${format}: ${reason}.`, { cause });
}
