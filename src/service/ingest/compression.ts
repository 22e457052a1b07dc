import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError, messageOf } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { Database } from '../store/database.js';
import { AS_IT_IS, fileLiteral } from './sql-text.js';

/** How a file is compressed, recognized by its first bytes, never by its name. */
export type Compression = 'none' | 'gzip' | 'zstd';

/** The first bytes of a zstd frame, or of a skippable one. */
const ZSTD = /^(28b52ffd|5[0-9a-f]2a4d18)$/;

const BLOCK_BYTES = 1 << 20;

/** Reads how an input is compressed. @throws {InputError} If it cannot be read. */
export async function compressionOf(path: string, file: string): Promise<Compression> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4), position: 0 });
      const magic = buffer.toString('hex', 0, bytesRead);
      return magic.startsWith('1f8b') ? 'gzip' : ZSTD.test(magic) ? 'zstd' : 'none';
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw unreadable(`the input ${path}`, cause);
  }
}

/**
 * The content of an input, unpacked, a block at a time.
 *
 * @param path The input's name in messages.
 * @param onRead Called with the number of bytes that each step read from the file, for progress.
 * @throws {InputError} If it cannot be read or unpacked to its end.
 */
export async function* contentOf(
  path: string,
  file: string,
  compression: Compression,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  try {
    const blocks = createReadStream(file, { highWaterMark: BLOCK_BYTES });
    if (onRead) blocks.on('data', (block) => onRead(block.length));
    if (compression === 'gzip') {
      const unpacked = createGunzip({ chunkSize: BLOCK_BYTES });
      blocks.on('error', (error) => unpacked.destroy(error));
      try {
        yield* blocks.pipe(unpacked) as AsyncIterable<Buffer>;
      } finally {
        blocks.destroy();
      }
    } else if (compression === 'zstd') yield* unzstd(blocks);
    else yield* blocks as AsyncIterable<Buffer>;
  } catch (cause) {
    if (systemErrorCode(cause)?.startsWith('Z') || compression === 'zstd') {
      const why = messageOf(cause);
      throw new InputError(`${path} cannot be unpacked to its end (${why}): it is damaged or cut off.`, { cause });
    }
    throw unreadable(`the input ${path}`, cause);
  }
}

/** Unpacks zstd without checking checksums. Node.js either lacks zstd or stops after its first frame. */
async function* unzstd(blocks: Readable): AsyncGenerator<Buffer> {
  const { Decompress } = await import('fzstd');
  let pieces: Uint8Array[] = [];
  const stream = new Decompress((piece) => pieces.push(piece));
  for await (const block of blocks as AsyncIterable<Buffer>) {
    // Small steps, since the output of one may be many times as large.
    for (let at = 0; at < block.length; at += STEP_BYTES) {
      stream.push(block.subarray(at, at + STEP_BYTES));
      for (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      pieces = [];
    }
  }
  stream.push(new Uint8Array(0), true);
  yield* pieces.map((piece) => Buffer.from(piece));
}

const STEP_BYTES = 1 << 16;

/** The first bytes of an input's content, at most so many. */
export async function readStart(path: string, file: string, compression: Compression, most: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const block of contentOf(path, file, compression)) {
      blocks.push(block);
      bytes += block.length;
      if (bytes >= most) break;
    }
  } catch (error) {
    // The start may suffice to recognize the format; reading the input to its end will report the damage.
    if (bytes === 0) throw error;
  }
  return Buffer.concat(blocks).subarray(0, most);
}

/** The error for a file that cannot be read. @param what The file and its path, in words. */
export function unreadable(what: string, cause: unknown): InputError {
  const why = systemErrorCode(cause) === 'ENOENT' ? 'no such file' : (systemErrorCode(cause) ?? String(cause));
  return new InputError(`Cannot read ${what}: ${why}.`, { cause });
}

/**
 * Verifies the checksums of a zstd file, which {@link contentOf} does not do: the engine reads all of it, as lines of
 * one column.
 *
 * @param path The input's name in messages.
 * @throws {InputError} If it is damaged, or compressed with a window of more than 128 MB.
 */
export async function checkZstd(path: string, file: string): Promise<void> {
  const db = await Database.open(':memory:', { threads: 1 });
  try {
    await db.run(`SELECT count(*) FROM read_csv(${fileLiteral(file)}, compression = 'zstd', auto_detect = false,
      header = false, columns = {line: 'VARCHAR'}, delim = '\u0001', quote = '', escape = '', strict_mode = false,
      ignore_errors = true, ${AS_IT_IS})`);
  } catch (cause) {
    const [, why] = /^IO Error: (.*)/.exec(cause instanceof Error ? cause.message : '') ?? [];
    if (why === undefined) throw cause;
    if (/too much memory/.test(why)) {
      throw new InputError(`${path} is packed with a window of more than 128 MB: unpack it first (zstd -d --long=31).`);
    }
    throw new InputError(`${path} is no zstd as it was written (${why}): it is damaged. Fetch it again.`, { cause });
  } finally {
    db.close();
  }
}
