import type { WordBytes } from './scan/word-bytes.js';

/**
 * Words by number, made from their spellings on request. The first spelling with a number is the word; later spellings
 * with that number are other forms of it.
 */
export class SpelledWords {
  readonly #spellings: WordBytes;
  readonly #words: string[] = [];
  /** Words that UTF-8 cannot encode. */
  readonly #odd = new Map<number, string>();
  #numbers = new Int32Array(32);
  #made = 0;
  #size = 0;

  constructor(spellings: WordBytes) {
    this.#spellings = spellings;
  }

  /** Number of words so far. */
  get size(): number {
    return this.#size;
  }

  /** The number of the word that a spelling stands for. */
  numberOf(spelling: number): number {
    return this.#numbers[spelling] ?? -1;
  }

  /** Assigns a word to the newest spelling, by default a new one. */
  add(spelling: number, number: number = this.#size): number {
    if (spelling >= this.#numbers.length) {
      const numbers = new Int32Array(2 * spelling);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[spelling] = number;
    if (number === this.#size) this.#size += 1;
    return number;
  }

  /** Keeps the text of a word that its bytes cannot express. */
  keep(number: number, text: string): void {
    this.#odd.set(number, text);
  }

  /** The words so far; always the same array, which grows. */
  all(): string[] {
    if (this.#made === this.#spellings.size) return this.#words;
    for (const text of this.#spellings.texts(this.#made)) {
      const number = this.#numbers[this.#made];
      this.#made += 1;
      if (number === this.#words.length) this.#words.push(text);
    }
    for (const [number, text] of this.#odd) this.#words[number] = text;
    this.#odd.clear();
    return this.#words;
  }
}
