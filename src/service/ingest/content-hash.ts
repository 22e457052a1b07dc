import { createHash } from 'node:crypto';
import { type Compression, contentOf } from './bytes.js';

/** What an input's whole content tells. */
export interface Content {
  /** The hash of the unpacked content, which does not depend on the compression. */
  sha256: string;
  bytes: number;
  /** The last character that is no white space, or '' if there is none. */
  last: string;
}

/**
 * Reads an input to its end.
 *
 * @param onRead Called with the number of bytes that each step read from the file.
 * @param look Called with each block of the content.
 * @throws {InputError} If the input cannot be read or unpacked.
 */
export async function readContent(
  path: string,
  file: string,
  compression: Compression,
  onRead: (bytes: number) => void,
  look: (block: Buffer) => void,
): Promise<Content> {
  const hash = createHash('sha256');
  let bytes = 0;
  let last = '';
  for await (const block of contentOf(path, file, compression, onRead)) {
    hash.update(block);
    look(block);
    bytes += block.length;
    last = lastCharacter(block) ?? last;
  }
  return { sha256: hash.digest('hex'), bytes, last };
}

function lastCharacter(block: Buffer): string | undefined {
  for (let at = block.length - 1; at >= 0; at--) {
    const byte = block[at] ?? 0;
    if (byte > 32) return String.fromCharCode(byte);
  }
  return undefined;
}
