import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { makeFolder, syncFolder, writeWhole } from '../../base/whole-file.js';
import { freezeFiles } from './freeze-files.js';
import { healFolder } from './heal-folder.js';
import { type Manifest, writeManifest } from './manifest.js';
import { pruneVersions } from './prune-versions.js';
import {
  currentLost,
  currentName,
  pendingPath,
  readVersion,
  type Version,
  versionNames,
  versionPath,
} from './read-version.js';
import { switchVersion } from './switch-version.js';

export { type InputReport, type Manifest, SCHEMA } from './manifest.js';
export type { Version } from './read-version.js';

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
  manifest: Manifest,
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
  return String(Math.max(0, ...names.map(Number)) + 1).padStart(6, '0');
}
