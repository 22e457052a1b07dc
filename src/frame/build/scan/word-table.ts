import { WordBytes } from './word-bytes.js';

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
      const word = (places[place] ?? 0) - 1;
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
    let place = (this.#hashes[word] ?? 0) & mask;
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
