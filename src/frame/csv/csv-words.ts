import type { TextVector } from '../vector/vector.js';
import type { BytePiece } from './byte-piece.js';
import type { TextField } from './csv-field.js';

/** Puts the text of a row into a piece. */
export interface WordWriter {
  /** @returns The place behind it. */
  put(piece: BytePiece, at: number, code: number): number;
}

const NO_WORD = '';

/**
 * Puts words into pieces as fields: encoded once and copied for each row where they come often, else anew each time.
 *
 * @param field How a word becomes a field.
 * @param reserve Bytes that have to be free behind each field.
 */
export function wordWriter({ codes, words }: TextVector, field: TextField, reserve: number): WordWriter {
  // Keeping words pays only where they are copied at least twice.
  return words.length * 2 <= codes.length
    ? new KeptWords(words, field, reserve)
    : new PassingWords(words, field, reserve);
}

/** Encodes each word when it first comes, and copies its bytes from then on. */
class KeptWords implements WordWriter {
  /** The engine drops the code that it compiled for a kind of object with the last one; so each kind keeps one. */
  static readonly kept = new KeptWords([], { write: String, special: '' }, 0);
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
    // No field is without a byte, so that 0 says that the word has not come yet.
    this.#lengths = new Int32Array(words.length);
  }

  put(piece: BytePiece, at: number, code: number): number {
    const length = this.#lengths[code] || this.#keep(code);
    piece.reserve(at, length + this.#reserve);
    const from = this.#view;
    const to = piece.view;
    const start = this.#starts[code] ?? 0;
    // Up to seven bytes too many: the next field is written over them. No eight bytes of UTF-8 are the double NaN, of
    // which an engine may keep another one than it was given.
    for (let done = 0; done < length; done += 8) to.setFloat64(at + done, from.getFloat64(start + done, true), true);
    return at + length;
  }

  #keep(code: number): number {
    const text = this.#field.write(this.#words[code] ?? NO_WORD);
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

/** Puts fields that are made anew each time, given by number. */
export function passingWords(fieldOf: (code: number) => string, reserve: number): WordWriter {
  return {
    put(piece, at, code) {
      const text = fieldOf(code);
      piece.reserve(at, 3 * text.length + reserve);
      return at + piece.bytes.write(text, at);
    },
  };
}

/** What a character says of the word that it is in: 0 for one above ASCII, which stops the quick way. */
const [STOP, NUMERIC, PLAIN] = [0, 1, 2];

/** Encodes every word each time it comes: for words that mostly come once. */
class PassingWords implements WordWriter {
  /** See {@link KeptWords}. */
  static readonly kept = new PassingWords([], { write: String, special: '' }, 0);
  readonly #words: readonly string[];
  readonly #field: TextField;
  readonly #reserve: number;
  readonly #characters: Uint8Array;
  /** Characters with which a word may begin that is copied as it is. */
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
    const word = this.#words[code] ?? NO_WORD;
    piece.reserve(at, word.length + this.#reserve);
    const isCopied = this.#starts[word.charCodeAt(0)] && putPlain(piece.bytes, at, word, this.#characters);
    if (isCopied) return at + word.length;
    const text = this.#field.write(word);
    piece.reserve(at, 3 * text.length + this.#reserve);
    return at + piece.bytes.write(text, at);
  }
}

/** Which characters leave a word as it is, and which of them a number may consist of. */
function charactersOf(field: TextField): Uint8Array {
  const isPlain = (character: string) => field.write(`x${character}`) === `x${character}`;
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    if (!isPlain(character)) return STOP;
    return /[-+.\deE]/.test(character) ? NUMERIC : PLAIN;
  });
}

/** Copies a word, unless it holds a character that is not plain, or consists of those of a number alone. */
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
