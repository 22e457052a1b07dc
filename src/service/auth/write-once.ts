import { randomBytes } from 'node:crypto';
import { link, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, syncFolder } from '../../whole-file.js';

/**
 * Makes a file whole, for its owner alone, unless there is one already: of several that try at once, in several
 * processes too, one succeeds.
 *
 * @returns Whether this call made it.
 * @throws What the system said, where the folder cannot be written.
 */
export async function writeOnce(path: string, text: string): Promise<boolean> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx', flush: true });
    // A rename would replace an older file; a link is refused.
    await link(beside, path).catch((error: unknown) => linkless(error, path, text));
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

/** For a file system without hard links: as safe against others, though not against a power cut in the middle. */
async function linkless(error: unknown, path: string, text: string): Promise<void> {
  if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
