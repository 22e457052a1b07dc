import { type BigIntStats, existsSync } from 'node:fs';
import { type FileHandle, link, lstat, rename, rm, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { DataError } from '../base/errors.js';
import { systemErrorCode, writeFailure } from '../base/whole-file.js';
import { PageRefusal } from './refusal.js';

/** Whether an open folder has a path of its own, as on Linux. Elsewhere its path is looked at before each change. */
export const CAN_HOLD = existsSync('/proc/self/fd');

/** A folder that stays the same, whatever becomes of its path. */
export interface HeldFolder {
  /** A path of it. */
  readonly base: string;
  release(): Promise<void>;
}

/** A file that appears in its place once it is whole. */
export class PartFile {
  readonly #part: string;
  readonly #place: string;
  readonly #handle: FileHandle;
  readonly #folder: HeldFolder;
  #isOver = false;

  constructor(parts: { part: string; place: string; handle: FileHandle; folder: HeldFolder }) {
    this.#part = parts.part;
    this.#place = parts.place;
    this.#handle = parts.handle;
    this.#folder = parts.folder;
  }

  async write(piece: string | Uint8Array): Promise<void> {
    await writing(basename(this.#place), this.#handle.writeFile(piece));
  }

  /**
   * Puts the file in its place, over an older one.
   *
   * @param check Called last; what it throws keeps the older file.
   * @returns The status of the new file.
   */
  finish(check?: () => Promise<void>): Promise<BigIntStats> {
    return this.#finish(async () => {
      await check?.();
      await rename(this.#part, this.#place);
    });
  }

  /** Puts the file in its place. @throws {PageRefusal} 409 if something is there already. */
  finishNew(): Promise<BigIntStats> {
    return this.#finish(() => renameNew(this.#part, this.#place));
  }

  async #finish(place: () => Promise<void>): Promise<BigIntStats> {
    try {
      await this.#handle.sync();
      await place();
      return await this.#handle.stat({ bigint: true });
    } finally {
      await this.discard();
    }
  }

  /** Removes what was written and is not in its place; an older file stays. */
  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#handle.close().catch(() => {});
    await rm(this.#part, { force: true }).finally(() => this.#folder.release());
  }
}

/** Nothing for a path that does not exist; other failures are passed on. */
export function missing(error: unknown): undefined {
  if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return undefined;
  throw error;
}

const NO_RIGHT_OR_ROOM = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'];

/** Waits for a change. @throws {DataError} If there is no right or no room for it; other failures are passed on. */
export async function writing<Result>(name: string, change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (cause) {
    if (!NO_RIGHT_OR_ROOM.includes(systemErrorCode(cause) ?? '')) throw cause;
    throw new DataError(`Cannot write ${name}: ${writeFailure(cause)}.`, { cause });
  }
}

/** Renames within folders that are held, where nothing may be in the way. */
export async function moveWithin(source: string, target: string): Promise<void> {
  const before = await lstat(source);
  const there = await lstat(target).catch((error) => missing(error));
  // Where the system ignores case, both names may be one file.
  const isSame = there !== undefined && there.ino === before.ino && there.dev === before.dev;
  const isRespelled = isSame && basename(source).toLowerCase() === basename(target).toLowerCase();
  if (there && !isRespelled) throw taken(target);
  // Elsewhere than on Linux a hard link to a link is one to what it leads to.
  const canLink = before.isFile() || (before.isSymbolicLink() && CAN_HOLD);
  if (canLink && !isRespelled) await renameNew(source, target);
  else await rename(source, target);
}

/** Renames a file without ever taking the place of another, where the file system can promise that. */
async function renameNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST') throw taken(to);
    // Not every file system has hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code ?? '')) throw error;
    if (await exists(to)) throw taken(to);
    return rename(from, to);
  }
  await unlink(from);
}

/** The refusal where something is in the way. */
export function taken(path: string): PageRefusal {
  return new PageRefusal(409, `${basename(path)} exists already: choose another name.`);
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error) => missing(error) ?? false,
  );
}
