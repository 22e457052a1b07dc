import { createHash } from 'node:crypto';
import { type Compression, contentOf } from './bytes.js';

/** What reading an input to its end tells. */
export interface Content {
  /** Of the content, unpacked: the same for whatever it is packed in. */
  sha256: string;
  bytes: number;
  /** The last character that is no white space, or '' where there is none. */
  last: string;
}

/**
 * Reads an input to its end.
 *
 * @param look Given its content, a block at a time.
 * @throws {InputError} If that fails.
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
