import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createGzip } from 'node:zlib';
import { DataError, messageOf } from './errors.js';

/** Options for writing a file whole. */
export interface WholeFileOptions {
  /** The file's permissions. Default those of the file that it replaces, else 0o644. */
  mode?: number;
  /** Whether to flush the file and its folder entry to disk before returning, to survive a power cut. Default false. */
  durable?: boolean;
  /** Whether to compress the content. Default false. */
  gzip?: boolean;
}

/** A file that is being written beside its place, where it appears only with {@link WholeFile.finish}. */
export interface WholeFile {
  /**
   * Begins to write the next piece. Settles once the previous piece is written, so that the caller can make another one
   * in the meantime. The bytes of a piece must not change until the next call has settled.
   *
   * @throws {DataError} If a piece could not be written; the file is then discarded.
   */
  write(piece: string | Uint8Array): Promise<void>;
  /**
   * Puts the file in its place, over an older one.
   *
   * @returns Its size in bytes.
   * @throws {DataError} If it cannot be written there; the file is then discarded.
   */
  finish(): Promise<number>;
  /** Removes what was written; an older file stays. Does nothing after {@link WholeFile.finish}. */
  discard(): Promise<void>;
}

/** The bytes that the compression hands over at once. */
const GZIP_CHUNK = 1 << 16;

/** The content of a file, in one or more pieces. */
export type Pieces = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a file whole or not at all. It is written beside its place and then renamed over it, so that an older file
 * stays until then and a failure leaves nothing behind.
 *
 * @param pieces The content, in several pieces if it is large. An error that they throw is passed on.
 * @returns The number of bytes written.
 * @throws {DataError} If it cannot be written there; the message says why and what would help.
 */
