import { chmod, mkdtemp, open, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DataError, UsageError } from '../../base/errors.js';
import { greatestOf } from '../../base/many.js';
import { makeFolder, syncFolder, writeWhole } from '../../base/whole-file.js';
import { currentName, currentPath, healFolder, pendingPath, versionPath } from './folder-layout.js';
import { currentLost, versionNames } from './sealed-version.js';
import {
  type FileRecord,
  hashFile,
  readVersion,
  type Version,
  type VersionManifest,
  writeManifest,
} from './version.js';

/**
 * Reads the version to serve; all of its files exist in their full size.
 *
 * @returns Undefined if nothing was ingested yet.
 * @throws {DataError} If that version is damaged or was written by another release, or if there are versions but none
 *   is named as current.
 */
export async function currentVersion(folder: string): Promise<Version | undefined> {
  // In this order, since the first version may be published in between.
  const names = await versionNames(folder);
  const name = await currentName(folder);
  if (name !== undefined) return readVersion(folder, name);
  if (names.length > 0) throw currentLost(folder);
  return undefined;
}

/**
 * Makes a folder in which to build the next version, invisible until {@link publishVersion}. Removes what a killed
 * ingest left behind. The caller must hold the folder's lock.
 */
export async function draftVersion(folder: string): Promise<string> {
  await makeFolder(versionPath(folder));
  await healFolder(folder);
  const draft = await mkdtemp(versionPath(folder, '.draft-'));
  await chmod(draft, 0o755);
  return draft;
}

/** The default number of versions that stay, including the current one. */
export const KEPT = 3;

/**
 * Flushes a finished draft to disk under the next number, then switches to it: either all of it is visible or nothing.
 * Its manifest names the version that was current until then as its base.
 *
 * @param draft A folder of {@link draftVersion} that holds only plain files; they become read-only.
 * @param options.keep The number of versions that stay, including the new one; at least 1. Default 3.
 * @throws {UsageError} If `keep` is less than 1.
 * @throws If it cannot be written. The previous version is still served, and nothing of the draft is visible.
 */
export async function publishVersion(
  folder: string,
  draft: string,
  manifest: VersionManifest,
  { keep = KEPT }: { keep?: number | undefined } = {},
): Promise<Version> {
  // With 0, the version just switched to would be removed as well.
  if (!(keep >= 1)) throw new UsageError(`At least 1 version must be kept; got ${keep}.`);
  const previous = await currentName(folder);
  await writeManifest(draft, { ...manifest, base: previous ?? null }, await freezeFiles(draft));
  const name = nextName(await versionNames(folder));
  await writeWhole(pendingPath(folder), `${name}\n`, { durable: true });
  try {
    await rename(draft, versionPath(folder, name));
    await syncFolder(versionPath(folder));
    await switchVersion(folder, name);
  } catch (error) {
    // The switch may have succeeded except for its last step.
    const served = await currentName(folder).catch(() => undefined);
    if (served !== name) await rm(versionPath(folder, name), { recursive: true, force: true });
    throw error;
  } finally {
    await rm(pendingPath(folder), { force: true });
  }
  // A new data folder must survive a power cut as well; its parent may not be readable.
  if (previous === undefined) await syncFolder(dirname(resolve(folder))).catch(() => {});
  await pruneVersions(folder, keep, [name, ...(previous === undefined ? [] : [previous])]);
  return readVersion(folder, name);
}

function nextName(names: readonly string[]): string {
  return String(greatestOf([0, ...names.map(Number)]) + 1).padStart(6, '0');
}

/** Makes a version the one to serve, atomically and durably. @throws {DataError} If it cannot be written. */
export async function switchVersion(folder: string, name: string): Promise<void> {
  await writeWhole(currentPath(folder), `${name}\n`, { durable: true });
}

/**
 * Flushes every file of a finished draft to disk and makes it read-only.
 *
 * @returns Size and SHA-256 of each file, by name, in the order of names.
 * @throws {DataError} If the draft holds anything but plain files. Errors of the system are passed on.
 */
async function freezeFiles(draft: string): Promise<Record<string, FileRecord>> {
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

/**
 * Removes the oldest versions beyond a count, except those that a running reader holds open. Those that cannot be
 * removed are left for the next time, without an error: the switch before has succeeded.
 *
 * @param keep The number of versions that stay, including the current one.
 * @param first The versions to keep first: the current one, and the one that it was built on.
 */
async function pruneVersions(folder: string, keep: number, first: readonly string[]): Promise<void> {
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

/**
 * Finds which of these versions a process of this machine has open. Only Linux tells this, and for other users'
 * processes only to root; elsewhere the result is empty. That is safe: on POSIX, a process can still read a removed
 * file that it has open, and Windows refuses to remove it.
 */
export async function usedVersions(folder: string, names: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (const process of (await entries('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const number of await entries(`/proc/${process}/fd`)) {
      const link = `/proc/${process}/fd/${number}`;
      const target = await readlink(link).catch(() => '');
      const name = basename(dirname(target));
      // The link holds the path as that process sees it, which differs in a container, so the files are compared.
      if (names.includes(name) && (await isSameFile(link, join(versionPath(folder, name), basename(target))))) {
        used.add(name);
      }
    }
  }
  return used;
}

function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}
