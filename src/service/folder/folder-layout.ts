import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DataError, OddslabError } from '../../base/errors.js';
import { takeLock } from '../../base/lock-file.js';
import { shellWord } from '../../base/texts.js';
import { systemErrorCode, writeFailure } from '../../base/whole-file.js';

/** Checks that a data folder exists. @throws {DataError} If it does not; the message says what to do. */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new DataError(
    found
      ? `The data folder ${folder} is a file: name the folder that "oddslab ingest" wrote.`
      : `There is no data folder ${folder}: check its name, or fetch a wallet's record with "oddslab fetch wallet 0x… ` +
          `--data ${shellWord(folder)}", or load files with "oddslab ingest --data ${shellWord(folder)} FILE…", or make the sample market there with "oddslab demo --data ${shellWord(folder)}".`,
  );
}

/**
 * Takes the data folder's write lock, so that two ingests never build at once, nor an ingest and a rollback.
 *
 * @returns A function that releases the lock.
 * @throws {DataError} If another live process holds it. The lock of a dead process is taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const taken = await takeLock(resolve(folder, 'ingest.lock'));
  if (typeof taken === 'function') return taken;
  const { pid, elsewhere } = taken;
  throw new DataError(
    elsewhere === undefined
      ? `Another ingest (process ${pid}) is writing ${folder}: wait for it, or stop it.`
      : `Another ingest (process ${pid} on ${elsewhere}) is writing ${folder}: wait for it, or stop it; a minute after ` +
          'it has ended, its lock is free.',
  );
}

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

/**
 * The error for a data folder that cannot be written, from an error of the system; errors of Oddslab stay as they are.
 */
export function folderError(folder: string, cause: unknown): Error {
  if (cause instanceof OddslabError) return cause;
  return new DataError(`Cannot write the data folder ${folder}: ${writeFailure(cause)}.`, { cause });
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
  const text = await ifThere(`the data folder ${folder}`, readFile(currentPath(folder), 'utf8'));
  // Made safe to print, whatever a damaged file holds.
  return text === undefined
    ? undefined
    : text
        .trim()
        .slice(0, 20)
        .replace(/[^\w-]/g, '?') || '?';
}

/**
 * What a reading gives, or undefined if there is nothing to read.
 *
 * @param what What is read, for the error.
 * @throws {DataError} If it cannot be read.
 */
export function ifThere<Read>(what: string, reading: Promise<Read>): Promise<Read | undefined> {
  return reading.catch((cause: unknown) => {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new DataError(`Cannot read ${what}: ${systemErrorCode(cause) ?? cause}.`, { cause });
  });
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
