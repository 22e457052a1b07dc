import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { systemErrorCode } from '../base/whole-file.js';
import { CAN_HOLD, type HeldFolder, missing, moveWithin, PartFile, taken, writing } from './part-file.js';
import { PageRefusal } from './refusal.js';

/** The name of a file that is being written, or of a folder that is about to go. */
const PART = /^\.oddslab-[0-9a-f]{16}\.part$/;

/** After this time a file that is being written belongs to a process that was killed. */
const STALE_MS = 60 * 60 * 1000;

/**
 * A folder whose files the page may touch, and nothing beyond: no path, no link and no link that is swapped while a
 * request is under way leads out of it. Files and folders whose names begin with a dot stay hidden.
 *
 * Whatever changes a folder holds on to it first, and makes sure where it is.
 */
export class ContainedFolder {
  /** Full path without links. */
  readonly root: string;

  /** @param root Full path of an existing folder, without links. */
  constructor(root: string) {
    this.root = root;
  }

  /**
   * The full path of a path of the page.
   *
   * @param path Its parts divided by slashes, from the folder on; empty for the folder itself.
   * @returns A path within the folder. Links stay in it, but lead nowhere else; the file need not exist.
   * @throws {PageRefusal} 400 for what is no path, 404 for hidden files and for what lies outside.
   */
  async locate(path: string): Promise<string> {
    const full = join(this.root, ...partsOf(path));
    // The nearest part that exists decides. A link to nothing exists, too: what it names would be made.
    for (let known = full; known.length >= this.root.length; known = dirname(known)) {
      const found = await lstat(known).catch((error) => missing(error));
      if (found === undefined) continue;
      const real = await realpath(known).catch((error) => missing(error));
      if (real === undefined) throw new PageRefusal(404, `${path} is a link to something that does not exist.`);
      if (!this.#holds(real)) throw new PageRefusal(404, `${path} lies outside of the folder that the page shows.`);
      return full;
    }
    throw new PageRefusal(404, `The folder ${this.root} is gone: make it again, or open another one.`);
  }

  /** The same with all links resolved, so that a change goes to the file and not to the link. */
  async locateReal(path: string): Promise<string> {
    const full = await this.locate(path);
    const real = await realpath(full).catch((error) => missing(error));
    if (real !== undefined) return real;
    const folder = await realpath(dirname(full)).catch((error) => missing(error));
    if (folder !== undefined) return join(folder, basename(full));
    throw new PageRefusal(404, `There is no folder ${partsOf(path).slice(0, -1).join('/')}: make it first.`);
  }

  /** Whether something is there under a path, be it a link to nothing. */
  async isTaken(path: string): Promise<boolean> {
    return (await lstat(join(this.root, ...partsOf(path))).catch((error) => missing(error))) !== undefined;
  }

  /**
   * Opens a file to read it. Anything but a plain file is refused, such as a pipe, which could be read for ever.
   *
   * @param full A path that {@link locate} gave.
   */
  async openFile(full: string): Promise<FileHandle> {
    const handle = await open(full, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const [opened, real] = await Promise.all([handle.stat({ bigint: true }), realpath(full)]);
      const now = await stat(real, { bigint: true });
      if (!this.#holds(real) || now.ino !== opened.ino || now.dev !== opened.dev) throw moved(full);
      if (opened.isDirectory()) throw new PageRefusal(400, `${basename(full)} is a folder, not a file.`);
      if (!opened.isFile()) throw new PageRefusal(400, `${basename(full)} is no plain file.`);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Begins a file beside the place where it is to be.
   *
   * @param real A path that {@link locateReal} gave.
   */
  async beginFile(real: string, mode: number): Promise<PartFile> {
    const folder = await this.#hold(dirname(real));
    try {
      const part = join(folder.base, partName());
      const handle = await writing(basename(real), open(part, 'wx', mode));
      // The mask of this process must not take bits from a file that is replaced. Not every file system has them.
      await handle.chmod(mode).catch(() => {});
      return new PartFile({ part, place: join(folder.base, basename(real)), handle, folder });
    } catch (error) {
      await folder.release();
      throw error;
    }
  }

  /** Makes a folder. @throws {PageRefusal} 409 if something is there. */
  async makeFolder(real: string): Promise<void> {
    await this.#within(dirname(real), async (base) => {
      await writing(basename(real), mkdir(join(base, basename(real)))).catch((error) => {
        throw systemErrorCode(error) === 'EEXIST' ? taken(real) : error;
      });
    });
  }

  /** The names of what a folder holds, but not what is being written in it. */
  async names(folder: string): Promise<string[]> {
    return this.#within(folder, async (base) => (await readdir(base)).filter((name) => !PART.test(name)));
  }

  /**
   * Removes a file, a link, or a folder that holds nothing.
   *
   * @param aside The name of a folder that a folder may hold, which goes with it.
   * @throws An error of the system, `ENOTEMPTY`, if a folder holds more.
   */
  async remove(full: string, aside?: string): Promise<void> {
    const folder = await realpath(dirname(full));
    const place = join(folder, basename(full));
    const isFolder = (await lstat(place)).isDirectory();
    if (isFolder && aside !== undefined) {
      await this.#within(place, (base) => rm(join(base, aside), { recursive: true, force: true }));
    }
    await this.#within(folder, (base) =>
      writing(basename(full), (isFolder ? rmdir : unlink)(join(base, basename(full)))),
    );
  }

  /**
   * Gives a file, a link or a folder another path.
   *
   * @throws {PageRefusal} 409 if something is there already.
   */
  async move(from: string, to: string): Promise<void> {
    const [source, target] = await Promise.all([from, to].map(async (path) => realpath(dirname(path))));
    if (source === undefined || target === undefined) return;
    await this.#within(source, (before) =>
      this.#within(target, (after) =>
        writing(basename(to), moveWithin(join(before, basename(from)), join(after, basename(to)))),
      ),
    );
  }

  /** Removes from a folder what a killed process left half-written. */
  async sweep(folder: string): Promise<void> {
    await this.#within(folder, async (base) => {
      for (const name of (await readdir(base)).filter((each) => PART.test(each))) {
        const path = join(base, name);
        const found = await lstat(path).catch(() => undefined);
        const isStale = found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
        if (isStale) await rm(path, { recursive: true, force: true }).catch(() => {});
      }
    });
  }

  async #within<Result>(real: string, action: (base: string) => Promise<Result>): Promise<Result> {
    const { base, release } = await this.#hold(real);
    try {
      return await action(base);
    } finally {
      await release();
    }
  }

  /**
   * Holds on to a folder.
   *
   * @throws {PageRefusal} 404 if it lies outside, because it or one above it was swapped for a link.
   */
  async #hold(real: string): Promise<HeldFolder> {
    if (!CAN_HOLD) {
      if (!this.#holds(await realpath(real))) throw moved(real);
      return { base: real, release: async () => {} };
    }
    const handle = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const base = `/proc/self/fd/${handle.fd}`;
      if (!this.#holds(await realpath(base))) throw moved(real);
      return { base, release: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #holds(real: string): boolean {
    return real === this.root || real.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep);
  }
}

/**
 * The parts of a path of the page; none for the folder itself.
 *
 * @throws {PageRefusal} 400 for what is no path, 404 for hidden names.
 */
export function partsOf(path: string): string[] {
  if (path.includes('\0') || /\p{Surrogate}/u.test(path))
    throw new PageRefusal(400, 'The path is none: it holds no text.');
  const parts = path.split('/').filter((part) => part !== '');
  for (const part of parts) {
    if (part === '..' || part === '.') throw new PageRefusal(400, `${path} is no path: it must not hold "${part}".`);
    if (part.startsWith('.')) throw new PageRefusal(404, `${path} is hidden: its name begins with a dot.`);
    if (process.platform === 'win32' && /[\\:]/.test(part)) throw new PageRefusal(400, `${path} is no path.`);
  }
  return parts;
}

function partName(): string {
  return `.oddslab-${randomBytes(8).toString('hex')}.part`;
}

function moved(full: string): PageRefusal {
  return new PageRefusal(404, `${basename(full)} was moved meanwhile: try again.`);
}
