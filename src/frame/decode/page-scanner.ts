import type { ColumnBuilder } from './column-builder.js';
import { parseJson } from './decode-records.js';
import { ASCII, asciiEnd, blankEnd, countFields, countWrittenFields, quotedEnd, valueEnd } from './json-ends.js';
import type { RowStore } from './row-store.js';
import { Cursor } from './scan-values.js';
import { sameBytes } from './word-table.js';

const COMMA = Uint8Array.of(ASCII.comma);
/** In the objects that JSON.parse makes, such names come first, wherever they are in the text. */
const WHOLE_NUMBER = /^\d+$/;

/**
 * Reads pages of JSON text straight into the columns of a store, without making objects of the records. It first
 * expects each record to be laid out like the one before; if it is not, the fields are read by name.
 */
export class PageScanner {
  readonly #store: RowStore;
  #layout: RecordLayout | undefined;

  constructor(store: RowStore) {
    this.#store = store;
  }

  /**
   * Reads the records of a page, the UTF-8 JSON text of an array.
   *
   * @returns False, with the store unchanged, if anything is wrong; decoding the page then has to say what.
   */
  scan(bytes: Uint8Array): boolean {
    const { rows } = this.#store;
    let done = false;
    try {
      done = this.#scanRecords(new Cursor(bytes));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    if (!done) this.#store.truncate(rows);
    return done;
  }

  #scanRecords(cursor: Cursor): boolean {
    const store = this.#store;
    const { bytes } = cursor;
    const open = blankEnd(bytes, 0);
    if (bytes[open] !== ASCII.openList) return false;
    cursor.at = blankEnd(bytes, open + 1);
    if (bytes[cursor.at] === ASCII.closeList) return isEnd(bytes, cursor.at);
    store.reserve(store.rows + 1);
    if (!this.#scanFirst(cursor, store.rows)) return false;
    for (store.rows += 1; ; store.rows += 1) {
      store.reserve(store.rows + 1);
      const start = cursor.at;
      if (this.#layout && this.#scanAlike(cursor, this.#layout, store.rows, 0)) continue;
      const next = blankEnd(bytes, start);
      if (bytes[next] === ASCII.closeList) return isEnd(bytes, next);
      cursor.at = start;
      this.#store.extra.truncate(store.rows);
      if (bytes[next] !== ASCII.comma || !this.#scanByName(cursor, store.rows, blankEnd(bytes, next + 1))) return false;
    }
  }

  /** Reads the first record of a page. It is mostly laid out like those of the page before, only without a comma. */
  #scanFirst(cursor: Cursor, row: number): boolean {
    const { bytes, at } = cursor;
    if (this.#layout && bytes[at] === ASCII.openRecord && this.#scanAlike(cursor, this.#layout, row, 1)) return true;
    cursor.at = at;
    this.#store.extra.truncate(row);
    return this.#scanByName(cursor, row, at);
  }

  /**
   * Reads a record that is laid out as expected. The cursor is after the record before.
   *
   * @param without How many bytes of the layout's start the text lacks.
   */
  #scanAlike(cursor: Cursor, layout: RecordLayout, row: number, without: number): boolean {
    const { view } = cursor;
    const { fields, absent } = layout;
    for (let at = 0; at < fields.length; at += 1) {
      const start = layout.pass(at, view, cursor.at, at === 0 ? without : 0);
      if (start < 0) return false;
      cursor.at = start;
      const { builder, name } = fields[at] as WrittenField;
      if (builder === undefined ? !this.#scanExtra(cursor, name, row) : !this.#scanInto(builder, cursor, row))
        return false;
    }
    const end = layout.pass(fields.length, view, cursor.at, 0);
    if (end < 0) return false;
    cursor.at = end;
    for (const builder of absent) if (!builder.put(row, undefined)) return false;
    return true;
  }

  /** Reads a record field by field and remembers its layout. The cursor is after the record before. */
  #scanByName(cursor: Cursor, row: number, open: number): boolean {
    const { bytes } = cursor;
    if (bytes[open] !== ASCII.openRecord) return false;
    const fields: WrittenField[] = [];
    const met = new Set<ColumnBuilder>();
    let from = cursor.at;
    let at = blankEnd(bytes, open + 1);
    while (bytes[at] !== ASCII.closeRecord || fields.length > 0) {
      const field = this.#openField(cursor, from, at);
      if (!field || (field.builder && met.has(field.builder))) return false;
      const { builder, name } = field;
      if (builder) met.add(builder);
      if (builder ? !this.#scanInto(builder, cursor, row) : !this.#scanExtra(cursor, name, row)) return false;
      fields.push(field);
      from = cursor.at;
      at = blankEnd(bytes, from);
      if (bytes[at] === ASCII.closeRecord) break;
      if (bytes[at] !== ASCII.comma) return false;
      at = blankEnd(bytes, at + 1);
    }
    cursor.at = at + 1;
    const absent = this.#store.builders.filter((builder) => !met.has(builder));
    if (fields.length > 0) this.#layout = new RecordLayout(fields, bytes.slice(from, at + 1), absent);
    return absent.every((builder) => builder.put(row, undefined));
  }

  /** Reads the name of a field and moves the cursor to its value. */
  #openField(cursor: Cursor, from: number, quote: number): WrittenField | undefined {
    const { bytes, view } = cursor;
    if (bytes[quote] !== ASCII.quote) return undefined;
    const close = quotedEnd(bytes, quote);
    const isPlain = asciiEnd(bytes, view, quote + 1) === close - 1;
    const name: unknown = isPlain ? cursor.ascii(quote + 1, close - 1) : JSON.parse(cursor.text(quote, close) ?? '');
    const colon = blankEnd(bytes, close);
    if (bytes[colon] !== ASCII.colon) return undefined;
    cursor.at = blankEnd(bytes, colon + 1);
    const written = bytes.slice(from, cursor.at);
    // In a layout every record begins with a comma, though in the text the first one has none.
    const before = written[0] === ASCII.openRecord ? Uint8Array.of(...COMMA, ...written) : written;
    const place = this.#store.places.get(String(name));
    return { builder: place === undefined ? undefined : this.#store.builders[place], name: String(name), before };
  }

  #scanExtra(cursor: Cursor, name: string, row: number): boolean {
    if (this.#store.strict || WHOLE_NUMBER.test(name)) return false;
    const value = readValue(cursor, this.#store.exact);
    return value !== undefined && this.#store.extra.put(row, name, value);
  }

  #scanInto(builder: ColumnBuilder, cursor: Cursor, row: number): boolean {
    return builder.scan(cursor, row) || this.#scanOddly(builder, cursor, row);
  }

  /** Reads a value without the plain form: one with escapes, an exponent or too many digits, or a wrong one. */
  #scanOddly(builder: ColumnBuilder, cursor: Cursor, row: number): boolean {
    const value = readValue(cursor, this.#store.exact);
    return value !== undefined && builder.put(row, value);
  }
}

function isEnd(bytes: Uint8Array, close: number): boolean {
  return blankEnd(bytes, close + 1) === bytes.length;
}

/**
 * A field of a record as it was written: the builder for its value, and all bytes between the value before and its own.
 */
interface WrittenField {
  /** Builder of the column; undefined if the field is not a column. */
  readonly builder: ColumnBuilder | undefined;
  readonly name: string;
  readonly before: Uint8Array;
}

/**
 * All bytes of a record except its values: order of fields, aliases, white space. The records of an answer are mostly
 * laid out alike, so reading the next one takes only a comparison of these bytes.
 */
class RecordLayout {
  readonly fields: readonly WrittenField[];
  /** Builders of columns that the record has no field for. */
  readonly absent: readonly ColumnBuilder[];
  readonly #view: DataView;
  readonly #starts: Int32Array;

  /** @param tail The bytes after the last value, up to the end of the record. */
  constructor(fields: readonly WrittenField[], tail: Uint8Array, absent: readonly ColumnBuilder[]) {
    this.fields = fields;
    this.absent = absent;
    const parts = [...fields.map(({ before }) => before), tail];
    this.#starts = new Int32Array(parts.length + 1);
    for (const [at, part] of parts.entries()) this.#starts[at + 1] = (this.#starts[at] as number) + part.length;
    const bytes = new Uint8Array(this.#starts[parts.length] as number);
    for (const [at, part] of parts.entries()) bytes.set(part, this.#starts[at]);
    this.#view = new DataView(bytes.buffer);
  }

  /**
   * The offset at which the value of a field begins or, after the last field, at which the record ends.
   *
   * @param at Offset after the value before.
   * @param without How many bytes of the layout's start the text lacks.
   * @returns -1 if the bytes differ from the layout.
   */
  pass(field: number, view: DataView, at: number, without: number): number {
    const start = (this.#starts[field] as number) + without;
    const length = (this.#starts[field + 1] as number) - start;
    const end = at + length;
    return end <= view.byteLength && sameBytes(view, at, this.#view, start, length) ? end : -1;
  }
}

/**
 * Decodes the JSON value at the cursor, of any kind, and moves the cursor past it. Numbers that a double cannot hold
 * become text: see {@link parseJson}.
 *
 * @param exact Whether every number of more than 15 digits becomes text.
 * @returns Undefined if the page is not UTF-8 or the value repeats a field.
 * @throws {SyntaxError} If the value is malformed.
 */
function readValue(cursor: Cursor, exact: boolean): unknown {
  const { bytes, at } = cursor;
  const end = valueEnd(bytes, at);
  const text = cursor.text(at, end);
  if (text === undefined) return undefined;
  const value: unknown = parseJson(text, exact);
  if (countFields(value) !== (typeof value === 'object' ? countWrittenFields(bytes, at, end) : 0)) return undefined;
  cursor.at = end;
  return value;
}
