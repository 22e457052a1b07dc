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

  /** Makes sure that this many bytes can be written from `at` on; the bytes before are kept. */
  reserve(at: number, bytes: number): void {
    if (at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, at + bytes));
    larger.set(this.bytes.subarray(0, at));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}

/** Writes the field with a number into a piece and returns the offset after it. */
export type FieldWriter = (piece: BytePiece, at: number, code: number) => number;

/**
 * Makes a writer of words as fields. Words that come often are encoded once and then copied; others are encoded each
 * time.
 *
 * @param field How a word becomes a field.
 * @param reserve Bytes that must be free after each field.
 */
export function wordWriter(
  { codes, words }: TextVector,
  field: (text: string) => string,
  reserve: number,
): FieldWriter {
  const fieldOf = (code: number) => field(words[code] as string);
  // Keeping words pays only where they are copied at least twice.
  if (words.length * 2 > codes.length) return fieldWriter(fieldOf, reserve);
  const kept: Buffer[] = [];
  return (piece, at, code) => {
    kept[code] ??= Buffer.from(fieldOf(code));
    const bytes = kept[code];
    piece.reserve(at, bytes.length + reserve);
    piece.bytes.set(bytes, at);
    return at + bytes.length;
  };
}

/** Makes a writer of fields that are made by their number each time. */
export function fieldWriter(fieldOf: (code: number) => string, reserve: number): FieldWriter {
  return (piece, at, code) => {
    const text = fieldOf(code);
    piece.reserve(at, 3 * text.length + reserve);
    return at + piece.bytes.write(text, at);
  };
}

/** Text that is guarded: what is a formula, and what would be one but for a `'`, which could else be taken for a guard. */
const FORMULA = /^'*[=+\-@\t\r\n]/;
/** Text that a spreadsheet would read as a number, whichever mark it has before decimals. */
const NUMERIC = /^\s*[+-]?[\d.,]*\d[.,]?(?:e[+-]?\d+)?\s*$/i;

/** Text with a tab before it if a spreadsheet would read it as a number, of which it would keep 15 digits. */
function withTab(text: string): string {
  return NUMERIC.test(text) ? `\t${text}` : text;
}

/** The text before which such a tab was put: every text with one is a number behind a tab, and no other text is. */
export function withoutTab(text: string): string {
  return text.startsWith('\t') && NUMERIC.test(text) ? text.slice(1) : text;
}

/** The text before which the `'` of a guard was put: every text with one before a formula is guarded. */
export function withoutGuard(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

/** The functions that turn texts and column names into fields under the given options. */
export function textFields(form: Required<CsvOptions>): Record<'text' | 'name', (text: string) => string> {
  const needsQuotes = new RegExp(`["\\r\\n${form.delimiter === '|' ? '\\|' : form.delimiter}]`);
  const unread = (text: string) => (form.ids === 'text' ? withTab(text) : text);
  const guarded = (text: string) => (form.formulas === 'guard' && FORMULA.test(text) ? `'${text}` : unread(text));
  const fieldOf = (text: string, always: boolean) =>
    always || text === '' || needsQuotes.test(text) ? quoted(text) : text;
  return {
    text: (text) => {
      const safe = guarded(text);
      const isOther = fieldKind(safe.replace(form.decimal, '.')) !== 'text';
      return fieldOf(safe, form.quoting !== 'minimal' || safe === form.nullText || isOther);
    },
    name: (name) => fieldOf(guarded(name), form.quoting === 'all'),
  };
}

/** Puts a text in quotes and doubles the quotes in it. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
