import { readManifest } from './manifest.js';
import { isVersionName, versionNames, versionPath } from './read-version.js';

/**
 * The versions that one was built on, newest first: what to go back to from it. One that was rolled back from is not
 * among them, though its number lies between. Where a version does not say what it was built on, or that one is gone,
 * it is taken to be the one before by number.
 *
 * @param name The version, which may be damaged or gone; where it is no version's name, the newest comes first.
 * @returns Names of versions that are there, whole or not; none before the first.
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
