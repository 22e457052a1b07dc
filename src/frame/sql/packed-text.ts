import type { ChunkBindings, ChunkMemory, DuckDB } from '../../base/duckdb.js';

/** 32-bit parts of what the database has for a text: its length in bytes, its beginning, and where it lies. */
export const ENTRY_PARTS = 4;
/** Bytes up to which an entry holds the whole text. */
const WITHIN = 12;
/** Texts are handed over in blocks of this many characters, one longer than that alone. */
const BLOCK_CHARS = 2 ** 20;
const TWO_32 = 2 ** 32;

/** Texts in memory of the database, which lasts as long as this object is kept. */
export interface PackedTexts {
  readonly chunk: unknown;
  readonly entries: Uint32Array;
}

/**
 * Hands texts to the database many at once: their bytes as one long text, and for each an entry (`duckdb_string_t` of
 * its C interface) that points into it. One call a text takes several times as long.
 *
 * Half a surrogate pair, which UTF-8 cannot represent, becomes U+FFFD.
 */
export class TextPacker {
  readonly #bindings: ChunkBindings;
  #bytes = Buffer.alloc(0);
  #view = viewOf(this.#bytes);

  constructor(bindings: ChunkBindings) {
    this.#bindings = bindings;
  }

  /**
   * Sets the entries of texts, which hold as long as the memory does.
   *
   * @param memory A column of text, with one row at least. What the first row has is overwritten.
   * @param entries {@link ENTRY_PARTS} for each text.
   */
  pack(memory: ChunkMemory, texts: readonly string[], entries: Uint32Array): void {
    let from = 0;
    while (from < texts.length) {
      const to = endOfBlock(texts, from);
      this.#packBlock(memory, texts.slice(from, to), entries.subarray(ENTRY_PARTS * from, ENTRY_PARTS * to));
      from = to;
    }
  }

  /** Texts in memory of their own, with their entries. */
  packed(duckdb: DuckDB, texts: readonly string[]): PackedTexts {
    const chunk = duckdb.DuckDBDataChunk.create([duckdb.VARCHAR], 1);
    const entries = new Uint32Array(ENTRY_PARTS * texts.length);
    this.pack(this.#bindings.data_chunk_get_vector(chunk.chunk, 0), texts, entries);
    return { chunk, entries };
  }

  #packBlock(memory: ChunkMemory, texts: readonly string[], entries: Uint32Array): void {
    const size = this.#encode(texts, entries);
    const [low, high] = size > WITHIN ? this.#keep(memory, size) : [0, 0];
    const view = this.#view;
    let at = 0;
    for (let part = 0; part < entries.length; part += ENTRY_PARTS) {
      const length = entries[part] as number;
      entries[part + 1] = firstBytes(view, at, length);
      if (length <= WITHIN) {
        entries[part + 2] = firstBytes(view, at + 4, length - 4);
        entries[part + 3] = firstBytes(view, at + 8, length - 8);
      } else {
        const place = low + at;
        entries[part + 2] = place;
        entries[part + 3] = place < TWO_32 ? high : high + 1;
      }
      at += length;
    }
  }

  /** Puts texts one behind the other into the bytes, and their lengths into the entries; the length of all. */
  #encode(texts: readonly string[], entries: Uint32Array): number {
    const joined = texts.join('');
    this.#makeRoom(texts.length > 1 ? 3 * joined.length : Buffer.byteLength(joined));
    const size = this.#bytes.write(joined);
    if (size === sumOfLengths(texts, entries, size === joined.length)) return size;
    // Two halves of characters became a character where texts met.
    let end = 0;
    for (const [at, text] of texts.entries()) {
      const length = this.#bytes.write(text, end);
      entries[ENTRY_PARTS * at] = length;
      end += length;
    }
    return end;
  }

  #makeRoom(size: number): void {
    // What an entry holds is read in one go, beyond the end of the last text.
    if (this.#bytes.length >= size + WITHIN) return;
    this.#bytes = Buffer.alloc(size + WITHIN);
    this.#view = viewOf(this.#bytes);
  }

  /** Copies the bytes into the memory; the halves of the address at which they lie there. */
  #keep(memory: ChunkMemory, size: number): [low: number, high: number] {
    this.#bindings.vector_assign_string_element_len(memory, 0, this.#bytes.subarray(0, size));
    const entry = viewOf(this.#bindings.vector_get_data(memory, 4 * ENTRY_PARTS));
    return [entry.getUint32(8, true), entry.getUint32(12, true)];
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Puts the lengths of texts in bytes into their entries; the sum of all. */
function sumOfLengths(texts: readonly string[], entries: Uint32Array, isAscii: boolean): number {
  let sum = 0;
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] as string;
    const length = isAscii ? text.length : utf8Length(text);
    entries[ENTRY_PARTS * at] = length;
    sum += length;
  }
  return sum;
}

/** Bytes of a text in UTF-8, with three for half a surrogate pair. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    // Of the four bytes of a pair, two are counted as its units.
    if (isPair) at += 1;
  }
  return length;
}

function endOfBlock(texts: readonly string[], from: number): number {
  let chars = 0;
  let to = from;
  while (to < texts.length) {
    chars += (texts[to] as string).length;
    if (chars > BLOCK_CHARS && to > from) break;
    to += 1;
  }
  return to;
}

/** Up to four bytes as a number, the first one lowest; what lies beyond is 0. */
function firstBytes(view: DataView, at: number, many: number): number {
  if (many <= 0) return 0;
  const bytes = view.getUint32(at, true);
  return many < 4 ? bytes & ((1 << (8 * many)) - 1) : bytes;
}
