import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { InputError } from '../../base/errors.js';
import { unreadable } from '../csv/named-file.js';

/**
 * The bytes of a text file. One that is compressed with gzip is unpacked, whatever its name.
 *
 * @param format What the file should be, for errors: `CSV`.
 * @throws {InputError} If it cannot be read, or is damaged.
 */
export async function readTextFile(path: string, format: string): Promise<Buffer> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw unreadable(path, format, cause);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes);
  } catch (cause) {
    throw new InputError(`${path} is gzip, but damaged or cut off; fetch or write it again.`, { cause });
  }
}
