import { itemAt } from '../../base/item-at.js';
import type { TextVector } from './vector.js';

/** The same text with each word once, so that equal codes are the same as equal texts. */
export function distinctWords(vector: TextVector): TextVector {
  if (vector.distinct) return vector;
  const { codes, words } = vector;
  const places = new Map<string, number>();
  const kept: string[] = [];
  const renumbered = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) {
    const word = words[codes[row] as number];
    if (word === undefined) {
      renumbered[row] = -1;
      continue;
    }
    const known = places.get(word);
    renumbered[row] = known ?? kept.length;
    if (known !== undefined) continue;
    places.set(word, kept.length);
    kept.push(word);
  }
  return { kind: 'text', codes: renumbered, words: kept, distinct: true };
}

/** The same text with each word once, and without the words that no row has. */
export function usedWords(vector: TextVector): TextVector {
  const { codes, words } = distinctWords(vector);
  const places = new Int32Array(words.length).fill(-1);
  const kept: string[] = [];
  for (const code of codes) {
    if (code < 0 || (places[code] as number) >= 0) continue;
    places[code] = kept.length;
    kept.push(itemAt(words, code));
  }
  if (kept.length === words.length) return { kind: 'text', codes, words, distinct: true };
  return {
    kind: 'text',
    codes: codes.map((code) => (code < 0 ? -1 : itemAt(places, code))),
    words: kept,
    distinct: true,
  };
}

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
