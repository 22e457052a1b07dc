import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileRecord } from './manifest.js';

/** Reads a file for its size and SHA-256. @throws An error of the system if it cannot be read. */
export async function hashFile(path: string): Promise<FileRecord> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
