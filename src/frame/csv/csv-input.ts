import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { InputError } from '../../base/errors.js';
import { unreadable } from './unreadable.js';

const LF = 10;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The UTF-8 text of a file. */
export interface CsvInput {
  readonly bytes: Buffer;
  /** Offset of the text, after a byte order mark if there is one. */
  readonly from: number;
  /** The number of the line that holds a byte, counted from 1. */
  lineOf(at: number): number;
}

/**
 * Reads a text file. A file that is compressed with gzip is unpacked, whatever its name.
 *
 * @throws {InputError} If it cannot be read, is damaged or empty, or is not UTF-8 (the message names the line).
 */
export async function readCsvInput(path: string): Promise<CsvInput> {
  const bytes = await unpacked(path, await readBytes(path));
  const from = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  const lineOf = (at: number) => linesBefore(bytes, at) + 1;
  if (bytes.length === from) throw new InputError(`${path} is empty; a CSV file begins with a line of names.`);
  if (!isUtf8(bytes)) {
    throw new InputError(`${path}, line ${brokenLine(bytes)}, is no UTF-8 text; save the file as CSV in UTF-8.`);
  }
  return { bytes, from, lineOf };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw unreadable(path, 'CSV', cause);
  }
}

async function unpacked(path: string, bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes);
  } catch (cause) {
    throw new InputError(`${path} is gzip, but damaged or cut off; fetch or write it again.`, { cause });
  }
}

function linesBefore(bytes: Buffer, end: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0 && at < end; at = bytes.indexOf(LF, at + 1)) lines += 1;
  return lines;
}

/** The first line that is not UTF-8; invalid bytes cannot span lines, since a line feed is a character of its own. */
function brokenLine(bytes: Buffer): number {
  for (let [line, from] = [1, 0]; ; line += 1) {
    const end = bytes.indexOf(LF, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
