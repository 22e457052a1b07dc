import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToFolderOwner, makeFolder, syncFolder, systemErrorCode } from '../../base/whole-file.js';

/**
 * Makes a folder that only its owner may open, and the missing folders above it. What root makes belongs to the owner of
 * the folder above.
 *
 * @throws A system error if it cannot be made.
 */
export async function privateFolder(path: string): Promise<void> {
  await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
    if (process.getuid?.() !== 0) return;
    const made = await open(path, constants.O_DIRECTORY | constants.O_NOFOLLOW);
    await giveToFolderOwner(made, path).finally(() => made.close());
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Writes a file atomically, for its owner only, unless it exists already. Of several calls at once, also in several
 * processes, one succeeds.
 *
 * @returns Whether this call wrote it.
 * @throws A system error if the folder cannot be written.
 */
export async function writeOnce(path: string, text: string): Promise<boolean> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx', flush: true });
    // A rename would replace an existing file; a link is refused.
    await link(beside, path).catch((error: unknown) => linkless(error, path, text));
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

/** For a file system without hard links: as safe against other processes, but not against a power cut in between. */
async function linkless(error: unknown, path: string, text: string): Promise<void> {
  if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemErrorCode(error) ?? '')) throw error;
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
