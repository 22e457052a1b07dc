import { crc32 } from 'node:zlib';
import { DataError } from '../../base/errors.js';
import { openWhole, type WholeFile } from '../../base/whole-file.js';
import { footerOf } from './indexed-file.js';
import { putVarint, VARINT_BYTES } from './varint.js';

/** The size at which a block ends. */
const BLOCK_BYTES = 4096;

/** An entry of a key file. Its bytes are copied before the next entry is asked for. */
export interface KeyEntry {
  key: Uint8Array;
  value: Uint8Array;
}

/** What a key file holds. */
export interface KeyFileOptions {
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
