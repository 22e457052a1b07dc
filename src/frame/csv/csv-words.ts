import type { TextVector } from '../vector/vector.js';
import { type CsvOptions, fieldKind } from './csv-options.js';

/** Extra room for the last row, which may extend past the piece's size. */
const SLACK = 1 << 14;

/** A piece of a file that is being written: bytes that grow if a row needs more room. */
export class BytePiece {
  /** Number of bytes from which the piece counts as full. */
  readonly size: number;
  bytes: Buffer;
  view: DataView;

  /** @param size In bytes. */
  constructor(size: number) {
    this.size = size;
    this.bytes = Buffer.allocUnsafeSlow(size + SLACK);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Whether a row needed more room than there was. */
  get isGrown(): boolean {
    return this.bytes.length > this.size + SLACK;
  }

  /** Makes sure that this many bytes can be written from `at` on; the bytes before are kept. */
  reserve(at: number, bytes: number): void {
    if (at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, at + bytes));
    larger.set(this.bytes.subarray(0, at));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}

/** Writes the words of a column into pieces. */
export interface WordWriter {
  /** @returns The offset after the word. */
  put(piece: BytePiece, at: number, code: number): number;
}

/**
 * Makes a writer of words as fields. Words that come often are encoded once and then copied; others are encoded each
 * time.
 *
 * @param field How a word becomes a field.
 * @param reserve Bytes that must be free after each field.
 */
export function wordWriter({ codes, words }: TextVector, field: TextField, reserve: number): WordWriter {
  // Keeping words pays only where they are copied at least twice.
  return words.length * 2 <= codes.length
    ? new KeptWords(words, field, reserve)
    : new PassingWords(words, field, reserve);
}

/** Encodes each word when it first comes and copies its bytes from then on. */
class KeptWords implements WordWriter {
  readonly #words: readonly string[];
  readonly #field: TextField;
  readonly #reserve: number;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  #store = Buffer.alloc(1 << 14);
  #view = new DataView(this.#store.buffer);
  #end = 0;

  constructor(words: readonly string[], field: TextField, reserve: number) {
    this.#words = words;
    this.#field = field;
    this.#reserve = reserve;
    this.#starts = new Int32Array(words.length);
    // No field is empty, so 0 means that the word has not come yet.
    this.#lengths = new Int32Array(words.length);
  }

  put(piece: BytePiece, at: number, code: number): number {
    const length = this.#lengths[code] || this.#keep(code);
    piece.reserve(at, length + this.#reserve);
    const from = this.#view;
    const to = piece.view;
    const start = this.#starts[code] as number;
    // Copies up to seven bytes too many, which the next field overwrites. Only a NaN might be changed by being copied as
    // a double, and no eight bytes of UTF-8 are a NaN.
    for (let done = 0; done < length; done += 8) to.setFloat64(at + done, from.getFloat64(start + done, true), true);
    return at + length;
  }

  #keep(code: number): number {
    const text = this.#field.write(this.#words[code] as string);
    const length = Buffer.byteLength(text);
    if (this.#end + length + 8 > this.#store.length) this.#grow(length + 8);
    this.#store.write(text, this.#end);
    this.#starts[code] = this.#end;
    this.#lengths[code] = length;
    this.#end += length;
    return length;
  }

  #grow(bytes: number): void {
    const larger = Buffer.alloc(2 * this.#store.length + bytes);
    larger.set(this.#store.subarray(0, this.#end));
    this.#store = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Makes a writer of fields that are made by their number each time. */
export function passingWords(fieldOf: (code: number) => string, reserve: number): WordWriter {
  return {
    put(piece, at, code) {
      const text = fieldOf(code);
      piece.reserve(at, 3 * text.length + reserve);
      return at + piece.bytes.write(text, at);
    },
  };
}

/** Kinds of characters. STOP, also for those above ASCII: the word cannot simply be copied. */
const [STOP, NUMERIC, PLAIN] = [0, 1, 2];

/** Encodes every word each time it comes: for words that mostly come once. */
class PassingWords implements WordWriter {
  readonly #words: readonly string[];
  readonly #field: TextField;
  readonly #reserve: number;
  readonly #characters: Uint8Array;
  /** Kinds of characters at the beginning of a word; STOP also for special ones. */
  readonly #starts: Uint8Array;

  constructor(words: readonly string[], field: TextField, reserve: number) {
    this.#words = words;
    this.#field = field;
    this.#reserve = reserve;
    this.#characters = charactersOf(field);
    this.#starts = this.#characters.map((kind, code) =>
      field.special.includes(String.fromCharCode(code)) ? STOP : kind,
    );
  }

  put(piece: BytePiece, at: number, code: number): number {
    const word = this.#words[code] as string;
    piece.reserve(at, word.length + this.#reserve);
    const isCopied = this.#starts[word.charCodeAt(0)] && putPlain(piece.bytes, at, word, this.#characters);
    if (isCopied) return at + word.length;
    const text = this.#field.write(word);
    piece.reserve(at, 3 * text.length + this.#reserve);
    return at + piece.bytes.write(text, at);
  }
}

/** The kind of each ASCII character: NUMERIC if numbers may hold it, PLAIN if it needs no quotes, else STOP. */
function charactersOf(field: TextField): Uint8Array {
  const isPlain = (character: string) => field.write(`x${character}`) === `x${character}`;
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    if (!isPlain(character)) return STOP;
    return /[-+.\deE]/.test(character) ? NUMERIC : PLAIN;
  });
}

/** Copies a word; returns false if it holds a STOP character or consists only of NUMERIC ones. */
function putPlain(bytes: Uint8Array, at: number, word: string, characters: Uint8Array): boolean {
  let all = NUMERIC;
  for (let place = 0; place < word.length; place += 1) {
    const code = word.charCodeAt(place);
    const kind = characters[code] ?? STOP;
    if (kind === STOP) return false;
    all |= kind;
    bytes[at + place] = code;
  }
  return all > NUMERIC;
}

const FORMULA = /^[=+\-@\t\r\n]/;

/** How text becomes a field. */
export interface TextField {
  write(text: string): string;
  /** First characters of texts that may need quotes or a guard for more than the characters that they hold. */
  readonly special: string;
}

/** The functions that turn texts and column names into fields under the given options. */
export function textFields(form: Required<CsvOptions>): { text: TextField; name: (name: string) => string } {
  const needsQuotes = new RegExp(`["\\r\\n${form.delimiter === '|' ? '\\|' : form.delimiter}]`);
  const guarded = (text: string) => (form.formulas === 'guard' && FORMULA.test(text) ? `'${text}` : text);
  const fieldOf = (text: string, always: boolean) =>
    always || text === '' || needsQuotes.test(text) ? quoted(text) : text;
  return {
    text: {
      write: (text) => {
        const safe = guarded(text);
        return fieldOf(safe, form.quoting !== 'minimal' || safe === form.nullText || fieldKind(safe) !== 'text');
      },
      special: `=+-@\ttTfFI${form.nullText.slice(0, 1)}`,
    },
    name: (name) => fieldOf(guarded(name), form.quoting === 'all'),
  };
}

/** Puts a text in quotes and doubles the quotes in it. */
export function quoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}
