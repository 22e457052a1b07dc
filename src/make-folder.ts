import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and any missing folders above it, also while another process makes them. Node's recursive mkdir is
 * not used: it never returns under a parent that takes no folders, such as /proc, and on a read-only disk it reports
 * that the folder does not exist.
 *
 * @returns The topmost folder that was made, or undefined if all existed.
 * @throws An error of the system if a folder cannot be made.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const folder = resolve(path);
  if (await isFolder(folder)) return undefined;
  const above = dirname(folder) === folder ? undefined : await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
  } catch (error) {
    if (await isFolder(folder)) return above;
    throw error;
  }
  return above ?? folder;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
