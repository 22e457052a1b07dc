import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { systemErrorCode } from '../base/whole-file.js';

const KEY_BYTES = 32;

/**
 * A secret of this user: the 32 bytes of a file that nobody else can read. It is made if it is missing or broken.
 *
 * @throws An error of the system if it can neither be read nor made.
 */
export async function ownKey(path: string): Promise<Buffer> {
  const there = await readFile(path).catch(() => undefined);
  if (there?.length === KEY_BYTES) return there;
  // Whole from its first moment, also where two processes make one.
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(beside, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
  try {
    if (there) await rm(path);
    await link(beside, path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(beside, { force: true });
  }
  return readFile(path);
}
