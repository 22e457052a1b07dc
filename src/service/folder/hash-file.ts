import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileRecord } from './manifest.js';

/** Size and SHA-256 of a file's content, read to its end. @throws What the system said of a file that cannot be read. */
export async function hashFile(path: string): Promise<FileRecord> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
