import { UsageError } from '../../base/errors.js';
import type { Arrow } from './arrow-column.js';

/** Lets the library read compressed files: LZ4 in frames, pandas' default for Feather, and Zstandard. */
export async function registerCodecs(arrow: Arrow): Promise<void> {
  const { decompress } = await import('fzstd');
  const unpackedZstd = (bytes: Uint8Array): Uint8Array => {
    try {
      // A copy, since arrays of numbers must begin at a multiple of their size.
      return decompress(bytes).slice();
    } catch (cause) {
      throw new RangeError('it is no Zstandard frame, or damaged', { cause });
    }
  };
  const encode = (): never => {
    throw new UsageError('Arrow files are written uncompressed.');
  };
  arrow.setCompressionCodec(arrow.CompressionType.ZSTD, { decode: unpackedZstd, encode });
  arrow.setCompressionCodec(arrow.CompressionType.LZ4_FRAME, { decode: unpackedLz4, encode });
}

const MAGIC = 0x184d2204;
/** Bits of a frame's descriptor. */
const FLAG = { dictionary: 1, contentChecksum: 4, contentSize: 8, blockChecksum: 16 };
/** The bit of a block's length that says that it is not compressed, and the bits of the length. */
const [STORED, LENGTH] = [0x80000000, 0x7fffffff];
const LEAST_MATCH = 4;

/**
 * The content of an LZ4 frame. Checksums are not verified.
 *
 * @throws {RangeError} If the bytes are no LZ4 frame, or damaged.
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */
export function unpackedLz4(frame: Uint8Array): Uint8Array {
  const view = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.readUInt32LE(0) !== MAGIC) throw new RangeError('it is no LZ4 frame');
  const flags = view.readUInt8(4);
  if (flags & FLAG.dictionary) throw new RangeError('it needs a dictionary');
  const told = flags & FLAG.contentSize ? Number(view.readBigUInt64LE(6)) : 0;
  const output = new Output(Math.min(told, 256 * frame.length) || 4 * frame.length);
  for (let at = flags & FLAG.contentSize ? 15 : 7; ; ) {
    const head = view.readUInt32LE(at);
    if (head === 0) return output.bytes();
    const [from, to] = [at + 4, at + 4 + (head & LENGTH)];
    if (to > frame.length) throw new RangeError('it is cut off');
    if (head & STORED) output.append(frame, from, to);
    else unpackBlock(frame, from, to, output);
    at = to + (flags & FLAG.blockChecksum ? 4 : 0);
  }
}

/** A block: sequences of literal bytes and of matches, which repeat bytes that came before, also those of other blocks. */
function unpackBlock(block: Uint8Array, from: number, to: number, output: Output): void {
  const byteAt = (at: number): number => {
    const byte = at < to ? block[at] : undefined;
    if (byte === undefined) throw new RangeError('a block is cut off');
    return byte;
  };
  for (let at = from; at < to; ) {
    const token = byteAt(at++);
    const lengthFrom = (short: number): number => {
      let length = short;
      for (let more = short === 15 ? 255 : 0; more === 255; length += more) more = byteAt(at++);
      return length;
    };
    const literals = lengthFrom(token >> 4);
    if (at + literals > to) throw new RangeError('a block is cut off');
    output.append(block, at, at + literals);
    at += literals;
    if (at === to) return;
    const distance = byteAt(at) | (byteAt(at + 1) << 8);
    at += 2;
    output.repeat(distance, lengthFrom(token & 15) + LEAST_MATCH);
  }
}

/** Bytes that grow. */
class Output {
  #bytes: Uint8Array;
  #length = 0;

  /** @param expected The number of bytes that there will probably be. */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected);
  }

  append(source: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    this.#bytes.set(source.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  /** Repeats bytes from a distance before the end; they may run into those that are being written. */
  repeat(distance: number, count: number): void {
    if (distance === 0 || distance > this.#length) throw new RangeError('a match begins before the content');
    this.#reserve(count);
    const start = this.#length - distance;
    if (distance >= count) this.#bytes.copyWithin(this.#length, start, start + count);
    else for (let at = 0; at < count; at += 1) this.#bytes[this.#length + at] = this.#bytes[start + at] ?? 0;
    this.#length += count;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + count));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}
