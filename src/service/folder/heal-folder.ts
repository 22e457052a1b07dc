import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pendingName, pendingPath, versionPath } from './read-version.js';

/**
 * Removes what a killed ingest or switch left behind: drafts, a version that was never switched to, half-removed
 * versions and partly written files. The caller must hold the folder's lock.
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
