import { itemAt } from '../../base/item-at.js';
import type { TextVector } from './vector.js';

/** The same text with each word once, so that equal codes are the same as equal texts. */
export function distinctWords(vector: TextVector): TextVector {
  return distinctWithin(vector, vector.codes.length) as TextVector;
}

/** {@link distinctWords}, or undefined if more than so many words come together. */
export function distinctWithin(vector: TextVector, most: number): TextVector | undefined {
  if (vector.distinct) return vector;
  const collected = new TextCollector(vector.codes.length);
  for (const code of vector.codes) {
    collected.add(vector.words[code]);
    if (collected.size > most) return undefined;
  }
  return collected.vector();
}

/** The same text with each word once, and without the words that no row has. */
export function usedWords(vector: TextVector): TextVector {
  return heldWords(distinctWords(vector));
}

/** The same text without the words that no row has. */
export function heldWords(vector: TextVector): TextVector {
  const { codes, words, distinct } = vector;
  const places = new Int32Array(words.length).fill(-1);
  const kept: string[] = [];
  // Mostly all words are met long before the last row.
  for (let row = 0; row < codes.length && kept.length < words.length; row += 1) {
    const code = codes[row] as number;
    if (code < 0 || (places[code] as number) >= 0) continue;
    places[code] = kept.length;
    kept.push(itemAt(words, code));
  }
  if (kept.length === words.length) return { kind: 'text', codes, words, distinct };
  return { kind: 'text', codes: codes.map((code) => (code < 0 ? -1 : itemAt(places, code))), words: kept, distinct };
}

/** Builds a text vector from values given one after another. The text of each is made and kept only once. */
export class TextCollector<Value extends string | bigint = string> {
  readonly #codes: Int32Array;
  readonly #words: string[] = [];
  readonly #places = new Map<Value, number>();
  readonly #textOf: (value: Value) => string;
  #row = 0;

  /**
   * @param rows Number of rows; those that never come are missing.
   * @param textOf Makes the text of a value, another one for each. Default: `String`.
   */
  constructor(rows: number, textOf: (value: Value) => string = String) {
    this.#codes = new Int32Array(rows).fill(-1);
    this.#textOf = textOf;
  }

  /** Words that came so far. */
  get size(): number {
    return this.#words.length;
  }

  /** Takes the value of the next row; null or undefined if it is missing. */
  add(value: Value | null | undefined): void {
    if (value !== null && value !== undefined) this.#codes[this.#row] = this.#codeOf(value);
    this.#row += 1;
  }

  vector(): TextVector {
    return { kind: 'text', codes: this.#codes, words: this.#words, distinct: true };
  }

  #codeOf(value: Value): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const code = this.#words.push(this.#textOf(value)) - 1;
    this.#places.set(value, code);
    return code;
  }
}
