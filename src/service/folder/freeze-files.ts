import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../errors.js';
import { hashFile } from './hash-file.js';
import type { FileRecord } from './manifest.js';

/**
 * Puts every file of a finished draft on disk and takes the right to write it away.
 *
 * @returns Size and SHA-256 of each, by name, in the order of their names.
 * @throws {DataError} If something else than a plain file is in there; or what the system said.
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
