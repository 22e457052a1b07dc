import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, messageOf, UsageError } from '../../base/errors.js';
import { shellWord } from '../../base/texts.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { switchVersion } from './current-version.js';
import { currentName, folderError, healFolder, isVersionName, lockFolder, versionPath } from './folder-layout.js';
import { earlierVersions, listVersions, wayBack } from './list-versions.js';
import { MANIFEST, versionNames } from './sealed-version.js';
import { type FileRecord, hashFile, readManifest } from './version.js';

/** What a rollback did. */
export interface RolledBack {
  /** The version that was current before; undefined if there was none. */
  was: string | undefined;
  is: string;
  /** Damaged versions that were skipped on the way from one to the other. */
  passed: string[];
}

/**
 * Switches a data folder to another of its versions, after checking every byte of that version.
 *
 * @param to The version's name, older or newer. Default the nearest undamaged version that the current one was built
 *   on; never one that was rolled back from.
 * @throws {UsageError} If there is no such version.
 * @throws {DataError} If that version is damaged, none is left to go back to, or the folder is in use or read-only.
 */
export async function rollBack(folder: string, to?: string): Promise<RolledBack> {
  try {
    const unlock = await lockFolder(folder);
    try {
      await healFolder(folder);
      const was = await currentName(folder);
      const { is, passed } = to === undefined ? await newestBeneath(folder, was) : await checked(folder, to);
      if (is !== was) await switchVersion(folder, is);
      return { was, is, passed };
    } finally {
      await unlock();
    }
  } catch (error) {
    throw folderError(folder, error);
  }
}

async function checked(folder: string, to: string): Promise<{ is: string; passed: string[] }> {
  const names = await versionNames(folder);
  if (!names.includes(to)) {
    throw new UsageError(`There is no version ${to} in ${folder}; it has ${names.join(', ') || 'none'}.`);
  }
  const [damage] = await verifyVersion(folder, to);
  if (damage) throw new DataError(`Version ${to} of ${folder} is damaged: ${damage.file} ${damage.problem}.`);
  return { is: to, passed: [] };
}

async function newestBeneath(folder: string, was: string | undefined): Promise<{ is: string; passed: string[] }> {
  const passed: string[] = [];
  for (const name of await earlierVersions(folder, was)) {
    if ((await verifyVersion(folder, name)).length === 0) return { is: name, passed };
    passed.push(name);
  }
  const remedy = wayBack(folder, await listVersions(folder), passed);
  throw new DataError(
    `There is no whole version before ${was ?? 'the first'} in ${folder} to go back to` +
      `${passed.length > 0 ? `: ${passed.join(', ')} damaged` : ''}. ` +
      (remedy ?? `See "oddslab data list --data ${shellWord(folder)}".`),
  );
}

/** What is wrong with one file of a version. */
export interface FileDamage {
  /** Its name within the version's folder. */
  file: string;
  /** What is wrong with it, as the rest of a sentence. */
  problem: string;
}

/**
 * Reads every byte of a version and compares it with what was written.
 *
 * @returns What is wrong with each file; empty if nothing is.
 */
export async function verifyVersion(folder: string, name: string): Promise<FileDamage[]> {
  if (!isVersionName(name)) return [{ file: 'current', problem: 'names no version' }];
  const path = versionPath(folder, name);
  const manifest = await readManifest(path).catch(messageOf);
  if (typeof manifest === 'string') return [{ file: MANIFEST, problem: manifest.replace(`${MANIFEST} `, '') }];
  const damages: FileDamage[] = [];
  for (const [file, expected] of Object.entries(manifest.files)) {
    const problem = await problemOf(join(path, file), expected);
    if (problem !== undefined) damages.push({ file, problem });
  }
  const strangers = (await readdir(path)).filter((file) => file !== MANIFEST && !(file in manifest.files));
  return [...damages, ...strangers.map((file) => ({ file, problem: 'does not belong there: remove it' }))];
}

async function problemOf(path: string, expected: FileRecord): Promise<string | undefined> {
  try {
    const { bytes, sha256 } = await hashFile(path);
    if (bytes !== expected.bytes) return `has ${bytes} bytes instead of ${expected.bytes}`;
    return sha256 === expected.sha256 ? undefined : 'holds other bytes than were written';
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? 'is not there' : `cannot be read: ${messageOf(error)}`;
  }
}
