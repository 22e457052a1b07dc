import { readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { versionPath } from './read-version.js';

/**
 * Finds which of these versions a process of this machine has open. Only Linux tells this, and for other users'
 * processes only to root; elsewhere the result is empty. That is safe: on POSIX, a process can still read a removed
 * file that it has open, and Windows refuses to remove it.
 */
export async function usedVersions(folder: string, names: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (const process of (await entries('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const number of await entries(`/proc/${process}/fd`)) {
      const link = `/proc/${process}/fd/${number}`;
      const target = await readlink(link).catch(() => '');
      const name = basename(dirname(target));
      // The link holds the path as that process sees it, which differs in a container, so the files are compared.
      if (names.includes(name) && (await isSameFile(link, join(versionPath(folder, name), basename(target))))) {
        used.add(name);
      }
    }
  }
  return used;
}

function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}
