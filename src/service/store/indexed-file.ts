import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DataError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';

/**
 * Offsets in the footer, the last 64 bytes of an indexed file: its parts come first, then their index, then the footer.
 * Numbers are little-endian. Checksums cover everything: the index has those of the parts, the footer those of the
 * index and of itself.
 */
const FOOTER = {
  /** `oddslab` and a zero, in ASCII. */
  magic: 0,
  /** u32: {@link FORMAT}. */
  format: 8,
  /** u32: its meaning depends on the file's layout. */
  unit: 12,
  /** f64: entries in the file. */
  entries: 16,
  /** u32: parts in the index. */
  parts: 24,
  /** u32: CRC-32 of the index. */
  indexCrc: 28,
  /** f64: where the index starts. */
  indexAt: 32,
  /** 20 bytes: what the file holds, in ASCII, padded with zeros. */
  content: 40,
  /** u32: CRC-32 of the footer's bytes before it. */
  crc: 60,
  bytes: 64,
} as const;

/** Number of the layout that all indexed files share; a file with another number is refused. */
const FORMAT = 1;

const MAGIC = 'oddslab\0';

/** What a footer says about its file. */
export interface FileEnd {
  /** What the file holds: at most 20 ASCII letters. */
  content: string;
  /** A number whose meaning depends on the file's layout, such as the bytes of a key. */
  unit: number;
  entries: number;
  parts: number;
}

/** The bytes of the footer of a file whose index starts at `indexAt`. */
export function footerOf({ content, unit, entries, parts }: FileEnd, index: Uint8Array, indexAt: number): Buffer {
  const footer = Buffer.alloc(FOOTER.bytes);
  footer.write(MAGIC, FOOTER.magic, 'latin1');
  footer.writeUInt32LE(FORMAT, FOOTER.format);
  footer.writeUInt32LE(unit, FOOTER.unit);
  footer.writeDoubleLE(entries, FOOTER.entries);
  footer.writeUInt32LE(parts, FOOTER.parts);
  footer.writeUInt32LE(crc32(index), FOOTER.indexCrc);
  footer.writeDoubleLE(indexAt, FOOTER.indexAt);
  footer.write(content, FOOTER.content, 'latin1');
  footer.writeUInt32LE(crc32(footer.subarray(0, FOOTER.crc)), FOOTER.crc);
  return footer;
}

/** An open file with an index. Its reader checks the parts, since the checksums are in the index that it decodes. */
export interface IndexedFile extends FileEnd {
  path: string;
  /** At the start of its own memory, so that typed arrays can be views of it. */
  index: Buffer;
  /**
   * Reads bytes from an offset, synchronously: the system mostly has these few kilobytes in memory, where reading them
   * takes less time than handing the work to another thread.
   *
   * @returns How many bytes were read.
   * @throws {DataError} If the system cannot read them.
   */
  read(into: Uint8Array, length: number, at: number): number;
  close(): void;
}

/**
 * Opens a file with an index.
 *
 * @returns Undefined if there is no such file.
 * @throws {DataError} If it is truncated, damaged, of another layout or of other content.
 */
export function openIndexedFile(
  path: string,
  { content, unit }: Pick<FileEnd, 'content' | 'unit'>,
): IndexedFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new DataError(`Cannot read ${path}: ${systemErrorCode(cause) ?? cause}.`, { cause });
  }
  try {
    const { size } = fstatSync(fd);
    const footer = readAt(fd, size - FOOTER.bytes, FOOTER.bytes);
    checkFooter(path, footer, content, unit);
    const indexAt = footer.readDoubleLE(FOOTER.indexAt);
    const index = readAt(fd, indexAt, size - FOOTER.bytes - indexAt);
    if (crc32(index) !== footer.readUInt32LE(FOOTER.indexCrc)) throw damaged(path, 'its index is not what was written');
    return {
      path,
      content,
      unit,
      entries: footer.readDoubleLE(FOOTER.entries),
      parts: footer.readUInt32LE(FOOTER.parts),
      index,
      read(into, length, at) {
        try {
          return readSync(fd, into, 0, length, at);
        } catch (cause) {
          throw damaged(path, `it cannot be read (${systemErrorCode(cause) ?? cause})`);
        }
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function checkFooter(path: string, footer: Buffer, content: string, unit: number): void {
  if (footer.length !== FOOTER.bytes || footer.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw damaged(path, 'it does not end as it should');
  }
  if (crc32(footer.subarray(0, FOOTER.crc)) !== footer.readUInt32LE(FOOTER.crc)) {
    throw damaged(path, 'its end is not what was written');
  }
  const found = footer.toString('latin1', FOOTER.content, FOOTER.crc).replace(/\0+$/, '');
  const format = footer.readUInt32LE(FOOTER.format);
  if (format !== FORMAT || footer.readUInt32LE(FOOTER.unit) !== unit || found !== content) {
    throw damaged(path, `it holds "${found}" in format ${format}, not "${content}" in format ${FORMAT}`);
  }
}

/** The error for a file whose bytes are not those written: it names the file and says what to do. */
export function damaged(path: string, how: string): DataError {
  return new DataError(
    `${path} is damaged: ${how}. Go back to the version before with "oddslab data rollback", or ingest again.`,
  );
}

function readAt(fd: number, at: number, length: number): Buffer {
  if (!Number.isSafeInteger(length) || length < 0 || at < 0) return Buffer.alloc(0);
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
}

/** The most bytes that {@link putVarint} writes. */
export const VARINT_BYTES = 8;

/**
 * Writes a whole number from 0 to 2^53 - 1, seven bits a byte, the lowest bits first. All bytes but the last have their
 * high bit set.
 *
 * @returns Where the next byte goes.
 */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest >= 0x80) {
    // Bitwise operators would cut the number to 32 bits.
    bytes[next++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[next++] = rest;
  return next;
}

/** The bytes of numbers, one after another; see {@link putVarint}. */
export function varints(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(VARINT_BYTES * numbers.length);
  let end = 0;
  for (const number of numbers) end = putVarint(bytes, end, number);
  return bytes.subarray(0, end);
}

/** Turns a signed number into one for {@link putVarint}, small if it is near 0; exact from -2^52 to 2^52 - 1. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Reads, one after another, the numbers that {@link putVarint} wrote. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  /** Where the next number starts. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The next number. @throws {RangeError} Past the end. */
  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++] ?? pastEnd();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let shift = 7;
    for (; shift < 28; shift += 7) {
      byte = bytes[this.at++] ?? pastEnd();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    for (let scale = 2 ** 28; ; scale *= 0x80) {
      byte = bytes[this.at++] ?? pastEnd();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** The next number, which {@link zigzag} had encoded. */
  signed(): number {
    const value = this.next();
    // Faster than `%`, which is a slow division for doubles.
    const half = Math.floor(value / 2);
    return half * 2 === value ? half : -half - 1;
  }
}

function pastEnd(): never {
  throw new DataError(
    'A file of the data folder is damaged: a number in it runs past the end of its bytes. Go back to the version before with "oddslab data rollback", or ingest again.',
  );
}
