import { type FileHandle, open, readFile, readlink, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './whole-file.js';

/** Who holds a lock file. */
export interface LockHolder {
  /** The number of its process. */
  readonly pid: number;
  /** The machine or container that it runs on, where that is another one: its processes cannot be asked after here. */
  readonly elsewhere?: string;
}

/** A holder says that often that it lives, for processes of other machines and containers. */
const SIGN_MS = 10_000;
/** A lock of another machine or container without such a sign for that long counts as left behind. */
const SILENT_MS = 60_000;
/** How long a lock file may be without its holder's name, which comes right after it. */
const NAMELESS_MS = 5000;

/**
 * Takes a lock file, so that one process alone does what it stands for. One that its holder left behind by dying is
 * taken over: at once where it ran here, a minute later where it ran on another machine or in another container.
 *
 * @returns Gives the lock back; or, where somebody holds it, who.
 * @throws What the system says where the file cannot be made.
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

/** Signs that the holder lives, until the lock is given back; one that was taken over meanwhile is left alone. */
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

/** Makes the lock file; one that cannot take its content (a full disk) is not left behind. Undefined where there is one. */
async function makeLock(path: string): Promise<FileHandle | undefined> {
  const name = `${process.pid} ${await bornAt(process.pid)} ${await place()}\n`;
  const file = await open(path, 'wx').catch((error) => {
    if (codeOf(error) === 'EEXIST') return undefined;
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
 * Removes a dead holder's lock under a lock of its own: of two that found it dead, the later would otherwise remove
 * the one that the earlier has just taken.
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

/** Who holds the lock; undefined where nobody does any more. */
async function holderOf(path: string): Promise<LockHolder | 'dead' | undefined> {
  const text = await contentOf(path);
  if (text === undefined) return undefined;
  const [, number, born, where = ''] = /^(\d+) (\d*) (.+)\n$/.exec(text) ?? [];
  const pid = Number(number);
  if (!(pid > 0)) return 'dead';
  if (where !== (await place())) return (await ageOf(path)) < SILENT_MS ? { pid, elsewhere: hostOf(where) } : 'dead';
  // The number of a dead process is given to another in time, in a container even soon.
  const found = await bornAt(pid);
  const isSame = found && born ? found === born : pid !== process.pid || (await isSinceStart(path));
  return isSame && isAlive(pid) ? { pid } : 'dead';
}

/** What a lock file says, once it says something or should have; undefined where it is gone. */
async function contentOf(path: string): Promise<string | undefined> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || (await ageOf(path)) > NAMELESS_MS) return text;
    await sleep(20);
  }
}

/** Where processes have numbers of their own: a machine, or a container on one. */
async function place(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`.trim();
}

function hostOf(place: string): string {
  return place.split(' ', 1)[0] ?? place;
}

/** Milliseconds since the holder's last sign; endless where the lock is gone. */
async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY;
}

/** Where the system does not tell when processes started, a lock from before this one's start is another's. */
async function isSinceStart(path: string): Promise<boolean> {
  return (await ageOf(path)) < process.uptime() * 1000 + 1000;
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
