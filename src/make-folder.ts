import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and any missing folders above it. Node's recursive mkdir is not used: it never returns under a parent
 * that takes no folders, such as /proc, and on a read-only disk it reports that the folder does not exist.
 *
 * @returns The topmost folder that was made, or undefined if all existed.
 * @throws An error of the system if a folder cannot be made.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const folder = resolve(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return undefined;
  const above = dirname(folder) === folder ? undefined : await makeFolder(dirname(folder));
  await mkdir(folder);
  return above ?? folder;
}
