import { readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { versionPath } from './read-version.js';

/**
 * Which of these versions have a file open in a process of this machine. Linux alone tells, and of another user's
 * processes only to root; elsewhere it finds none. That is safe: POSIX lets whoever holds a removed file open read on,
 * and Windows refuses to remove it.
 */
export async function usedVersions(folder: string, names: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (const process of (await entries('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const number of await entries(`/proc/${process}/fd`)) {
      const link = `/proc/${process}/fd/${number}`;
      const target = await readlink(link).catch(() => '');
      const name = basename(dirname(target));
      // The link tells the path as that process sees it, which in a container is another: the file itself decides.
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
