import { crc32 } from 'node:zlib';
import { DataError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { openWhole, type WholeFile } from '../../base/whole-file.js';
import {
  damaged,
  footerOf,
  type IndexedFile,
  openIndexedFile,
  putVarint,
  VARINT_BYTES,
  VarintReader,
} from './indexed-file.js';

/**
 * An open file of {@link writeKeyFile}. Memory holds the first key of each block. A search reads one block, and keeps
 * it in memory while there is room.
 */
export class KeyFile {
  readonly #file: IndexedFile;
  readonly #keyBytes: number;
  readonly #firstKeys: Buffer;
  /** Where each block starts; the last entry is where the blocks end. */
  readonly #starts: Float64Array;
  readonly #crcs: Uint32Array;
  /** The block that was read last. */
  readonly #block: Buffer;
  /** Blocks that were read and have passed their checksum, by number. */
  readonly #kept: (Buffer | undefined)[];
  /** Bytes of blocks that may still be kept. */
  #room: number;

  private constructor(file: IndexedFile, keptBytes: number) {
    const { index, parts, unit } = file;
    if (index.length !== parts * (unit + 8)) throw damaged(file.path, 'its index has another size than it says');
    this.#file = file;
    this.#room = keptBytes;
    this.#kept = new Array(keptBytes > 0 ? parts : 0);
    this.#keyBytes = unit;
    this.#firstKeys = index.subarray(0, parts * unit);
    this.#starts = new Float64Array(parts + 1);
    this.#crcs = new Uint32Array(parts);
    let longest = 0;
    for (let i = 0; i < parts; i++) {
      const length = index.readUInt32LE(parts * unit + 4 * i);
      longest = Math.max(longest, length);
      this.#starts[i + 1] = itemAt(this.#starts, i) + length;
      this.#crcs[i] = index.readUInt32LE(parts * (unit + 4) + 4 * i);
    }
    this.#block = Buffer.allocUnsafe(longest);
  }

  /**
   * Opens a key file; its blocks are checked as they are read.
   *
   * @param keptBytes Bytes of blocks that may be kept in memory: those that are read first. Default 0.
   * @returns Undefined if there is no such file.
   * @throws {DataError} If it is truncated, damaged, of another layout or of other content.
   */
  static open(path: string, { content, keyBytes }: KeyFileOptions, keptBytes = 0): KeyFile | undefined {
    const file = openIndexedFile(path, { content, unit: keyBytes });
    return file && new KeyFile(file, keptBytes);
  }

  /**
   * Finds the value of a key.
   *
   * @returns Bytes that are valid until the next search; undefined where the file has no such key.
   * @throws {DataError} If the block that the key belongs to is damaged.
   */
  find(key: Uint8Array): Buffer | undefined {
    const block = this.#blockOf(key);
    return block < 0 ? undefined : search(this.#read(block), key);
  }

  close(): void {
    this.#file.close();
  }

  /** The last block whose first key is at most this key; -1 if there is none. */
  #blockOf(key: Uint8Array): number {
    let [low, high] = [0, this.#crcs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareAt(this.#firstKeys, middle * this.#keyBytes, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #read(block: number): Buffer {
    const kept = this.#kept[block];
    if (kept) return kept;
    const start = itemAt(this.#starts, block);
    const bytes = this.#block.subarray(0, itemAt(this.#starts, block + 1) - start);
    if (this.#file.read(bytes, bytes.length, start) !== bytes.length || crc32(bytes) !== this.#crcs[block]) {
      throw damaged(this.#file.path, `block ${block} is not what was written`);
    }
    if (bytes.length <= this.#room) {
      this.#kept[block] = Buffer.from(bytes);
      this.#room -= bytes.length;
    }
    return bytes;
  }
}

function search(block: Buffer, key: Uint8Array): Buffer | undefined {
  const reader = new VarintReader(block);
  while (reader.at < block.length) {
    const order = compareAt(block, reader.at, key);
    if (order > 0) return undefined;
    reader.at += key.length;
    const size = reader.next();
    if (order === 0) return block.subarray(reader.at, reader.at + size);
    reader.at += size;
  }
  return undefined;
}

/** Compares the key at an offset with another: negative where it comes before, 0 where it is equal, else positive. */
function compareAt(bytes: Uint8Array, at: number, key: Uint8Array): number {
  for (let i = 0; i < key.length; i++) {
    const difference = (bytes[at + i] as number) - (key[i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The size at which a block ends. */
const BLOCK_BYTES = 4096;

/** An entry of a key file. Its bytes are copied before the next entry is asked for. */
export interface KeyEntry {
  key: Uint8Array;
  value: Uint8Array;
}

/** What a key file holds. */
interface KeyFileOptions {
  keyBytes: number;
  /** What the values are, at most 20 ASCII letters; the reader must ask for the same. */
  content: string;
}

/**
 * Writes a file of values by key, in which {@link KeyFile} finds a value by reading one block. The memory needed grows
 * only with the number of blocks.
 *
 * ```
 * block … block   entries by key: the key, the value's length as a varint, the value; no entry spans two blocks
 * index           of all blocks: their first keys; their lengths, u32 each; their CRC-32s, u32 each
 * footer          of an indexed file: its unit is the bytes of a key, its parts are the blocks
 * ```
 *
 * @param entries In strictly ascending order of their keys.
 * @returns The number of entries.
 * @throws {DataError} If it cannot be written, or the keys do not ascend.
 */
export async function writeKeyFile(
  path: string,
  entries: AsyncIterable<KeyEntry>,
  options: KeyFileOptions,
): Promise<number> {
  const file = await openWhole(path, { durable: true });
  try {
    const writer = new BlockWriter(path, file, options.keyBytes);
    for await (const { key, value } of entries) if (writer.add(key, value)) await writer.flush();
    await writer.finish(options);
    await file.finish();
    return writer.entries;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** How many bytes are gathered before they are written. */
const PIECE_BYTES = 1 << 20;

class BlockWriter {
  entries = 0;
  readonly #path: string;
  readonly #file: WholeFile;
  readonly #keyBytes: number;
  readonly #firstKeys: Buffer[] = [];
  readonly #lengths: number[] = [];
  readonly #crcs: number[] = [];
  #written = 0;
  #piece = Buffer.allocUnsafe(2 * PIECE_BYTES);
  #end = 0;
  #blockAt = 0;
  #last: Buffer | undefined;

  constructor(path: string, file: WholeFile, keyBytes: number) {
    this.#path = path;
    this.#file = file;
    this.#keyBytes = keyBytes;
  }

  /** Adds an entry. @returns Whether enough whole blocks are gathered for {@link flush}. */
  add(key: Uint8Array, value: Uint8Array): boolean {
    if (key.length !== this.#keyBytes || (this.#last && this.#last.compare(key) >= 0)) {
      throw new DataError(`Cannot write ${this.#path}: its keys are not in order. Nothing was changed.`);
    }
    this.#reserve(key.length + VARINT_BYTES + value.length);
    if (this.#end === this.#blockAt) this.#firstKeys.push(Buffer.from(key));
    this.#piece.set(key, this.#end);
    this.#last = this.#piece.subarray(this.#end, this.#end + key.length);
    this.#end = putVarint(this.#piece, this.#end + key.length, value.length);
    this.#piece.set(value, this.#end);
    this.#end += value.length;
    this.entries++;
    if (this.#end - this.#blockAt >= BLOCK_BYTES) this.#endBlock();
    return this.#blockAt === this.#end && this.#end >= PIECE_BYTES;
  }

  /** Writes what is gathered, which must be whole blocks only. */
  async flush(): Promise<void> {
    const piece = this.#piece.subarray(0, this.#end);
    this.#written += piece.length;
    // The file may read this piece until the next write, so the next entries need a buffer of their own.
    this.#piece = Buffer.allocUnsafe(2 * PIECE_BYTES);
    this.#end = this.#blockAt = 0;
    await this.#file.write(piece);
  }

  async finish({ content }: KeyFileOptions): Promise<void> {
    if (this.#end > this.#blockAt) this.#endBlock();
    await this.flush();
    const index = Buffer.concat([...this.#firstKeys, bytesOf(this.#lengths), bytesOf(this.#crcs)]);
    await this.#file.write(index);
    const end = { content, unit: this.#keyBytes, entries: this.entries, parts: this.#lengths.length };
    await this.#file.write(footerOf(end, index, this.#written));
  }

  #endBlock(): void {
    const block = this.#piece.subarray(this.#blockAt, this.#end);
    this.#lengths.push(block.length);
    this.#crcs.push(crc32(block));
    this.#blockAt = this.#end;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#piece.length) return;
    const wider = Buffer.allocUnsafe(Math.max(2 * this.#piece.length, this.#end + bytes));
    this.#piece.copy(wider, 0, 0, this.#end);
    this.#piece = wider;
  }
}

function bytesOf(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * i);
  return bytes;
}
