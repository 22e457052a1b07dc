import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError, messageOf, UsageError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';

/**
 * The full path of a file that a caller named.
 *
 * @throws {UsageError} If the path is not a text, or is empty.
 */
export function fullPath(path: string): string {
  const given: unknown = path;
  if (typeof given === 'string' && given !== '') return resolve(given);
  const what = given === '' ? 'an empty text' : given === null ? 'null' : `a value of type ${typeof given}`;
  throw new UsageError(`This needs the path of a file, such as "pnl.csv"; got ${what}.`);
}

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
  const text = messageOf(cause);
  const reason = REASONS[systemErrorCode(cause) ?? ''] ?? text.split('\n', 1)[0]?.replace(/\.$/, '');
  return new InputError(`Cannot read ${path} as ${format}: ${reason}.`, { cause });
}

/** A file that was written. */
export interface WrittenFile {
  /** The file's absolute path. */
  path: string;
  /** Number of rows of the frame; a header is not counted. */
  rows: number;
  /** Size of the file in bytes. */
  bytes: number;
}

/** The progress of writing a file. */
export interface WriteProgress {
  /** Rows encoded so far. */
  rows: number;
  /** Rows in all; absent while rows are still arriving. */
  total?: number;
}

/** Options for writing a file of rows. */
export interface WriteOptions {
  /** Whether the file is compressed. Default: if its name ends in `.gz`. */
  gzip?: boolean;
  /** Called with the progress after each piece of a large file, some hundred kilobytes long, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}
