import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { shellWord } from '../shell-word.js';
import { type Manifest, readManifest, type SealedManifest } from './manifest.js';

/** One immutable version of the data: a folder with its files and its manifest. */
export interface Version {
  /** Its number, such as `000012`. */
  name: string;
  /** Its name and a part of its seal, such as `000012-1b9f03ac`: unique even if the folder is made anew. */
  id: string;
  /** Its folder. */
  path: string;
  database: string;
  manifest: Manifest;
  /** The size and SHA-256 of each of its files except the manifest, by name. */
  files: SealedManifest['files'];
}

/** The path of the small file that names the version to serve. */
export function currentPath(folder: string): string {
  return join(folder, 'current');
}

/** The folder that holds the versions of a data folder, or that of one version. */
export function versionPath(folder: string, name = ''): string {
  return join(folder, 'versions', name);
}

/**
 * Reads the name of the version to serve.
 *
 * @returns Undefined if nothing was ingested yet.
 * @throws {DataError} If it cannot be read.
 */
export async function currentName(folder: string): Promise<string | undefined> {
  try {
    // Made safe to print, whatever a damaged file holds.
    const text = (await readFile(currentPath(folder), 'utf8')).trim().slice(0, 20);
    return text.replace(/[^\w-]/g, '?') || '?';
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new DataError(`Cannot read the data folder ${folder}: ${systemErrorCode(cause) ?? cause}.`, { cause });
  }
}

/** The error for a folder that has versions but does not name the one to serve. */
export function currentLost(folder: string): DataError {
  return new DataError(
    `The data folder ${folder} no longer names its current version: "current" is gone. Switch to one by ` +
      `"oddslab data rollback --data ${shellWord(folder)}".`,
  );
}

/** The names of a data folder's versions, oldest first; empty if it has none or does not exist. */
export async function versionNames(folder: string): Promise<string[]> {
  const names = await readdir(versionPath(folder)).catch((cause: unknown) => {
    if (systemErrorCode(cause) === 'ENOENT') return [];
    throw new DataError(`Cannot read the data folder ${folder}: ${systemErrorCode(cause) ?? cause}.`, { cause });
  });
  const unfinished = await pendingName(folder);
  return names.filter((name) => isVersionName(name) && name !== unfinished).sort();
}

/** Whether a text has the form of a version name. */
export function isVersionName(text: string): boolean {
  return /^\d{6,}$/.test(text);
}

/** The path of the file that names a version while it is published: before it is in place until after the switch. */
export function pendingPath(folder: string): string {
  return versionPath(folder, '.publishing');
}

/** The version whose publication has not reached the switch, perhaps since it was interrupted; else undefined. */
export async function pendingName(folder: string): Promise<string | undefined> {
  const pending = (await readFile(pendingPath(folder), 'utf8').catch(() => '')).trim();
  return isVersionName(pending) && pending !== (await currentName(folder)) ? pending : undefined;
}

/**
 * Reads a version's manifest and checks that all files exist in their full size; {@link verifyVersion} also reads them.
 *
 * @throws {DataError} If it is missing, damaged, or of another release.
 */
export async function readVersion(folder: string, name: string): Promise<Version> {
  const path = versionPath(folder, name);
  try {
    if (!isVersionName(name)) throw new DataError('"current" names no version');
    const { files, seal, ...manifest } = await readManifest(path);
    for (const [file, { bytes }] of Object.entries(files)) {
      const { size } = await stat(join(path, file)).catch((cause: unknown) => {
        throw new DataError(`${file} ${systemErrorCode(cause) === 'ENOENT' ? 'is not there' : 'cannot be read'}`, {
          cause,
        });
      });
      if (size !== bytes) throw new DataError(`${file} has ${size} bytes instead of ${bytes}`);
    }
    return { name, id: `${name}-${seal.slice(0, 8)}`, path, database: join(path, 'lab.duckdb'), manifest, files };
  } catch (cause) {
    throw damage(folder, name, cause);
  }
}

/** The error for a version that cannot be served, from what is wrong with it. */
export function damage(folder: string, name: string, cause: unknown): DataError {
  // Only the first sentence: advice of the file's reader is replaced by that for the whole version.
  const [what = ''] = (cause instanceof Error ? cause.message : String(cause)).split(/\.(?:\s|$)/, 1);
  return new DataError(
    `Version ${name} of the data folder ${folder} is missing or damaged: ${what}. Go back to an older one by ` +
      `"oddslab data rollback --data ${shellWord(folder)}", or ingest its inputs again into a new folder.`,
    { cause },
  );
}
