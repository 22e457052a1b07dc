import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../base/errors.js';
import { isObject, jsonIn } from '../base/texts.js';
import { orRefuse, systemErrorCode, writeFailure, writeWhole } from '../base/whole-file.js';
import type { SourceParams } from './sources.js';

/** Where a page file stands; `NAME.cursor.json` holds it. */
export interface PageState {
  /** Path of the source's endpoint, such as `/v2/activity`. */
  readonly endpoint: string;
  /** Hash of the parameters that choose the records: not of those that page through them. */
  readonly parameters: string;
  /** Parameters of the walk that the cursor is bound to, such as its `start`. */
  readonly start: number | null;
  /** Cursor of the next page; null before the first page and where the source has none. */
  readonly cursor: string | null;
  /** Unix seconds of the latest record. */
  readonly time: number | null;
  readonly rows: number;
  readonly bytes: number;
  /** Whether the last walk came to its end. */
  readonly ended: boolean;
}

/** What an append changes besides rows and bytes. */
export type PageStep = Partial<Pick<PageState, 'start' | 'cursor' | 'time' | 'ended'>>;

/** The longest that written pages wait to be flushed to disk. */
const FLUSH_MS = 1000;
const BLOCK = 1 << 20;

/**
 * A file of records, one a line, that grows page by page and survives a kill at any moment: `NAME.cursor.json` beside
 * it says how far it is whole, and names only bytes that are on disk. What lies beyond is cut off when it is opened.
 */
export class PageFile {
  readonly #path: string;
  readonly #cursorPath: string;
  readonly #handle: FileHandle;
  #state: PageState;
  #flushed: PageState;
  #flushedAt = performance.now();
  /** The number of rows that the file held when it was opened. */
  readonly rowsBefore: number;

  private constructor(path: string, cursorPath: string, handle: FileHandle, state: PageState) {
    this.#path = path;
    this.#cursorPath = cursorPath;
    this.#handle = handle;
    this.#state = state;
    this.#flushed = state;
    this.rowsBefore = state.rows;
  }

  /**
   * Opens a page file, or makes it.
   *
   * @param file Its name with its extension, such as `activity.ndjson`.
   * @param asked The endpoint and the parameters that choose its records. An older file of others is refused.
   * @throws {DataError} If it holds the records of other parameters, is shorter than its cursor file says, or cannot
   *   be written.
   */
  static async open(
    folder: string,
    file: string,
    asked: { endpoint: string; params: SourceParams },
  ): Promise<PageFile> {
    const path = join(folder, file);
    const parameters = hashOf(asked.params);
    const found = await PageFile.stateOf(folder, file);
    const older = found?.rows === 0 ? undefined : found;
    if (older && (older.endpoint !== asked.endpoint || older.parameters !== parameters)) {
      throw new DataError(
        `${path} holds the records of other parameters (${older.endpoint}): it is not continued, and was left as it is. ` +
          'Choose another folder with --out, or remove this one.',
      );
    }
    const fresh = { start: null, cursor: null, time: null, rows: 0, bytes: 0, ended: false };
    const state = older ?? { endpoint: asked.endpoint, parameters, ...fresh };
    const handle = await orRefuse(path, openToGrow(path));
    const { size } = await handle.stat();
    if (size < state.bytes) {
      await handle.close();
      throw new DataError(
        `${path} is damaged: it has ${size} bytes, and ${state.bytes} were written. Remove ${folder} and fetch it again.`,
      );
    }
    await orRefuse(path, handle.truncate(state.bytes));
    return new PageFile(path, cursorPathOf(path), handle, state);
  }

  /** Where a page file stands, without opening it; undefined if there is none. @throws {DataError} If it is damaged. */
  static async stateOf(folder: string, file: string): Promise<PageState | undefined> {
    const path = cursorPathOf(join(folder, file));
    const text = await readFile(path, 'utf8').catch((error) => {
      if (systemErrorCode(error) === 'ENOENT') return undefined;
      throw new DataError(`Cannot read ${path}: ${writeFailure(error)}.`, { cause: error });
    });
    if (text === undefined) return undefined;
    const state = jsonIn(text);
    if (isObject(state) && Number.isSafeInteger(state.bytes) && typeof state.endpoint === 'string') {
      return state as unknown as PageState;
    }
    throw new DataError(`${path} is damaged: it says nothing of a page file. Remove ${folder} and fetch it again.`);
  }

