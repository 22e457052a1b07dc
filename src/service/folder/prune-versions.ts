import { rename, rm } from 'node:fs/promises';
import { versionNames, versionPath } from './read-version.js';
import { usedVersions } from './used-versions.js';

/**
 * Removes the oldest versions beyond a count, except those that a running reader holds open. Those that cannot be
 * removed are left for the next time, without an error: the switch before has succeeded.
 *
 * @param keep The number of versions that stay, including the current one.
 * @param first The versions to keep first: the current one, and the one that it was built on.
 */
export async function pruneVersions(folder: string, keep: number, first: readonly string[]): Promise<void> {
  const names = (await versionNames(folder)).reverse();
  const ranked = [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))];
  const old = ranked.slice(keep);
  if (old.length === 0) return;
  const used = await usedVersions(folder, old);
  for (const name of old.filter((each) => !used.has(each))) {
    // Renamed first, since an interrupted removal would leave a version with half of its files.
    const gone = versionPath(folder, `.gone-${name}`);
    await rename(versionPath(folder, name), gone)
      .then(() => rm(gone, { recursive: true, force: true }))
      .catch(() => {});
  }
}
