import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../errors.js';
import { codeOf } from '../../whole-file.js';

/** Locks that this process holds: a number in a lock file may also be ours from before a restart. */
const held = new Set<string>();

/**
 * Takes the data folder's write lock, so that two ingests never build at once.
 *
 * @returns Gives the lock back.
 * @throws {DataError} While another live process holds it; a dead holder's lock is taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'ingest.lock');
  while (!(await tryLock(path))) {
    const holder = await liveHolder(path);
    if (holder !== undefined) {
      throw new DataError(`Another ingest (process ${holder}) is writing ${folder}: wait for it, or stop it.`);
    }
    await rm(path, { force: true });
  }
  held.add(path);
  return async () => {
    held.delete(path);
    await rm(path, { force: true });
  };
}

/** Makes the lock file; one that cannot take its content (a full disk) is not left behind. */
async function tryLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(String(process.pid));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** How long a lock file may be without its holder's number, which comes right after it. */
const NAMELESS_MS = 5000;

/** Who holds the lock: its process number, or undefined where it is dead or gone. */
async function liveHolder(path: string): Promise<number | 'unnamed' | undefined> {
  const found = await stat(path).catch(() => undefined);
  const text = found && (await readFile(path, 'utf8').catch(() => undefined));
  if (found === undefined || text === undefined) return undefined;
  if (text === '') return Date.now() - found.mtimeMs < NAMELESS_MS ? 'unnamed' : undefined;
  const pid = Number(text);
  const alive = pid === process.pid ? held.has(path) : pid > 0 && isAlive(pid);
  return alive ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
