import { sameBytes } from './same-bytes.js';

const SEED = (Math.random() * 2 ** 32) | 0;

/** Numbers words by their bytes, in the order in which they are first met, without making text of them. */
export class WordTable {
  /** Number of a word plus one, at the place that its hash names or behind; 0 where the place is free. */
  #places = new Int32Array(64);
  #hashes = new Int32Array(32);
  #starts = new Int32Array(33);
  #view = new DataView(new ArrayBuffer(1024));
  #size = 0;
  /** Of the word that was last looked for. */
  #hash = 0;

  /** Words so far. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of a word. */
  lengthOf(word: number): number {
    return (this.#starts[word + 1] ?? 0) - (this.#starts[word] ?? 0);
  }

  /** Whether the bytes from an offset on are a word's; there must be as many. */
  isAt(word: number, view: DataView, at: number): boolean {
    const start = this.#starts[word] ?? 0;
    return sameBytes(view, at, this.#view, start, (this.#starts[word + 1] ?? 0) - start);
  }

  /** The number of a word, or -1. */
  find(view: DataView, at: number, length: number): number {
    const hash = hashOf(view, at, length);
    this.#hash = hash;
    const places = this.#places;
    const mask = places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const word = (places[place] ?? 0) - 1;
      if (word < 0) return -1;
      if (this.#hashes[word] === hash && this.lengthOf(word) === length && this.isAt(word, view, at)) return word;
    }
  }

  /** Takes the word that {@link find} has just not found, and gives its number. */
  add(view: DataView, at: number, length: number): number {
    const word = this.#size;
    const start = this.#starts[word] ?? 0;
    if (word === this.#hashes.length) this.#growWords();
    while (start + length > this.#view.byteLength) this.#growBytes();
    copyBytes(view, at, this.#view, start, length);
    this.#starts[word + 1] = start + length;
    this.#hashes[word] = this.#hash;
    this.#place(word);
    this.#size += 1;
    return word;
  }

  #place(word: number): void {
    const mask = this.#places.length - 1;
    let place = (this.#hashes[word] ?? 0) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = word + 1;
  }

  #growWords(): void {
    const size = 2 * this.#hashes.length;
    const [hashes, starts] = [this.#hashes, this.#starts];
    this.#hashes = new Int32Array(size);
    this.#hashes.set(hashes);
    this.#starts = new Int32Array(size + 1);
    this.#starts.set(starts);
    this.#places = new Int32Array(2 * size);
    for (let word = 0; word < this.#size; word += 1) this.#place(word);
  }

  #growBytes(): void {
    const bytes = new Uint8Array(2 * this.#view.byteLength);
    bytes.set(new Uint8Array(this.#view.buffer));
    this.#view = new DataView(bytes.buffer);
  }
}

/** Short stretches: a call of the runtime's own copying costs more than these few steps. */
function copyBytes(from: DataView, at: number, to: DataView, start: number, length: number): void {
  let i = 0;
  for (; i + 4 <= length; i += 4) to.setInt32(start + i, from.getInt32(at + i, true), true);
  for (; i < length; i += 1) to.setUint8(start + i, from.getUint8(at + i));
}

/** Mixed with a number of this process, so that nobody can choose words that collide. */
function hashOf(view: DataView, at: number, length: number): number {
  let hash = SEED ^ length;
  let i = 0;
  for (; i + 4 <= length; i += 4) hash = mixed(hash, view.getInt32(at + i, true));
  for (; i < length; i += 1) hash = mixed(hash, view.getUint8(at + i));
  return hash ^ (hash >>> 16);
}

function mixed(hash: number, part: number): number {
  const next = Math.imul(hash ^ part, 0x5bd1e995);
  return next ^ (next >>> 15);
}
