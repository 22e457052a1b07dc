import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pendingName, pendingPath, versionPath } from './read-version.js';

/**
 * Takes away what an ingest or a switch that was killed left: drafts, a version that was never switched to, and the
 * part of a file. The caller holds the folder's lock.
 */
export async function healFolder(folder: string): Promise<void> {
  const unfinished = await pendingName(folder);
  if (unfinished !== undefined) await remove(versionPath(folder, unfinished));
  await remove(pendingPath(folder));
  await removeEach(versionPath(folder), /^\.(draft|gone)-|^\.publishing\..*\.part$/);
  await removeEach(folder, /^current\..*\.part$/);
}

async function removeEach(folder: string, leftover: RegExp): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (leftover.test(name)) await remove(join(folder, name));
  }
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
