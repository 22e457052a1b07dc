import type { Column } from '../../contract/definition.js';
import { toIsoTime } from '../vector/iso-time.js';
import type { TextVector } from '../vector/vector.js';
import { type ColumnBuilder, grown, trimmed } from './column-builder.js';
import { ASCII } from './json-ends.js';
import { type Cursor, isCapitalHex, isShortestTime, lowerHex, scanNull, textEnd, utcTimeEnd } from './scan-values.js';
import { DistinctTexts, SpelledWords, TextBytes } from './spelled-words.js';
import { WordTable } from './word-table.js';

/** From this many words on, a column whose values are nearly all different is no longer searched for repeats. */
const MANY_WORDS = 1 << 11;
const DISTINCT_SHARE = 0.9;
/** If there are more words than this at a take, they are forgotten instead of kept for the next rows. */
const KEPT_WORDS = 1 << 12;

const MISSING = -1;
const REFUSED = -2;
const encoder = new TextBytes();

/** Builds a column of texts or times, in their stored form. Words stay bytes until the vector's words are read. */
export class TextBuilder implements ColumnBuilder {
  readonly column: Column;
  readonly expected: string;
  readonly #isKey: boolean;
  readonly #isTime: boolean;
  readonly #isHex: boolean;
  #codes = new Int32Array(0);
  /** Spellings as they came; one in another form than the stored form has the code of the word in stored form. */
  #table = new WordTable();
  #words = new SpelledWords(this.#table.words);
  /** Where texts go instead, once they turn out to be mostly different. */
  #texts: DistinctTexts | undefined;
  /** The spelling that last followed each spelling: series of days and of wallets mostly repeat their order. */
  #after = new Int32Array(32);
  #last = 0;
  #guess = -1;

  /** @param isKey Whether the column is part of the key: then words are never forgotten. */
  constructor(column: Column, isKey: boolean) {
    this.column = column;
    this.#isKey = isKey;
    this.#isTime = column.dtype === 'datetime';
    this.#isHex = column.hex === true;
    this.expected = this.#isTime ? 'ISO 8601 text such as "2025-11-01T00:00:00Z"' : 'text';
  }

  /** The codes of the rows; in a key column, equal codes are equal values. */
  get codes(): Int32Array {
    return this.#codes;
  }

  /** The words of a key column. */
  get words(): readonly string[] {
    return this.#words.all();
  }

  reserve(rows: number): void {
    this.#codes = grown(this.#codes, rows);
  }

