import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder with the folders above it, where they are missing. Node's own recursive mkdir never returns under a
 * parent that takes no folders (as /proc), and says of a read-only disk that the folder does not exist.
 *
 * @returns The topmost folder that was made, or undefined where all were there.
 * @throws What the system said of the one that could not be made.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const folder = resolve(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return undefined;
  const above = dirname(folder) === folder ? undefined : await makeFolder(dirname(folder));
  await mkdir(folder);
  return above ?? folder;
}
