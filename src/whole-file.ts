import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataError } from './errors.js';

/** How {@link writeWhole} writes. */
export interface WholeFileOptions {
  /** Permissions of a new file. Default 0o644. */
  mode?: number;
  /** Also puts the file and its folder entry on disk before it returns, to survive a power cut. Default false. */
  durable?: boolean;
}

/**
 * Writes a file whole or not at all: beside its place, then renamed over it, so that an older file stays until then
 * and nothing is left behind by a failure.
 *
 * @param pieces The content, a piece at a time where it is large.
 * @returns The bytes written.
 * @throws {DataError} If it cannot be written there: says why and what would help.
 */
export async function writeWhole(
  path: string,
  pieces: string | Iterable<string>,
  { mode = 0o644, durable = false }: WholeFileOptions = {},
): Promise<number> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const file = await open(beside, 'wx', mode);
    const bytes = await writePieces(file, typeof pieces === 'string' ? [pieces] : pieces, durable);
    await rename(beside, path);
    if (durable) await syncFolder(dirname(path));
    return bytes;
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => {});
    throw new DataError(`Cannot write ${path}: ${writeFailure(cause)}.`, { cause });
  }
}

async function writePieces(file: FileHandle, pieces: Iterable<string>, durable: boolean): Promise<number> {
  let bytes = 0;
  try {
    for (const piece of pieces) {
      const chunk = Buffer.from(piece);
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
    if (durable) await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

/** Puts a folder's entries on disk, so that a rename in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The system's code of a failed call, such as `ENOENT`, or undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist; make it first',
  EACCES: 'this user may not write there; choose another folder or change its permissions',
  EPERM: 'this user may not write there; choose another folder or change its permissions',
  EROFS: 'the file system is read-only; choose another folder',
  ENOSPC: 'the disk is full; free some space or choose another folder',
  EDQUOT: 'the quota is used up; free some space or choose another folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder; name a file',
  ENOTEMPTY: 'it is a folder; name a file',
  EEXIST: 'a file of that name is in the way',
};

/** Why something could not be written, and what would help, as the end of a sentence. */
export function writeFailure(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  // The database says of a full disk in words what the system says by code.
  const code = codeOf(cause) ?? (/no space|disk full/i.test(text) ? 'ENOSPC' : undefined);
  return (code && REMEDIES[code]) ?? text.replace(/\.$/, '');
}
