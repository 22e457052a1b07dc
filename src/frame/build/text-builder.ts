import type { Column } from '../../contract/column.js';
import { toIsoTime } from '../iso-time.js';
import type { TextVector } from '../vector/vector.js';
import { type ColumnBuilder, grown, trimmed } from './column-builder.js';
import { ASCII } from './scan/ascii.js';
import type { Cursor } from './scan/cursor.js';
import { scanNull } from './scan/scan-null.js';
import { asciiEnd, stringEnd } from './scan/string-end.js';
import { WordTable } from './scan/word-table.js';
import { takenWords } from './taken-words.js';
import { TextBytes } from './text-bytes.js';

/** A column of so many words, nearly all of its values different, is taken to have no repeats worth finding. */
const MANY_WORDS = 1 << 12;
const DISTINCT_SHARE = 0.9;
/** After a take, more words than this are forgotten rather than kept for the next rows. */
const KEPT_WORDS = 1 << 12;

const MISSING = -1;
const REFUSED = -2;
const encoder = new TextBytes();

/** Builds a column of text or of times: each word becomes a JavaScript string once, when it is first met. */
export class TextBuilder implements ColumnBuilder {
  readonly column: Column;
  readonly expected: string;
  readonly #isKey: boolean;
  readonly #isTime: boolean;
  #codes = new Int32Array(0);
  #words: string[] = [];
  /** Spellings as they came: of a time in another form and of an empty string, the code is another's. */
  #table: WordTable | undefined = new WordTable();
  #codeOf = new Int32Array(32);
  /** Which spelling followed each the last time: series of days and of wallets mostly repeat their order. */
  #after = new Int32Array(32);
  #last = 0;
  #guess = -1;

  /** @param isKey Whether codes must tell values apart for good: then words are never forgotten. */
  constructor(column: Column, isKey: boolean) {
    this.column = column;
    this.#isKey = isKey;
    this.#isTime = column.dtype === 'datetime';
    this.expected = this.#isTime ? 'ISO 8601 text such as "2025-11-01T00:00:00Z"' : 'text';
  }

  /** The codes of the rows; of a key column, equal codes are equal values. */
  get codes(): Int32Array {
    return this.#codes;
  }

  get words(): readonly string[] {
    return this.#words;
  }

  reserve(rows: number): void {
    this.#codes = grown(this.#codes, rows);
  }

  scan(cursor: Cursor, row: number): boolean {
    const { bytes, view, at } = cursor;
    if (bytes[at] !== ASCII.quote || bytes[at + 1] === ASCII.quote) return this.#scanEmpty(cursor, row);
    const table = this.#table;
    if (table === undefined) return this.#scanDistinct(cursor, row);
    let spelling = this.#guess;
    let length = spelling < 0 ? 0 : table.lengthOf(spelling);
    if (spelling < 0 || bytes[at + 1 + length] !== ASCII.quote || !table.isAt(spelling, view, at + 1)) {
      spelling = this.#find(cursor, table, at + 1, length, row);
      if (spelling < 0) return false;
      this.#after[this.#last] = spelling;
      length = table.lengthOf(spelling);
    }
    this.#last = spelling;
    this.#guess = this.#after[spelling] ?? -1;
    this.#codes[row] = this.#codeOf[spelling] ?? MISSING;
    cursor.at = at + length + 2;
    return true;
  }

  put(row: number, value: unknown): boolean {
    const code = this.#codeOfValue(value, row);
    if (code === REFUSED) return false;
    this.#codes[row] = code;
    return true;
  }

  move(from: number, to: number): void {
    this.#codes[to] = this.#codes[from] ?? MISSING;
  }

  take(rows: number): TextVector {
    const distinct = this.#table !== undefined;
    const taken = takenWords(this.#codes.subarray(0, rows), this.#words);
    if (!this.#isKey && this.#words.length > KEPT_WORDS) {
      this.#words = [];
      this.#table = new WordTable();
      this.#guess = -1;
      this.#last = 0;
    }
    return { kind: 'text', ...taken, distinct };
  }

  finish(rows: number): TextVector {
    const codes = trimmed(this.#codes, rows);
    const distinct = this.#table !== undefined;
    this.#table = undefined;
    this.#codes = new Int32Array(0);
    return { kind: 'text', codes, words: this.#words, distinct };
  }

  /** The spelling of a string, at first supposing that it is as long as the one that was guessed. */
  #find(cursor: Cursor, table: WordTable, start: number, length: number, row: number): number {
    const { bytes, view } = cursor;
    if (length > 0 && bytes[start + length] === ASCII.quote) {
      const known = table.find(view, start, length);
      if (known >= 0) return known;
    }
    const end = stringEnd(bytes, view, start);
    if (end < 0) return REFUSED;
    const known = table.find(view, start, end - start);
    if (known >= 0) return known;
    const text = textAt(cursor, start, end);
    if (text === undefined) return REFUSED;
    const word = this.#isTime ? toIsoTime(text) : text;
    if (word === undefined) return REFUSED;
    const code = word === text ? this.#words.push(word) - 1 : this.#codeOfText(word, row);
    // The table adds what it has last looked for, which may now be the other form.
    if (word !== text) table.find(view, start, end - start);
    this.#learn(table, view, start, end - start, code, row);
    return table.size - 1;
  }

  /** A missing value, or an empty text. */
  #scanEmpty(cursor: Cursor, row: number): boolean {
    if (this.column.nullable) return scanNull(cursor) && this.put(row, null);
    if (this.#isTime || cursor.bytes[cursor.at] !== ASCII.quote) return false;
    cursor.at += 2;
    return this.put(row, '');
  }

  #scanDistinct(cursor: Cursor, row: number): boolean {
    const start = cursor.at + 1;
    const end = stringEnd(cursor.bytes, cursor.view, start);
    if (end < 0) return false;
    const isAscii = asciiEnd(cursor.bytes, cursor.view, start) === end;
    const text = isAscii ? cursor.asciiPart(start, end) : cursor.text(start, end);
    if (text === undefined || !this.put(row, text)) return false;
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
    if (this.#table === undefined) {
      const word = this.#isTime ? toIsoTime(text) : text;
      return word === undefined ? REFUSED : this.#words.push(word) - 1;
    }
    const length = encoder.encode(text);
    const known = this.#table.find(encoder.view, 0, length);
    if (known >= 0) return this.#codeOf[known] ?? MISSING;
    const word = this.#isTime ? toIsoTime(text) : text;
    if (word === undefined) return REFUSED;
    if (word !== text) return this.#codeOfText(word, row);
    return this.#learn(this.#table, encoder.view, 0, length, this.#words.push(word) - 1, row);
  }

  /** Takes a spelling that is new, and gives its code. */
  #learn(table: WordTable, view: DataView, at: number, length: number, code: number, row: number): number {
    const spelling = table.add(view, at, length);
    if (spelling >= this.#codeOf.length) {
      this.#codeOf = grown(this.#codeOf, 2 * spelling);
      this.#after = grown(this.#after, 2 * spelling);
    }
    this.#codeOf[spelling] = code;
    this.#after[spelling] = spelling;
    if (spelling >= MANY_WORDS && !this.#isKey && spelling > DISTINCT_SHARE * row) this.#table = undefined;
    return code;
  }
}

/** The text of a string without escapes; undefined where it is no UTF-8. */
function textAt(cursor: Cursor, start: number, end: number): string | undefined {
  const plain = asciiEnd(cursor.bytes, cursor.view, start) === end;
  return plain ? cursor.ascii(start, end) : cursor.text(start, end);
}
