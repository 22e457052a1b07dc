import type { TextVector } from '../vector/vector.js';
import { type MomentForm, textOfMoment } from './moment-form.js';

const EXACT = 2n ** 53n;

/** Builds a text vector from moments given as numbers, one after another. Each moment's text is made only once. */
export class MomentCollector {
  readonly #codes: Int32Array;
  readonly #words: string[] = [];
  readonly #places = new Map<bigint | number, number>();
  readonly #form: MomentForm;
  #row = 0;
  #last: bigint | undefined;
  #lastCode = -1;

  /** @param rows Number of rows; those that never come are missing. */
  constructor(rows: number, form: MomentForm) {
    this.#codes = new Int32Array(rows).fill(-1);
    this.#form = form;
  }

  /** Takes the moment of the next row, in microseconds since 1970; null if it is missing. */
  add(micros: bigint | null): void {
    if (micros !== null) this.#codes[this.#row] = this.#codeOf(micros);
    this.#row += 1;
  }

  vector(): TextVector {
    return { kind: 'text', codes: this.#codes, words: this.#words, distinct: true };
  }

  #codeOf(micros: bigint): number {
    if (micros === this.#last) return this.#lastCode;
    // Looking up a number is faster than looking up a bigint.
    const key = micros > -EXACT && micros < EXACT ? Number(micros) : micros;
    const code = this.#places.get(key) ?? this.#newCode(key, micros);
    this.#last = micros;
    this.#lastCode = code;
    return code;
  }

  #newCode(key: bigint | number, micros: bigint): number {
    const code = this.#words.length;
    this.#places.set(key, code);
    this.#words.push(textOfMoment(micros, this.#form));
    return code;
  }
}