export async function writeWhole(path: string, pieces: Pieces, options: WholeFileOptions = {}): Promise<number> {
  const file = await openWhole(path, options);
  try {
    const list = typeof pieces === 'string' || pieces instanceof Uint8Array ? [pieces] : pieces;
    for await (const piece of list) await file.write(piece);
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * Begins a file that appears whole or not at all, for content that comes over time; see {@link writeWhole}. Anything
 * but a plain file, such as a pipe or `/dev/stdout`, must not be replaced and is written directly. What root writes
 * belongs to the folder's owner, who could not read it otherwise.
 *
 * @throws {DataError} If it cannot be written there; the message says why and what would help.
 */
export async function openWhole(path: string, options: WholeFileOptions = {}): Promise<WholeFile> {
  const move = await moveTo(path);
  const mode = options.mode ?? move?.mode ?? 0o644;
  const handle = await orRefuse(path, move ? open(move.beside, 'wx', mode) : open(path, 'w'));
  if (move) await giveToFolderOwner(handle, move.beside);
  return new OpenFile(path, move, handle, options);
}

/** A file that something else, such as a database, writes beside its place. */
export interface BesideFile {
  /** The path to write to. The file exists already and is empty. */
  readonly beside: string;
  /**
   * Puts it in its place, over an older one.
   *
   * @returns Its size in bytes.
   */
  finish(): Promise<number>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/**
 * Begins a file that something else writes; see {@link openWhole}. Anything but a plain file gets its bytes at the end.
 *
 * @throws {DataError} If it cannot be written there; the message says why and what would help.
 */
export async function openBeside(path: string): Promise<BesideFile> {
  const move = await moveTo(path);
  const beside = move?.beside ?? join(tmpdir(), `oddslab-${randomBytes(6).toString('hex')}.part`);
  // Made here, since the system's refusal is clearer than that of the writer.
  await orRefuse(
    path,
    open(beside, 'wx', move?.mode ?? 0o644).then((handle) => handle.close()),
  );
  const discard = () => rm(beside, { force: true }).catch(() => {});
  return {
    beside,
    discard,
    async finish() {
      const { size } = await orRefuse(path, stat(beside));
      if (move) await orRefuse(path, rename(move.beside, move.place));
      else await writeWhole(path, createReadStream(beside)).finally(discard);
      return size;
    },
  };
}

/**
 * Gives what root has made to the owner of the folder in which it lies. Does nothing for other users.
 *
 * @param handle What was made, open: by its path, the folder's owner could have another file put in its place meanwhile.
 */
export async function giveToFolderOwner(handle: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  // A file system that knows no owners keeps it as it is.
  if (uid !== 0) await handle.chown(uid, gid).catch(() => {});
}

/** Where a file is written first, and where it goes in the end. */
interface Move {
  readonly beside: string;
  readonly place: string;
  /** Permissions of the older file. */
  readonly mode: number | undefined;
}

/** How to move a file to a path, through links; undefined if something other than a file or folder is there. */
async function moveTo(path: string): Promise<Move | undefined> {
  const [place, older] = await Promise.all([placeOf(path), stat(path).catch(() => undefined)]);
  if (older && !older.isFile() && !older.isDirectory()) return undefined;
  const mode = older?.isFile() ? older.mode & 0o777 : undefined;
  return { place, beside: `${place}.${randomBytes(6).toString('hex')}.part`, mode };
}

/** The most links to follow in a row, as many as the system follows. */
const MOST_LINKS = 40;

/** Where a path leads, even through links to something that does not exist yet. */
async function placeOf(path: string, links = MOST_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const target = links > 0 ? await readlink(path).catch(() => undefined) : undefined;
    return target === undefined ? path : placeOf(resolve(await realpath(dirname(path)), target), links - 1);
  }
}

class OpenFile implements WholeFile {
  readonly #path: string;
  /** Undefined if the place is written directly. */
  readonly #move: Move | undefined;
  readonly #handle: FileHandle;
  readonly #sink: Sink;
  readonly #durable: boolean;
  /** The piece that is being written. */
  #under: Promise<void> = Promise.resolve();
  #done = false;

  constructor(
    path: string,
    move: Move | undefined,
    handle: FileHandle,
    { durable = false, gzip = false }: WholeFileOptions,
  ) {
    this.#path = path;
    this.#move = move;
    this.#handle = handle;
    this.#sink = gzip ? gzipSink(handle) : plainSink(handle);
    this.#durable = durable && move !== undefined;
  }

  async write(piece: string | Uint8Array): Promise<void> {
    await this.#orDiscard(this.#under);
    this.#under = this.#sink.put(typeof piece === 'string' ? Buffer.from(piece) : piece);
    // The next call reports a failure; until then it must not count as unhandled.
    this.#under.catch(() => {});
  }

  finish(): Promise<number> {
    return this.#orDiscard(this.#finish());
  }

  async discard(): Promise<void> {
    if (this.#done) return;
    this.#done = true;
    await this.#under.catch(() => {});
    await this.#handle.close().catch(() => {});
    if (this.#move) await rm(this.#move.beside, { force: true }).catch(() => {});
  }

  async #finish(): Promise<number> {
    await this.#under;
    const bytes = await this.#sink.end();
    if (this.#durable) await this.#handle.sync();
    await this.#handle.close();
    if (this.#move) await rename(this.#move.beside, this.#move.place);
    this.#done = true;
    if (this.#durable) await syncFolder(dirname(this.#path));
    return bytes;
  }

  async #orDiscard<Value>(action: Promise<Value>): Promise<Value> {
    try {
      return await orRefuse(this.#path, action);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }
}

/** Where the bytes of a file go. */
interface Sink {
  put(bytes: Uint8Array): Promise<void>;
  /** Writes the rest and gives the number of bytes in the file. */
  end(): Promise<number>;
}

function plainSink(handle: FileHandle): Sink {
  let bytes = 0;
  return {
    async put(piece) {
      await handle.writeFile(piece);
      bytes += piece.length;
    },
    end: async () => bytes,
  };
}

function gzipSink(handle: FileHandle): Sink {
  const gzip = createGzip({ chunkSize: GZIP_CHUNK });
  let bytes = 0;
  const drained = (async () => {
    for await (const piece of gzip as AsyncIterable<Buffer>) {
      await handle.writeFile(piece);
      bytes += piece.length;
    }
  })();
  drained.catch(() => {});
  return {
    // If writing the file fails, the stream is destroyed and may never call back.
    put: (piece) => Promise.race([new Promise<void>((done) => void gzip.write(piece, () => done())), drained]),
    async end() {
      gzip.end();
      await drained;
      return bytes;
    },
  };
}

/** Waits for what writes to a path. @throws {DataError} If it fails, with what would help. */
export async function orRefuse<Value>(path: string, action: Promise<Value>): Promise<Value> {
  try {
    return await action;
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
    throw new DataError(`Cannot write ${path}: ${writeFailure(cause)}.`, { cause });
  }
}

/** Flushes a folder's entries to disk, so that a rename in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The system's code of a failed call, such as `ENOENT`, or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The meaning of `EMFILE`, and what would help. */
export const TOO_MANY_FILES = 'too many files are open. Raise the limit: ulimit -n NUMBER';

/**
 * Explains a failed system call whose cause is this process itself: too many files are open, or its folder is gone.
 * Undefined for other failures.
 */
export function processFailure(error: unknown): string | undefined {
  if (systemErrorCode(error) === 'EMFILE') return TOO_MANY_FILES;
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')) return undefined;
  return 'the folder that this was started in is gone. Go to one that is there, and start it again.';
}

const REMEDIES: Readonly<Record<string, string>> = {
  EMFILE: TOO_MANY_FILES,
  ENOENT: 'its folder does not exist; make it first',
  EACCES: 'this user may not write there; choose another folder or change its permissions',
  EPERM: 'this user may not write there; choose another folder or change its permissions',
  EROFS: 'the file system is read-only; choose another folder',
  ENOSPC: 'the disk is full; free some space or choose another folder',
  EFBIG: 'the file would be larger than the system lets it be; write less, or compress it',
  EDQUOT: 'the quota is used up; free some space or choose another folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder; name a file',
  ENOTEMPTY: 'it is a folder; name a file',
  EEXIST: 'a file of that name is in the way',
};

/** Says why something could not be written and what would help, as the end of a sentence. */
export function writeFailure(cause: unknown): string {
  const text = messageOf(cause);
  // The database reports a full disk in words, without a code.
  const code = systemErrorCode(cause) ?? (/no space|disk full/i.test(text) ? 'ENOSPC' : undefined);
  return (code && REMEDIES[code]) ?? text.replace(/\.$/, '');
}

/**
 * Makes a folder and any missing folders above it, also while another process makes them. Node's recursive mkdir is
 * not used: it never returns under a parent that takes no folders, such as /proc, and on a read-only disk it reports
 * that the folder does not exist.
 *
 * @returns The topmost folder that was made, or undefined if all existed.
 * @throws An error of the system if a folder cannot be made.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const folder = resolve(path);
  if (await isFolder(folder)) return undefined;
  const above = dirname(folder) === folder ? undefined : await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
  } catch (error) {
    if (await isFolder(folder)) return above;
    throw error;
  }
  return above ?? folder;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
