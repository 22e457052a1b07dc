import { Buffer } from 'node:buffer';

const SEED = (Math.random() * 2 ** 32) | 0;

/** Numbers words by their bytes, in the order of first appearance, without making text of them. */
export class WordTable {
  /** The words by number. */
  readonly words = new WordBytes(1024, 32);
  /** Numbers of words plus one, each at the place of its hash or after that; 0 if a place is free. */
  #places = new Int32Array(64);
  #hashes = new Int32Array(32);
  /** Hash of the word that was last looked for. */
  #hash = 0;

  /** The number of a word, or -1. */
  find(view: DataView, at: number, length: number): number {
    const { words } = this;
    const hash = hashOf(view, at, length);
    this.#hash = hash;
    const places = this.#places;
    const mask = places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const word = (places[place] as number) - 1;
      if (word < 0) return -1;
      if (this.#hashes[word] === hash && words.lengthOf(word) === length && words.isAt(word, view, at)) return word;
    }
  }

  /**
   * Adds the word that the last {@link find} did not find, and returns its number.
   *
   * @param plain Whether it is ASCII.
   */
  add(view: DataView, at: number, length: number, plain: boolean): number {
    const word = this.words.add(view, at, length, plain);
    if (word === this.#hashes.length) this.#grow(word);
    this.#hashes[word] = this.#hash;
    this.#place(word);
    return word;
  }

  #place(word: number): void {
    const mask = this.#places.length - 1;
    let place = (this.#hashes[word] as number) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = word + 1;
  }

  #grow(words: number): void {
    const hashes = this.#hashes;
    this.#hashes = new Int32Array(2 * words);
    this.#hashes.set(hashes);
    this.#places = new Int32Array(4 * words);
    for (let word = 0; word < words; word += 1) this.#place(word);
  }
}

/** A hash with a random seed of this process, so that nobody can choose colliding words; two strands make it faster. */
function hashOf(view: DataView, at: number, length: number): number {
  let hash = SEED ^ length;
  let other = ~SEED;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    hash = mixed(hash, view.getInt32(at + i, true));
    other = mixed(other, view.getInt32(at + i + 4, true));
  }
  if (i + 4 <= length) {
    hash = mixed(hash, view.getInt32(at + i, true));
    i += 4;
  }
  for (; i < length; i += 1) other = mixed(other, view.getUint8(at + i));
  hash = mixed(hash, other);
  return hash ^ (hash >>> 16);
}

function mixed(hash: number, part: number): number {
  const next = Math.imul(hash ^ part, 0x5bd1e995);
  return next ^ (next >>> 15);
}

/** How many bytes become text at a time. A word that is kept alone keeps all of its piece alive, but no more. */
const PIECE = 1 << 17;
/** The highest bit of each byte of a 32-bit word. */
const HIGH = 0x80808080 | 0;

/** A list of words as UTF-8 bytes, made into text only on request. */
export class WordBytes {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #starts: Int32Array;
  #size = 0;
  /** Whether all words are ASCII. */
  #plain = true;