  /** Where the file stands, with what is not yet flushed. */
  get state(): PageState {
    return this.#state;
  }

  /**
   * Appends a page in one write. It is on disk within a second, or once the file is flushed or closed.
   *
   * @param records Texts of records, each one line of JSON.
   * @throws {DataError} If it cannot be written, as on a full disk; the file then ends with the page before.
   */
  async append(records: readonly string[], step: PageStep = {}): Promise<void> {
    const state = this.#state;
    const bytes = records.length === 0 ? Buffer.alloc(0) : Buffer.from(`${records.join('\n')}\n`);
    try {
      await writeAt(this.#handle, bytes, state.bytes);
    } catch (cause) {
      await this.#handle.truncate(state.bytes).catch(() => {});
      await this.flush().catch(() => {});
      throw new DataError(`Cannot write ${this.#path}: ${writeFailure(cause)}. What was fetched before is kept.`, {
        cause,
      });
    }
    this.#state = { ...state, ...step, rows: state.rows + records.length, bytes: state.bytes + bytes.length };
    if (performance.now() - this.#flushedAt > FLUSH_MS) await this.flush();
  }

  /**
   * Cuts the file back to an earlier end, so that its last records can be fetched anew.
   *
   * @param earlier Where it stood; its bytes must end with a line.
   */
  async rewind(earlier: Pick<PageState, 'rows' | 'bytes' | 'time'>): Promise<void> {
    this.#state = { ...this.#state, ...earlier, cursor: null, ended: false };
    // The cursor file goes first: it may only name bytes that are there.
    await this.flush();
    await orRefuse(this.#path, this.#handle.truncate(earlier.bytes));
  }

  /** Puts all on disk: first the records, then the cursor file. */
  async flush(): Promise<void> {
    const state = this.#state;
    if (state === this.#flushed) return;
    await orRefuse(this.#path, this.#handle.sync());
    await writeWhole(this.#cursorPath, `${JSON.stringify(state)}\n`, { durable: true });
    this.#flushed = state;
    this.#flushedAt = performance.now();
  }

  /** Flushes and closes the file. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#handle.close();
    }
  }

  /** The lines of the file as it stands now, the first one first. */
  async *lines(): AsyncGenerator<string> {
    const end = this.#state.bytes;
    for (let at = 0, rest = Buffer.alloc(0); at < end; ) {
      const block = Buffer.concat([rest, await this.#read(at, Math.min(BLOCK, end - at))]);
      at += block.length - rest.length;
      const last = block.lastIndexOf(0x0a);
      if (last >= 0) yield* block.toString('utf8', 0, last).split('\n');
      rest = block.subarray(last + 1);
    }
  }

  /** The lines of the file as it stands now, the last one first. */
  async *linesFromEnd(): AsyncGenerator<string> {
    let rest = Buffer.alloc(0);
    for (let at = this.#state.bytes; at > 0; ) {
      const size = Math.min(BLOCK, at);
      at -= size;
      const block = Buffer.concat([await this.#read(at, size), rest]);
      const first = at === 0 ? 0 : block.indexOf(0x0a) + 1;
      const whole = block.toString('utf8', first).split('\n').reverse();
      yield* whole[0] === '' ? whole.slice(1) : whole;
      rest = block.subarray(0, first);
    }
  }

  async #read(at: number, size: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafe(size), 0, size, at);
    if (bytesRead === size) return buffer;
    throw new DataError(`${this.#path} was cut by another program while it was read: fetch it again.`);
  }
}

async function openToGrow(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    return open(path, 'wx+');
  }
}

async function writeAt(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}

function cursorPathOf(path: string): string {
  return path.replace(/\.\w+$/, '.cursor.json');
}

function hashOf(params: SourceParams): string {
  const sorted = Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}
