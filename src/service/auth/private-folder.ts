import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../make-folder.js';
import { codeOf } from '../../whole-file.js';

/**
 * Makes a folder that its owner alone may open, with the folders above it where they are missing.
 *
 * @throws What the system said, where it cannot be made.
 */
export async function privateFolder(path: string): Promise<void> {
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}