  scan(cursor: Cursor, row: number): boolean {
    const { bytes, view, at } = cursor;
    if (bytes[at] !== ASCII.quote || bytes[at + 1] === ASCII.quote) return this.#scanEmpty(cursor, row);
    if (this.#texts !== undefined) return this.#scanDistinct(cursor, this.#texts, row);
    const { words } = this.#table;
    let spelling = this.#guess;
    let length = spelling < 0 ? 0 : words.lengthOf(spelling);
    if (spelling < 0 || bytes[at + 1 + length] !== ASCII.quote || !words.isAt(spelling, view, at + 1)) {
      spelling = this.#find(cursor, at + 1, length, row);
      if (spelling < 0) return false;
      this.#after[this.#last] = spelling;
      length = words.lengthOf(spelling);
    }
    this.#last = spelling;
    this.#guess = this.#after[spelling] as number;
    this.#codes[row] = this.#words.numberOf(spelling);
    cursor.at = at + length + 2;
    return true;
  }

  put(row: number, value: unknown): boolean {
    const code = this.#codeOfValue(value, row);
    if (code === REFUSED) return false;
    this.#codes[row] = code;
    return true;
  }

  isSame(row: number, other: number): boolean {
    const [code, second] = [this.#codes[row] as number, this.#codes[other] as number];
    if (code === second) return true;
    return code >= 0 && second >= 0 && this.#texts !== undefined && this.#texts.at(code) === this.#texts.at(second);
  }

  move(from: number, to: number): void {
    this.#codes[to] = this.#codes[from] as number;
  }

  take(rows: number): TextVector {
    const codes = this.#codes.subarray(0, rows);
    const texts = this.#texts;
    if (texts !== undefined) {
      this.#forget();
      return lazyText(codes.slice(), false, () => texts.all());
    }
    const taken = takenWords(codes, this.#words.all());
    if (!this.#isKey && this.#words.size > KEPT_WORDS) this.#forget();
    return { kind: 'text', ...taken, distinct: true };
  }

  finish(rows: number): TextVector {
    const codes = trimmed(this.#codes, rows);
    const texts = this.#texts;
    const words = texts ?? this.#words;
    this.#forget();
    this.#codes = new Int32Array(0);
    return lazyText(codes, texts === undefined, () => words.all());
  }

  #forget(): void {
    this.#table = new WordTable();
    this.#words = new SpelledWords(this.#table.words);
    this.#texts = undefined;
    this.#guess = -1;
    this.#last = 0;
  }

  /** Finds the number of a spelling, first trying the length of the guessed one. */
  #find(cursor: Cursor, start: number, length: number, row: number): number {
    const { bytes, view } = cursor;
    const table = this.#table;
    const isSought = length > 0 && bytes[start + length] === ASCII.quote;
    if (isSought) {
      const known = table.find(view, start, length);
      if (known >= 0) return known;
    }
    const timeEnd = this.#isTime ? utcTimeEnd(bytes, start) : -1;
    const end = timeEnd < 0 ? textEnd(cursor, start) : timeEnd;
    if (end < 0) return REFUSED;
    if (!isSought || end !== start + length) {
      const known = table.find(view, start, end - start);
      if (known >= 0) return known;
    }
    if ((this.#isTime && timeEnd < 0) || this.#isOtherForm(cursor, start, end)) {
      return this.#learnOtherForm(cursor, start, end, row);
    }
    const spelling = table.add(view, start, end - start, timeEnd >= 0 || cursor.plain);
    this.#learn(spelling, row);
    return spelling;
  }

  /** Adds a new spelling that is not in stored form. */
  #learnOtherForm(cursor: Cursor, start: number, end: number, row: number): number {
    const table = this.#table;
    const word = this.#kept(cursor.text(start, end) ?? '');
    if (word === undefined) return REFUSED;
    const code = this.#codeOfText(word, row);
    // The table adds the word that it last looked for, which may be the stored form: look for this spelling again.
    table.find(cursor.view, start, end - start);
    const spelling = table.add(cursor.view, start, end - start, cursor.plain);
    this.#words.add(spelling, code);
    this.#noteSpelling(spelling);
    return spelling;
  }

  /** Reads a missing value or an empty text. */
  #scanEmpty(cursor: Cursor, row: number): boolean {
    if (this.column.nullable) {
      if (!scanNull(cursor)) return false;
      this.#codes[row] = MISSING;
      return true;
    }
    if (this.#isTime || cursor.bytes[cursor.at] !== ASCII.quote) return false;
    cursor.at += 2;
    return this.put(row, '');
  }

  #scanDistinct(cursor: Cursor, texts: DistinctTexts, row: number): boolean {
    const { bytes, view } = cursor;
    const start = cursor.at + 1;
    // A text in another form is decoded and put instead.
    const end = this.#isTime ? utcTimeEnd(bytes, start) : textEnd(cursor, start);
    if (end < 0 || this.#isOtherForm(cursor, start, end)) return false;
    this.#codes[row] = texts.add(view, start, end - start, this.#isTime || cursor.plain);
    cursor.at = end + 1;
    return true;
  }

  #codeOfValue(value: unknown, row: number): number {
    if (value === undefined || value === null || (value === '' && (this.column.nullable || this.#isTime))) {
      return this.column.nullable ? MISSING : REFUSED;
    }
    return typeof value === 'string' ? this.#codeOfText(value, row) : REFUSED;
  }

  #codeOfText(text: string, row: number): number {
    const table = this.#table;
    const length = this.#texts === undefined ? encoder.encode(text) : 0;
    const known = this.#texts === undefined ? table.find(encoder.view, 0, length) : -1;
    if (known >= 0) return this.#words.numberOf(known);
    const word = this.#kept(text);
    if (word === undefined) return REFUSED;
    if (this.#texts !== undefined) return this.#texts.addText(word);
    if (word !== text) return this.#codeOfText(word, row);
    if (encoder.halves) this.#words.keep(this.#words.size, text);
    return this.#learn(table.add(encoder.view, 0, length, encoder.plain), row);
  }

  /** The stored form of a text; undefined if it should be a time and is not. */
  #kept(text: string): string | undefined {
    if (this.#isTime) return toIsoTime(text);
    return this.#isHex ? lowerHex(text) : text;
  }

  /** Whether a time in UTC, or a text that is no time, differs from its stored form. */
  #isOtherForm(cursor: Cursor, start: number, end: number): boolean {
    if (this.#isTime) return !isShortestTime(cursor.bytes, start, end);
    return this.#isHex && isCapitalHex(cursor, start, end);
  }

  /** Makes the newest spelling a new word and returns its code. */
  #learn(spelling: number, row: number): number {
    const code = this.#words.add(spelling);
    this.#noteSpelling(spelling);
    if (spelling >= MANY_WORDS && !this.#isKey && spelling > DISTINCT_SHARE * row) {
      this.#texts = new DistinctTexts(this.#words);
    }
    return code;
  }

  #noteSpelling(spelling: number): void {
    if (spelling >= this.#after.length) this.#after = grown(this.#after, 2 * spelling);
    this.#after[spelling] = spelling;
  }
}

/** Codes and the words that they refer to, renumbered in the order of the rows. */
interface TakenWords {
  readonly codes: Int32Array;
  readonly words: string[];
}

/** Copies codes with only the words that they refer to. */
function takenWords(codes: Int32Array, words: readonly string[]): TakenWords {
  const numbers = words.length <= 4 * codes.length ? new ArrayNumbers(words.length) : new Map<number, number>();
  const taken: string[] = [];
  const renumbered = codes.map((code) => {
    const word = words[code];
    if (word === undefined) return -1;
    const known = numbers.get(code);
    if (known !== undefined) return known;
    numbers.set(code, taken.length);
    return taken.push(word) - 1;
  });
  return { codes: renumbered, words: taken };
}

/** A map between small whole numbers. */
class ArrayNumbers {
  readonly #numbers: Int32Array;

  constructor(size: number) {
    this.#numbers = new Int32Array(size).fill(-1);
  }

  get(key: number): number | undefined {
    const number = this.#numbers[key] as number;
    return number < 0 ? undefined : number;
  }

  set(key: number, number: number): void {
    this.#numbers[key] = number;
  }
}

/**
 * A text vector whose words are made when they are first read; many columns of an answer are never read.
 *
 * @param read Makes the words; called at most once, then released.
 */
export function lazyText(codes: Int32Array, distinct: boolean, read: () => readonly string[]): TextVector {
  let make: typeof read | undefined = read;
  let words: readonly string[] = [];
  return {
    kind: 'text',
    codes,
    distinct,
    // An own property, so that a copy by spreading has the words too.
    get words() {
      if (make) words = make();
      make = undefined;
      return words;
    },
  };
}
