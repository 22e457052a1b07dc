import type { TextVector } from '../vector/vector.js';

/** Builds a text vector from texts given one after another. Each word is kept only once. */
export class TextCollector {
  readonly #codes: Int32Array;
  readonly #words: string[] = [];
  readonly #places = new Map<string, number>();
  #row = 0;

  /** @param rows Number of rows; those that never come are missing. */
  constructor(rows: number) {
    this.#codes = new Int32Array(rows).fill(-1);
  }

  /** Takes the text of the next row; null if it is missing. */
  add(text: string | null): void {
    if (text !== null) this.#codes[this.#row] = this.#codeOf(text);
    this.#row += 1;
  }

  vector(): TextVector {
    return { kind: 'text', codes: this.#codes, words: this.#words, distinct: true };
  }

  #codeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const code = this.#words.length;
    this.#places.set(text, code);
    this.#words.push(text);
    return code;
  }
}
