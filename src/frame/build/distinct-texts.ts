import { WordBytes } from './scan/word-bytes.js';
import type { SpelledWords } from './spelled-words.js';

/** Small enough that allocators take it from memory that they have, and do not ask the system for each. */
const BLOCK = 60_000;

/**
 * The texts of a column that hardly repeats, in order and without looking for repeats: as bytes where they came as
 * bytes, which costs a fraction of making text, and takes no place that a garbage collector would have to look at.
 */
export class DistinctTexts {
  readonly #first: SpelledWords;
  readonly #blocks: WordBytes[] = [];
  #block = new WordBytes(BLOCK, 1024);
  /** What came as text, and the place of each. */
  readonly #texts: string[] = [];
  readonly #places: number[] = [];
  #size: number;

  /** @param first The texts before, which come first and are of no more use elsewhere. */
  constructor(first: SpelledWords) {
    this.#first = first;
    this.#size = first.size;
    this.#blocks.push(this.#block);
  }

  /** Takes the bytes of a text, and gives its place. */
  add(view: DataView, at: number, length: number, plain: boolean): number {
    if (this.#block.length + length > BLOCK) {
      this.#block = new WordBytes(Math.max(BLOCK, length), this.#block.size + 64);
      this.#blocks.push(this.#block);
    }
    this.#block.add(view, at, length, plain);
    return this.#size++;
  }

  /** Takes a text, and gives its place. */
  addText(text: string): number {
    this.#texts.push(text);
    this.#places.push(this.#size);
    return this.#size++;
  }

  /** The text at a place; undefined where there is none. */
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

  /** Makes all texts; to be asked for once, when nothing is added any more. */
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
