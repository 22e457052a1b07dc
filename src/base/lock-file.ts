import { type FileHandle, open, readFile, readlink, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCode } from './whole-file.js';

/** The process that holds a lock file. */
interface LockHolder {
  readonly pid: number;
  /** The host name, if it runs on another machine or in another container, whose processes cannot be checked here. */
  readonly elsewhere?: string;
}

/** The interval at which a holder shows processes of other machines and containers that it is alive. */
const SIGN_MS = 10_000;
/** The time without such a sign after which the lock of another machine or container counts as left behind. */
const SILENT_MS = 60_000;
/** The time for which a lock file may be empty, since its holder's name is written right after it is made. */
const NAMELESS_MS = 5000;

/**
 * Takes a lock file, so that only one process at a time does what it stands for. The lock of a dead process is taken
 * over: at once if it ran here, after a minute if it ran on another machine or in another container.
 *
 * @returns A function that releases the lock, or the process that holds it.
 * @throws An error of the system if the file cannot be made.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | LockHolder> {
  for (;;) {
    const file = await makeLock(path);
    if (file) return kept(path, file);
    const holder = await holderOf(path);
    if (holder === 'dead') await removeDead(path);
    else if (holder) return holder;
  }
}

/** Shows that the holder is alive until the lock is released. A lock that was taken over meanwhile is left alone. */
function kept(path: string, file: FileHandle): () => Promise<void> {
  const sign = setInterval(() => {
    const now = new Date();
    file.utimes(now, now).catch(() => {});
  }, SIGN_MS);
  sign.unref();
  return async () => {
    clearInterval(sign);
    const [own, there] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
    await file.close();
    if (own.ino === there?.ino) await rm(path, { force: true });
  };
}

/** Makes the lock file; undefined if it exists already. It is removed again if its content cannot be written. */
async function makeLock(path: string): Promise<FileHandle | undefined> {
  const name = `${process.pid} ${await bornAt(process.pid)} ${await place()}\n`;
  const file = await open(path, 'wx').catch((error) => {
    if (systemErrorCode(error) === 'EEXIST') return undefined;
    throw error;
  });
  try {
    await file?.writeFile(name);
    return file;
  } catch (error) {
    await file?.close();
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Removes a dead holder's lock while holding a second lock. Otherwise, of two processes that found it dead, the later
 * could remove the lock that the earlier has just taken.
 */
async function removeDead(path: string): Promise<void> {
  const removing = `${path}.takeover`;
  const file = await makeLock(removing);
  if (file) {
    try {
      if ((await holderOf(path)) === 'dead') await rm(path, { force: true });
    } finally {
      await file.close();
      await rm(removing, { force: true });
    }
  } else if ((await holderOf(removing)) === 'dead') await rm(removing, { force: true });
  else await sleep(10);
}

/** The holder of the lock; undefined if the lock is gone. */
async function holderOf(path: string): Promise<LockHolder | 'dead' | undefined> {
  const text = await contentOf(path);
  if (text === undefined) return undefined;
  const [, number, born, where = ''] = /^(\d+) (\d*) (.+)\n$/.exec(text) ?? [];
  const pid = Number(number);
  if (!(pid > 0)) return 'dead';
  if (where !== (await place())) return (await ageOf(path)) < SILENT_MS ? { pid, elsewhere: hostOf(where) } : 'dead';
  // The system reuses the numbers of dead processes, in a container even soon.
  const found = await bornAt(pid);
  const isSame = found && born ? found === born : pid !== process.pid || (await isSinceStart(path));
  return isSame && isAlive(pid) ? { pid } : 'dead';
}

/** The content of a lock file, waiting a while if it is still empty; undefined if the file is gone. */
async function contentOf(path: string): Promise<string | undefined> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || (await ageOf(path)) > NAMELESS_MS) return text;
    await sleep(20);
  }
}

/** The name of the machine or container, within which process numbers are unique. */
async function place(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`.trim();
}

function hostOf(place: string): string {
  return place.split(' ', 1)[0] ?? place;
}

/** Milliseconds since the holder's last sign; infinite if the lock is gone. */
async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY;
}

/** Whether a lock is younger than this process. If not, it belonged to an earlier process with the same number. */
async function isSinceStart(path: string): Promise<boolean> {
  return (await ageOf(path)) < process.uptime() * 1000 + 1000;
}

/** When a process started, in clock ticks after boot; empty if the system does not tell or the process is gone. */
async function bornAt(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The fields are counted from the last bracket, since the process name may hold spaces and brackets.
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}
