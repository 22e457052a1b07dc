import { randomBytes } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { folderError } from '../folder/folder-layout.js';
import { privateFolder } from './private-folder.js';
import { writeOnce } from './write-once.js';

/** The length of the secret. */
const BYTES = 32;

/**
 * Reads the secret with which a data folder's dashboard signs its cookies: 32 random bytes in `dashboard/secret`, which
 * only the file's owner may read. The first call makes it. All processes over the folder get the same. Removing the
 * file signs everybody out.
 *
 * @throws {DataError} If it cannot be made or read, or is damaged.
 */
export async function loadSecret(folder: string): Promise<Buffer> {
  const path = join(folder, 'dashboard', 'secret');
  const secret = Buffer.from((await readSecret(path)) ?? (await makeSecret(folder, path)), 'base64url');
  if (secret.length !== BYTES) {
    throw new DataError(`The secret in ${path} is damaged: remove the file, and all users sign in once more.`);
  }
  return secret;
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    // A copied folder may have lost its permissions.
    if ((await stat(path)).mode & 0o077) await chmod(path, 0o600);
    return text.trim();
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new DataError(`Cannot read the secret in ${path}: ${systemErrorCode(cause) ?? cause}.`, { cause });
  }
}

async function makeSecret(folder: string, path: string): Promise<string> {
  try {
    await privateFolder(join(folder, 'dashboard'));
    await writeOnce(path, `${randomBytes(BYTES).toString('base64url')}\n`);
    return (await readSecret(path)) ?? '';
  } catch (error) {
    throw folderError(folder, error);
  }
}
