import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock } from '../../src/base/lock-file.js';

/** The process that left a lock file; by default this one. */
export interface Leaver {
  pid?: number;
  /** When the process started, in its system's count; empty if unknown. */
  born?: string;
  place?: string;
  /** Age of its last sign of life. */
  ageSeconds?: number;
}

/** Makes a lock file as such a process would have left it. */
export async function leaveLock(folder: string, name: string, leaver: Leaver): Promise<void> {
  const path = join(folder, name);
  const release = await takeLock(path);
  if (typeof release !== 'function') throw new Error(`${path} is held`);
  const [pid, born, ...place] = (await readFile(path, 'utf8')).trim().split(' ');
  await release();
  const parts = [leaver.pid ?? pid, leaver.born ?? born, leaver.place ?? place.join(' ')];
  await writeFile(path, `${parts.join(' ')}\n`);
  const then = Date.now() / 1000 - (leaver.ageSeconds ?? 0);
  await utimes(path, then, then);
}
