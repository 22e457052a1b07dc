import { itemAt } from '../../base/item-at.js';
import { WordBytes } from './word-table.js';

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
    return this.#numbers[spelling] as number;
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
        for (; this.#places[next] === all.length; next += 1) all.push(itemAt(this.#texts, next));
        all.push(text);
      }
    }
    for (; next < this.#texts.length; next += 1) all.push(itemAt(this.#texts, next));
    return all;
  }
}

/**
 * Encodes texts as bytes. It is UTF-8, extended to lone surrogates, which escapes in JSON can make, so that different
 * texts always have different bytes.
 */
export class TextBytes {
  #bytes = new Uint8Array(256);
  view = new DataView(this.#bytes.buffer);
  /** Whether the last encoded text is ASCII. */
  plain = true;
  /** Whether it has lone surrogates, so that its bytes are not UTF-8. */
  halves = false;

  /** Encodes a text at the start of `view` and returns the number of bytes. */
  encode(text: string): number {
    if (this.#bytes.length < 3 * text.length) {
      this.#bytes = new Uint8Array(3 * text.length);
      this.view = new DataView(this.#bytes.buffer);
    }
    this.plain = true;
    this.halves = false;
    const bytes = this.#bytes;
    let end = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x80) return this.#encodeRest(text, at, end);
      bytes[end++] = unit;
    }
    return end;
  }

  #encodeRest(text: string, from: number, start: number): number {
    const bytes = this.#bytes;
    this.plain = false;
    let end = start;
    for (let at = from; at < text.length; at += 1) {
      const point = text.codePointAt(at) as number;
      if (point < 0x80) bytes[end++] = point;
      else if (point < 0x800) bytes[end++] = 0xc0 | (point >> 6);
      else if (point < 0x10000) bytes[end++] = 0xe0 | (point >> 12);
      else {
        bytes[end++] = 0xf0 | (point >> 18);
        bytes[end++] = 0x80 | ((point >> 12) & 0x3f);
        at += 1;
      }
      if (point >= 0xd800 && point < 0xe000) this.halves = true;
      if (point >= 0x800) bytes[end++] = 0x80 | ((point >> 6) & 0x3f);
      if (point >= 0x80) bytes[end++] = 0x80 | (point & 0x3f);
    }
    return end;
  }
}
