import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, systemErrorCode } from '../../base/whole-file.js';

/**
 * Makes a folder that only its owner may open, and the missing folders above it.
 *
 * @throws A system error if it cannot be made.
 */
export async function privateFolder(path: string): Promise<void> {
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  });
}
