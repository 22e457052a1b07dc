import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { ContainedFolder } from './contained-folder.js';
import { sha256 } from './digest.js';
import { missing } from './part-file.js';
import { PageRefusal } from './refusal.js';

/** The longest name of a file that common systems take, in bytes. */
const MOST_NAME = 255;

/** A checkpoint, as Jupyter words it. */
export interface CheckpointModel {
  id: string;
  last_modified: string;
}

/**
 * The state of a file to which the page can put it back: one a file, in a hidden folder beside it, where Jupyter keeps
 * and finds it, too.
 */
export class Checkpoints {
  static readonly FOLDER = '.ipynb_checkpoints';
  /** The one checkpoint's name. */
  static readonly ID = 'checkpoint';
  readonly #folder: ContainedFolder;

  constructor(folder: ContainedFolder) {
    this.#folder = folder;
  }

  /** The checkpoints of a file; none before the first. */
  async list(path: string): Promise<CheckpointModel[]> {
    const found = await stat(placeOf(await this.#file(path))).catch((error) => missing(error));
    return found ? [{ id: Checkpoints.ID, last_modified: found.mtime.toISOString() }] : [];
  }

  /** Keeps a file as it is now, in place of an older state. */
  async make(path: string): Promise<CheckpointModel> {
    const full = await this.#file(path);
    const place = placeOf(full);
    await this.#makeFolder(place);
    await this.#copy(full, place);
    const found = await stat(place);
    return { id: Checkpoints.ID, last_modified: found.mtime.toISOString() };
  }

  /**
   * Puts a file back as it was.
   *
   * @param full Full path of the file, without links.
   */
  async restore(full: string, id: string): Promise<void> {
    const place = placeOf(full);
    await this.#require(place, id);
    await this.#copy(place, full);
  }

  /** Removes a checkpoint. */
  async remove(path: string, id: string): Promise<void> {
    const place = placeOf(await this.#file(path));
    await this.#require(place, id);
    await this.#folder.remove(place);
  }

  /** Takes a checkpoint along with a file that was renamed. */
  async follow(from: string, to: string): Promise<void> {
    const [old, place] = [placeOf(from), placeOf(to)];
    if (!(await lstat(old).catch((error) => missing(error)))) return;
    await this.#requireFolder(old);
    await this.#makeFolder(place);
    const [before, there] = await Promise.all([old, place].map((path) => lstat(path).catch((error) => missing(error))));
    // A state of another file of that name, which is gone. Where the system ignores case, it may be the same one.
    if (there && !(there.ino === before?.ino && there.dev === before.dev)) await this.forget(to);
    await this.#folder.move(old, place);
  }

  /** Removes the checkpoint of a file that was removed. */
  async forget(full: string): Promise<void> {
    const place = placeOf(full);
    if (!(await lstat(place).catch((error) => missing(error)))) return;
    await this.#requireFolder(place);
    await this.#folder.remove(place);
  }

  async #makeFolder(place: string): Promise<void> {
    const isThere = await lstat(dirname(place)).catch((error) => missing(error));
    if (!isThere) {
      await this.#folder.makeFolder(dirname(place)).catch((error) => {
        // Another request may have made it meanwhile.
        if (!(error instanceof PageRefusal)) throw error;
      });
    }
    await this.#requireFolder(place);
  }

  async #file(path: string): Promise<string> {
    const full = await this.#folder.locateReal(path);
    const found = await stat(full).catch((error) => missing(error));
    if (!found?.isFile()) throw new PageRefusal(404, `There is no file ${path}.`);
    return full;
  }

  async #require(place: string, id: string): Promise<void> {
    const isThere = id === Checkpoints.ID && (await lstat(place).catch((error) => missing(error)));
    if (!isThere) throw new PageRefusal(404, `There is no checkpoint "${id}" of this file.`);
    await this.#requireFolder(place);
  }

  /** Refuses a folder of checkpoints, or a checkpoint, that is a link. */
  async #requireFolder(place: string): Promise<void> {
    const folder = dirname(place);
    const isLink = (await lstat(place).catch((error) => missing(error)))?.isSymbolicLink() ?? false;
    if (!isLink && (await lstat(folder)).isDirectory() && (await realpath(folder)) === folder) return;
    throw new PageRefusal(403, `${basename(dirname(folder))}/${Checkpoints.FOLDER} is a link or no folder: remove it.`);
  }

  async #copy(from: string, to: string): Promise<void> {
    const handle = await this.#folder.openFile(from);
    try {
      const { mode } = await handle.stat();
      const part = await this.#folder.beginFile(to, mode & 0o777);
      try {
        for await (const piece of handle.createReadStream({ autoClose: false })) await part.write(piece as Buffer);
      } catch (error) {
        await part.discard();
        throw error;
      }
      await part.finish();
    } finally {
      await handle.close();
    }
  }
}

function placeOf(full: string): string {
  const end = extname(full);
  const name = `${basename(full, end)}-checkpoint${end}`;
  // With a name that leaves no room for more, a digest takes its place.
  const isLong = Buffer.byteLength(name) > MOST_NAME;
  return join(dirname(full), Checkpoints.FOLDER, isLong ? `${sha256(basename(full))}-checkpoint` : name);
}
