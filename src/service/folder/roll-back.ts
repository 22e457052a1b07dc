import { DataError, UsageError } from '../../base/errors.js';
import { shellWord } from '../shell-word.js';
import { earlierVersions } from './earlier-versions.js';
import { folderError } from './folder-error.js';
import { healFolder } from './heal-folder.js';
import { listVersions } from './list-versions.js';
import { lockFolder } from './lock.js';
import { currentName, versionNames } from './read-version.js';
import { switchVersion } from './switch-version.js';
import { verifyVersion } from './verify-version.js';
import { wayBack } from './way-back.js';

/** What a rollback did. */
export interface RolledBack {
  /** The version that was current before; undefined if there was none. */
  was: string | undefined;
  /** The version that is current now. */
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
