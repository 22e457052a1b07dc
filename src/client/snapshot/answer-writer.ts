import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DataError } from '../../base/errors.js';
import { makeFolder, systemErrorCode, writeFailure } from '../../base/whole-file.js';
import type { RecordLines } from './record-lines.js';

/** An answer that was written beside the others, but is not yet entered. */
export interface WrittenAnswer {
  /** Path of the file. */
  readonly path: string;
  readonly records: number;
  /** Size of the uncompressed answer. */
  readonly bytes: number;
  readonly sha256: string;
}

/** Bytes that gzip gets at a time; a fixed size, so that equal answers make equal files however they were paged. */
const BLOCK = 65_536;

/** Writes one answer into a snapshot folder as it comes, compressed and under a temporary name until it is entered. */
export class AnswerWriter {
  readonly path: string;
  readonly #hash = createHash('sha256');
  readonly #gzip = createGzip();
  readonly #written: Promise<void>;
  #rest = Buffer.alloc(0);
  #records = 0;
  #bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#written = pipeline(this.#gzip, file.createWriteStream());
    // The next call reports its failure.
    this.#written.catch(() => {});
  }

  /**
   * Opens a file for an answer; creates the folder if it is missing.
   *
   * @throws {DataError} If nothing can be written there.
   */
  static async open(folder: string): Promise<AnswerWriter> {
    const answers = join(folder, 'answers');
    for (let tries = 1; ; tries += 1) {
      try {
        await makeFolder(answers);
        const path = join(answers, `${randomBytes(8).toString('hex')}.part`);
        return new AnswerWriter(path, await open(path, 'wx'));
      } catch (cause) {
        // Another recorder may create one of the folders at the same moment.
        if (systemErrorCode(cause) === 'EEXIST' && tries < 10) continue;
        throw new DataError(`Cannot record into the snapshot ${folder}: ${writeFailure(cause)}.`, { cause });
      }
    }
  }

  /** Appends records; resolves when more may come. */
  async write({ text, records }: RecordLines): Promise<void> {
    this.#hash.update(text);
    this.#records += records;
    this.#bytes += text.length;
    const all = Buffer.concat([this.#rest, text]);
    const whole = all.length - (all.length % BLOCK);
    this.#rest = all.subarray(whole);
    for (let at = 0; at < whole; at += BLOCK) await this.#compress(all.subarray(at, at + BLOCK));
  }

  /** Completes the file and describes it. */
  async finish(): Promise<WrittenAnswer> {
    if (this.#rest.length > 0) await this.#compress(this.#rest);
    this.#gzip.end();
    await this.#written.catch((cause) => this.#fail(cause));
    await this.#forgetSystem();
    const { path } = this;
    return { path, records: this.#records, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Removes the file. */
  async discard(): Promise<void> {
    // Synchronously, since an interrupted process may be about to end; some systems do not remove an open file.
    try {
      rmSync(this.path, { force: true });
    } catch {}
    this.#gzip.destroy();
    await this.#written.catch(() => {});
    await rm(this.path, { force: true });
  }

  async #compress(block: Buffer): Promise<void> {
    if (this.#gzip.write(block)) return;
    const failed = this.#written.then(() => {});
    await Promise.race([once(this.#gzip, 'drain'), failed]).catch((cause) => this.#fail(cause));
  }

  /** Sets gzip's tenth byte, the operating system, to 255 ("unknown"), so that files are equal on all systems. */
  async #forgetSystem(): Promise<void> {
    const file = await open(this.path, 'r+');
    try {
      await file.write(Buffer.of(255), 0, 1, 9);
    } finally {
      await file.close();
    }
  }

  #fail(cause: unknown): never {
    throw new DataError(`Cannot record the answer ${this.path}: ${writeFailure(cause)}.`, { cause });
  }
}
