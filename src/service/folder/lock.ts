import { open, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataError } from '../../errors.js';
import { codeOf } from '../../whole-file.js';

/** Locks that this process holds: a number in a lock file may also be ours from before a restart. */
const held = new Set<string>();

/**
 * Takes the data folder's write lock, so that two ingests never build at once, nor an ingest and a rollback.
 *
 * @returns Gives the lock back.
 * @throws {DataError} While another live process of this machine holds it; a dead holder's lock is taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = resolve(folder, 'ingest.lock');
  while (!(await tryLock(path))) {
    const holder = await liveHolder(path);
    if (holder !== undefined) {
      throw new DataError(`Another ingest (process ${holder}) is writing ${folder}: wait for it, or stop it.`);
    }
    await removeDead(path);
  }
  return async () => {
    held.delete(path);
    await rm(path, { force: true });
  };
}

/**
 * Removes a dead holder's lock under a lock of its own: of two that found it dead, the later would otherwise remove
 * the one that the earlier has just taken.
 */
async function removeDead(path: string): Promise<void> {
  const removing = `${path}.takeover`;
  if (await tryLock(removing)) {
    if ((await liveHolder(path)) === undefined) await rm(path, { force: true });
    held.delete(removing);
    await rm(removing, { force: true });
  } else if ((await liveHolder(removing)) === undefined) {
    await rm(removing, { force: true });
  } else {
    await sleep(10);
  }
}

/** Makes the lock file; one that cannot take its content (a full disk) is not left behind. */
async function tryLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    held.add(path);
    try {
      await file.writeFile(`${process.pid} ${await bornAt(process.pid)}\n`);
    } catch (error) {
      held.delete(path);
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
const NAMELESS_MS = 500;

/** Who holds the lock: its process number, or undefined where it is dead or gone. */
async function liveHolder(path: string): Promise<number | undefined> {
  const text = await contentOf(path);
  const [number = '', born] = text?.trim().split(' ') ?? [];
  const pid = Number(number);
  if (!(pid > 0)) return undefined;
  if (pid === process.pid) return held.has(path) ? pid : undefined;
  // The number of a dead process is given to another in time, in a container even soon.
  const isOther = born !== undefined && born !== (await bornAt(pid));
  return !isOther && isAlive(pid) ? pid : undefined;
}

/** What a lock file says, once it says something or should have; undefined where it is gone. */
async function contentOf(path: string): Promise<string | undefined> {
  const asked = performance.now();
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || performance.now() - asked > NAMELESS_MS) return text;
    await sleep(20);
  }
}

/** When a process started, as its system counts; empty where the system does not tell, or it is gone. */
async function bornAt(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before it may hold spaces and brackets itself.
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
