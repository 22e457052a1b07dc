import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../base/errors.js';
import { hashFile } from './hash-file.js';
import type { FileRecord } from './manifest.js';

/**
 * Flushes every file of a finished draft to disk and makes it read-only.
 *
 * @returns Size and SHA-256 of each file, by name, in the order of names.
 * @throws {DataError} If the draft holds anything but plain files. Errors of the system are passed on.
 */
export async function freezeFiles(draft: string): Promise<Record<string, FileRecord>> {
  const entries = await readdir(draft, { withFileTypes: true });
  const files: Record<string, FileRecord> = {};
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(draft, entry.name);
    if (!entry.isFile()) throw new DataError(`A version holds plain files alone, but ${path} is none.`);
    await syncAndLock(path);
    files[entry.name] = await hashFile(path);
  }
  return files;
}

async function syncAndLock(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
    const { mode } = await file.stat();
    await file.chmod(mode & 0o555);
  } finally {
    await file.close();
  }
}