  /**
   * @param capacity Initial room in bytes.
   * @param words Initial room in words.
   */
  constructor(capacity: number, words: number) {
    this.#starts = new Int32Array(words + 1);
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Number of words so far. */
  get size(): number {
    return this.#size;
  }

  /** Number of bytes of all words. */
  get length(): number {
    return this.#starts[this.#size] as number;
  }

  /** Number of bytes of a word. */
  lengthOf(word: number): number {
    return (this.#starts[word + 1] as number) - (this.#starts[word] as number);
  }

  /** Whether the bytes from `at` on are those of a word; there must be at least as many. */
  isAt(word: number, view: DataView, at: number): boolean {
    const start = this.#starts[word] as number;
    return sameBytes(view, at, this.#view, start, (this.#starts[word + 1] as number) - start);
  }

  /**
   * Adds a word.
   *
   * @param plain Whether it is ASCII.
   * @returns Its number, counted from 0.
   */
  add(view: DataView, at: number, length: number, plain: boolean): number {
    const word = this.#size;
    const start = this.#starts[word] as number;
    if (word + 2 > this.#starts.length) this.#growWords();
    if (start + length > this.#bytes.length) this.#growBytes(start + length);
    copyBytes(view, at, this.#view, start, length);
    this.#starts[word + 1] = start + length;
    this.#size = word + 1;
    if (!plain) this.#plain = false;
    return word;
  }

  /**
   * The texts of the words from `from` to before `to`, by default to the last; bytes that are not UTF-8 become U+FFFD.
   */
  texts(from: number, to = this.#size): string[] {
    const texts: string[] = [];
    for (let word = from; word < to; ) {
      let next = word + 1;
      const limit = (this.#starts[word] as number) + PIECE;
      while (next < to && (this.#starts[next + 1] as number) <= limit) next += 1;
      this.#pushTexts(texts, word, next);
      word = next;
    }
    return texts;
  }

  /** Makes one text of all these words and slices it: a tenth of the time of decoding each word. */
  #pushTexts(texts: string[], from: number, to: number): void {
    const starts = this.#starts;
    const first = starts[from] as number;
    const buffer = Buffer.from(this.#bytes.buffer);
    const piece = buffer.toString('latin1', first, starts[to]);
    for (let word = from; word < to; word += 1) {
      const start = starts[word] as number;
      const end = starts[word + 1] as number;
      const isPlain = this.#plain || isAscii(this.#view, start, end);
      texts.push(isPlain ? piece.slice(start - first, end - first) : buffer.toString('utf8', start, end));
    }
  }

  #growWords(): void {
    const starts = new Int32Array(2 * this.#starts.length);
    starts.set(this.#starts);
    this.#starts = starts;
  }

  #growBytes(size: number): void {
    const bytes = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/**
 * Copies a few bytes, for which the runtime's own copying costs more. It copies eight bytes as a double. Only a NaN
 * might come out changed, and eight bytes of UTF-8 are never a NaN, whose highest byte is 0xff, or 0x7f next to one of
 * at least 0xf0.
 */
function copyBytes(from: DataView, at: number, to: DataView, start: number, length: number): void {
  let i = 0;
  for (; i + 8 <= length; i += 8) to.setFloat64(start + i, from.getFloat64(at + i, true), true);
  for (; i + 4 <= length; i += 4) to.setInt32(start + i, from.getInt32(at + i, true), true);
  for (; i < length; i += 1) to.setUint8(start + i, from.getUint8(at + i));
}

function isAscii(view: DataView, start: number, end: number): boolean {
  let at = start;
  for (; at + 4 <= end; at += 4) if ((view.getInt32(at, true) & HIGH) !== 0) return false;
  for (; at < end; at += 1) if (view.getUint8(at) >= 0x80) return false;
  return true;
}

/**
 * Whether two ranges of bytes are equal, compared eight at a time as doubles. Equal doubles have equal bytes, since
 * text never makes the doubles 0 and -0. Bytes beyond ASCII can make a NaN, which equals nothing; the bytes are then
 * compared as integers.
 *
 * @param length Number of bytes; both ranges must have as many.
 */
export function sameBytes(view: DataView, at: number, other: DataView, from: number, length: number): boolean {
  if (length < 8) return sameFew(view, at, other, from, length);
  const last = length - 8;
  for (let i = 0; i < last; i += 8) {
    if (view.getFloat64(at + i, true) !== other.getFloat64(from + i, true)) {
      return isBeyondAscii(view, at + i) && sameFew(view, at, other, from, length);
    }
  }
  if (view.getFloat64(at + last, true) === other.getFloat64(from + last, true)) return true;
  return isBeyondAscii(view, at + last) && sameFew(view, at, other, from, length);
}

function isBeyondAscii(view: DataView, at: number): boolean {
  return Number.isNaN(view.getFloat64(at, true));
}

function sameFew(view: DataView, at: number, other: DataView, from: number, length: number): boolean {
  let i = 0;
  for (; i + 4 <= length; i += 4) if (view.getInt32(at + i, true) !== other.getInt32(from + i, true)) return false;
  for (; i < length; i += 1) if (view.getUint8(at + i) !== other.getUint8(from + i)) return false;
  return true;
}
