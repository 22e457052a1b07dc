import { readManifest } from './manifest.js';
import { isVersionName, versionNames, versionPath } from './read-version.js';

/**
 * The versions that a version was built on, newest first: those to which one can go back from it. Versions that were
 * rolled back from are not among them, even if their numbers lie between. If a version does not name its base, or the
 * base is gone, the nearest older number counts as its base.
 *
 * @param name The version, which may be damaged or gone. If it is no version's name, all start from the newest.
 * @returns The names of existing versions, damaged or not; empty for the first version.
 * @throws {DataError} If the folder cannot be read.
 */
export async function earlierVersions(folder: string, name: string | undefined): Promise<string[]> {
  const names = (await versionNames(folder)).reverse();
  const earlier: string[] = [];
  let next = name !== undefined && isVersionName(name) ? await before(folder, name, names) : names[0];
  while (next !== undefined) {
    earlier.push(next);
    next = await before(folder, next, names);
  }
  return earlier;
}

async function before(folder: string, name: string, newestFirst: readonly string[]): Promise<string | undefined> {
  const { base } = await readManifest(versionPath(folder, name)).catch(() => ({ base: undefined }));
  if (base === null) return undefined;
  return newestFirst.find((other) => (base === undefined ? other < name : other <= base && other < name));
}
