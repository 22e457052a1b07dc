import { open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { DataError } from '../../errors.js';
import { codeOf } from '../../whole-file.js';

/** How long a writer waits for the others, whose turns take milliseconds. */
const PATIENCE_MS = 30_000;

/** From when on a lock of another machine, whose processes cannot be asked after, counts as left behind. */
const FOREIGN_STALE_MS = 60_000;

/** From when on a lock without its holder's name, which comes right after it, counts as left behind. */
const NAMELESS_STALE_MS = 5000;

/**
 * Does work while no other process does the same, told apart by a lock file. One that its holder left behind by dying
 * is taken over.
 *
 * @throws {DataError} If the lock is not to be had within half a minute, or cannot be made.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let pauseMs = 2; !(await tryLock(path)); pauseMs = Math.min(50, pauseMs * 2)) {
    if (await isStale(path)) await takeAway(path);
    else if (Date.now() > until) {
      throw new DataError(
        `${path} has been held for ${PATIENCE_MS / 1000} seconds: if no other process is recording, delete it.`,
      );
    } else await wait(pauseMs * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Makes the lock file; one that cannot take its content (a full disk) is not left behind. */
async function tryLock(path: string): Promise<boolean> {
  const file = await open(path, 'wx').catch((error) => {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  });
  if (!file) return false;
  try {
    await file.writeFile(`${process.pid} ${hostname()}\n`);
    return true;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Takes a stale lock away, one process at a time: else one could take the lock that another has just made anew. */
async function takeAway(path: string): Promise<void> {
  const breaker = `${path}.stale`;
  if (await tryLock(breaker)) {
    try {
      if (await isStale(path)) await rm(path, { force: true });
    } finally {
      await rm(breaker, { force: true });
    }
  } else if (await isStale(breaker)) await rm(breaker, { force: true });
  else await wait(5);
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  const text = found && (await readFile(path, 'utf8').catch(() => undefined));
  if (found === undefined || text === undefined) return false;
  const age = Date.now() - found.mtimeMs;
  const [, pid, host] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  if (pid === undefined) return age > NAMELESS_STALE_MS;
  if (host !== hostname()) return age > FOREIGN_STALE_MS;
  // A process may have the number of one from before a restart: its lock is older than the process itself.
  if (Number(pid) === process.pid) return age > process.uptime() * 1000 + 1000;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
