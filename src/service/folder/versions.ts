import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../errors.js';
import { makeFolder } from '../../make-folder.js';
import { syncFolder, writeWhole } from '../../whole-file.js';
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
 * The version that a data folder is to serve, all of its files there in their full size.
 *
 * @returns Undefined where nothing was ingested yet.
 * @throws {DataError} If the version that is named is damaged or was written by another release, or none is named
 *   though there are some.
 */
export async function currentVersion(folder: string): Promise<Version | undefined> {
  // In this order, as the first one may just be published.
  const names = await versionNames(folder);
  const name = await currentName(folder);
  if (name !== undefined) return readVersion(folder, name);
  if (names.length > 0) throw currentLost(folder);
  return undefined;
}

/**
 * A folder in which the next version is built, out of sight until {@link publishVersion}. The caller holds the
 * folder's lock; what an earlier one that was killed left behind is removed.
 */
export async function draftVersion(folder: string): Promise<string> {
  await makeFolder(versionPath(folder));
  await healFolder(folder);
  const draft = await mkdtemp(versionPath(folder, '.draft-'));
  await chmod(draft, 0o755);
  return draft;
}

/** How many versions stay, the current one among them, where nothing else is asked for. */
export const KEPT = 3;

/**
 * Puts a finished draft on disk under the next number, then switches to it: either all of it is visible or nothing. Its
 * manifest names the version that is current until then as the one that it was built on.
 *
 * @param draft A folder of {@link draftVersion} with plain files alone; they become read-only.
 * @param options.keep How many versions stay, the current one among them; at least 1. Default 3.
 * @throws {UsageError} If `keep` is less than 1.
 * @throws If it cannot be written: the older version is served on, and nothing of the draft is visible.
 */
export async function publishVersion(
  folder: string,
  draft: string,
  manifest: Manifest,
  { keep = KEPT }: { keep?: number | undefined } = {},
): Promise<Version> {
  // With none to keep, the one that was just switched to would go as well.
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
    // The switch itself may have come through and only its last step failed.
    const served = await currentName(folder).catch(() => undefined);
    if (served !== name) await rm(versionPath(folder, name), { recursive: true, force: true });
    throw error;
  } finally {
    await rm(pendingPath(folder), { force: true });
  }
  // A folder that was made for this must survive a power cut as well; the one above may not be ours to open.
  if (previous === undefined) await syncFolder(dirname(resolve(folder))).catch(() => {});
  await pruneVersions(folder, keep, [name, ...(previous === undefined ? [] : [previous])]);
  return readVersion(folder, name);
}

function nextName(names: readonly string[]): string {
  return String(Math.max(0, ...names.map(Number)) + 1).padStart(6, '0');
}
