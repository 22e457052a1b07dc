import { WordBytes } from './scan/word-bytes.js';
import type { SpelledWords } from './spelled-words.js';

/** Bytes of a block; small enough that an allocator does not ask the system for each. */
const BLOCK = 60_000;

/**
 * The texts of a column whose values hardly repeat, in order and without a search for repeats. Texts that came as bytes
 * stay bytes: that costs a fraction of making strings, and the garbage collector need not scan them.
 */
export class DistinctTexts {
  readonly #first: SpelledWords;
  readonly #blocks: WordBytes[] = [];
  #block = new WordBytes(BLOCK, 1024);
  /** Texts that came as strings, and the place of each. */
  readonly #texts: string[] = [];
  readonly #places: number[] = [];
  #size: number;

  /** @param first The words so far, which come first; nothing else may use them any more. */
  constructor(first: SpelledWords) {
    this.#first = first;
    this.#size = first.size;
    this.#blocks.push(this.#block);
  }

  /** Adds a text given by its bytes and returns its place. */
  add(view: DataView, at: number, length: number, plain: boolean): number {
    if (this.#block.length + length > BLOCK) {
      this.#block = new WordBytes(Math.max(BLOCK, length), this.#block.size + 64);
      this.#blocks.push(this.#block);
    }
    this.#block.add(view, at, length, plain);
    return this.#size++;
  }

  /** Adds a text and returns its place. */
  addText(text: string): number {
    this.#texts.push(text);
    this.#places.push(this.#size);
    return this.#size++;
  }

  /** The text at a place; undefined if there is none. */
  at(place: number): string | undefined {
    if (place < this.#first.size) return this.#first.all()[place];
    const before = this.#places.filter((other) => other < place).length;
    if (this.#places[before] === place) return this.#texts[before];
    let word = place - this.#first.size - before;
    for (const block of this.#blocks) {
      if (word < block.size) return block.texts(word, word + 1)[0];
      word -= block.size;
    }
    return undefined;
  }

  /** Makes all texts. Call it once, after the last text was added. */
  all(): string[] {
    const all = this.#first.all();
    let next = 0;
    for (const block of this.#blocks.splice(0)) {
      for (const text of block.texts(0)) {
        for (; this.#places[next] === all.length; next += 1) all.push(this.#texts[next] ?? '');
        all.push(text);
      }
    }
    for (; next < this.#texts.length; next += 1) all.push(this.#texts[next] ?? '');
    return all;
  }
}
