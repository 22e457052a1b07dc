import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const CAPACITY = 4 * 1024 * 1024;
/** The most bytes of a single append. */
const SLACK = 64 * 1024;

/**
 * A file that is written from front to back through one block of memory. Appending is synchronous. Once the file is
 * `full`, the writer must await `flush` before it appends more, so that memory stays bounded on a slow disk.
 *
 * @example const file = await ByteFile.create('out.json'); file.text('[]'); await file.close();
 */
export class ByteFile {
  private readonly hash = createHash('sha256');
  private block = Buffer.allocUnsafe(CAPACITY);
  private length = 0;
  private written = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async create(path: string): Promise<ByteFile> {
    return new ByteFile(await open(path, 'wx'));
  }

  /** Whether the block must be flushed before more is appended. */
  get full(): boolean {
    return this.length > CAPACITY - SLACK;
  }

  /** Appends Latin-1 text of at most 64 KiB. */
  text(text: string): void {
    this.length += this.block.write(text, this.length, 'latin1');
  }

  /** Lends the block to `write`, which appends bytes from `start` on and returns where they end. */
  append(write: (block: Buffer, start: number) => number): void {
    this.length = write(this.block, this.length);
  }

  /** Passes the appended bytes to the operating system. */
  async flush(): Promise<void> {
    const bytes = this.block.subarray(0, this.length);
    const writing = writeAll(this.handle, bytes);
    this.hash.update(bytes);
    this.written += bytes.length;
    this.length = 0;
    await writing;
  }

  /** Flushes and closes the file, and gives its size in bytes and its SHA-256 in hexadecimal. */
  async close(): Promise<{ size: number; sha256: string }> {
    await this.flush();
    await this.handle.close();
    return { size: this.written, sha256: this.hash.digest('hex') };
  }

  /** Closes a file that will be discarded, ignoring errors. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}
