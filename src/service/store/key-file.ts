import { crc32 } from 'node:zlib';
import { damaged, type IndexedFile, openIndexedFile } from './indexed-file.js';
import { VarintReader } from './varint.js';
import type { KeyFileOptions } from './write-key-file.js';

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
      this.#starts[i + 1] = (this.#starts[i] ?? 0) + length;
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
    const start = this.#starts[block] ?? 0;
    const bytes = this.#block.subarray(0, (this.#starts[block + 1] ?? 0) - start);
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
    const difference = (bytes[at + i] ?? 0) - (key[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
