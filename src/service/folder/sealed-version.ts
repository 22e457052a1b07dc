import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, messageOf } from '../../base/errors.js';
import { fieldOf, jsonIn, shellWord } from '../../base/texts.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { currentName, ifThere, isVersionName, pendingName, versionPath } from './folder-layout.js';

/** The error for a folder that has versions but does not name the one to serve. */
export function currentLost(folder: string): DataError {
  return new DataError(
    `The data folder ${folder} no longer names its current version: "current" is gone. Switch to one by ` +
      `"oddslab data rollback --data ${shellWord(folder)}".`,
  );
}

/** The names of a data folder's versions, oldest first; empty if it has none or does not exist. */
export async function versionNames(folder: string): Promise<string[]> {
  const names = await ifThere(`the data folder ${folder}`, readdir(versionPath(folder)));
  const unfinished = await pendingName(folder);
  return (names ?? []).filter((name) => isVersionName(name) && name !== unfinished).sort();
}

/**
 * Whether a data folder has a version to serve, for who need not know what is in it: what its manifest says is not
 * looked at, only that it is sealed and that all its files exist in their full size.
 *
 * @throws {DataError} If that version is damaged or was written by another release, or if there are versions but none
 *   is named as current.
 */
export async function hasCurrentVersion(folder: string): Promise<boolean> {
  // In this order, since the first version may be published in between.
  const names = await versionNames(folder);
  const name = await currentName(folder);
  if (name === undefined && names.length > 0) throw currentLost(folder);
  if (name === undefined) return false;
  try {
    if (!isVersionName(name)) throw new DataError('"current" names no version');
    const path = versionPath(folder, name);
    await requireFiles(path, Object(fieldOf(await readSealed(path), 'files')));
    return true;
  } catch (cause) {
    throw damage(folder, name, cause);
  }
}

/** Checks that a version's files exist in their full size. @throws {DataError} With part of a sentence, if not. */
export async function requireFiles(version: string, files: FileSizes): Promise<void> {
  for (const fault of (await sizeFaults(version, files)).values()) throw fault;
}

/** The sizes of a version's files in bytes, by name. */
type FileSizes = Readonly<Record<string, { bytes: number }>>;

/**
 * Looks whether a version's files exist in their full size.
 *
 * @returns What is wrong with each that does not, by its name, as part of a sentence; the cause is the system's error, if
 *   there was one. Empty if nothing is wrong.
 */
export async function sizeFaults(version: string, files: FileSizes): Promise<Map<string, DataError>> {
  const faults = new Map<string, DataError>();
  for (const [file, { bytes }] of Object.entries(files)) {
    try {
      const { size } = await stat(join(version, file));
      if (size !== bytes) faults.set(file, new DataError(`${file} has ${size} bytes instead of ${bytes}`));
    } catch (cause) {
      const why = systemErrorCode(cause) === 'ENOENT' ? 'is not there' : 'cannot be read';
      faults.set(file, new DataError(`${file} ${why}`, { cause }));
    }
  }
  return faults;
}

/** The error for a version that cannot be served, from what is wrong with it. */
export function damage(folder: string, name: string, cause: unknown): DataError {
  // Only the first sentence: advice of the file's reader is replaced by that for the whole version.
  const [what = ''] = messageOf(cause).split(/\.(?:\s|$)/, 1);
  return new DataError(
    `Version ${name} of the data folder ${folder} is missing or damaged: ${what}. Go back to an older one by ` +
      `"oddslab data rollback --data ${shellWord(folder)}", or ingest its inputs again into a new folder.`,
    { cause },
  );
}

/** The name of the manifest file within a version. */
export const MANIFEST = 'manifest.json';

/** The layout number of a version's files. Other numbers are refused. */
export const SCHEMA = 4;

/** The seal's place in a manifest's text while the seal is made. */
export const UNSEALED = '"seal": ""';

export function sealOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The error for a manifest that another hand changed; its message is part of a sentence. */
export function unlikeWritten(cause?: unknown): DataError {
  return new DataError(`${MANIFEST} is not what was written`, { cause });
}

/**
 * Reads a version's manifest as it was sealed.
 *
 * @throws {DataError} If it is missing, was changed after it was written, or is of another release. The message is part
 *   of a sentence.
 */
export async function readSealed(version: string): Promise<unknown> {
  const text = await readFile(join(version, MANIFEST), 'utf8').catch((cause: unknown) => {
    const why =
      systemErrorCode(cause) === 'ENOENT' ? 'is not there' : `cannot be read (${systemErrorCode(cause) ?? cause})`;
    throw new DataError(`${MANIFEST} ${why}`, { cause });
  });
  const value = jsonIn(text);
  const [schema, seal] = [fieldOf(value, 'schema'), fieldOf(value, 'seal')];
  if (typeof schema === 'number' && schema !== SCHEMA) {
    throw new DataError(`another release wrote it (layout ${schema}, this one reads ${SCHEMA})`);
  }
  if (sealOf(text.replace(`"seal": "${seal}"`, UNSEALED)) !== seal) throw unlikeWritten();
  return value;
}
