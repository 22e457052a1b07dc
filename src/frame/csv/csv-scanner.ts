import { type CsvMarks, plainNumeral } from './csv-options.js';
import { withoutGuard, withoutTab } from './csv-words.js';

const [QUOTE, LF, CR] = [34, 10, 13];

/** The fields of a CSV file as offsets in its bytes: row by row, all rows of the same width. */
export interface CsvFields {
  readonly bytes: Buffer;
  /** Number of fields in a row. */
  readonly width: number;
  readonly rows: number;
  /** Offset of each field, after its opening quote if it has one. */
  readonly starts: Uint32Array;
  /** Offset after the last byte of each field. */
  readonly ends: Uint32Array;
}

/** Refuses the file because of its content at an offset. */
export type Refuse = (at: number, what: string) => never;

/**
 * Finds the fields of a CSV file by RFC 4180, with LF or CRLF line ends. An empty line is a missing value if the file
 * has one column, and is skipped otherwise.
 *
 * @param from Offset of the first line.
 * @param refuse Called for a row whose width differs from the first, a quote that is never closed, text after a closing
 * quote, or a carriage return that ends no line.
 */
export function scanCsv(bytes: Buffer, from: number, delimiter: number, refuse: Refuse): CsvFields {
  const places = new Places(Math.max(64, bytes.length >> 3));
  let [at, width, rows] = [from, 0, 0];
  while (at < bytes.length) {
    const [line, first] = [at, places.count];
    at = scanLine(bytes, at, delimiter, places, refuse) + 1;
    const fields = places.count - first;
    if (rows === 0) width = fields;
    if (fields === width) rows += 1;
    else if (fields === 1 && at - line <= 2 && places.isEmpty(first)) places.count = first;
    else refuse(line, `has ${fields} field${fields === 1 ? '' : 's'} where the first line has ${width}`);
  }
  return { bytes, width, rows, starts: places.starts, ends: places.ends };
}

/** Reads the fields of one line and returns the offset of its end. */
function scanLine(bytes: Buffer, from: number, delimiter: number, places: Places, refuse: Refuse): number {
  for (let at = from; ; at += 1) {
    at = bytes[at] === QUOTE ? scanQuoted(bytes, at, places, refuse) : scanBare(bytes, at, delimiter, places, refuse);
    if (at >= bytes.length || bytes[at] === LF) return at;
    if (bytes[at] !== delimiter)
      refuse(at, 'has text behind a closing quote; a quote within a field has to be doubled');
  }
}

function scanBare(bytes: Buffer, from: number, delimiter: number, places: Places, refuse: Refuse): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === delimiter || byte === LF || byte === CR) break;
  }
  places.add(from, at);
  return bytes[at] === CR ? lineEnd(bytes, at, refuse) : at;
}

function scanQuoted(bytes: Buffer, from: number, places: Places, refuse: Refuse): number {
  for (let end = bytes.indexOf(QUOTE, from + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 2)) {
    if (bytes[end + 1] === QUOTE) continue;
    places.add(from + 1, end);
    return bytes[end + 1] === CR ? lineEnd(bytes, end + 1, refuse) : end + 1;
  }
  return refuse(from, 'opens a quote that is never closed');
}

/** The offset of the line feed, or the end of the file, after a carriage return. */
function lineEnd(bytes: Buffer, at: number, refuse: Refuse): number {
  if (at + 1 < bytes.length && bytes[at + 1] !== LF) {
    refuse(at, 'has a carriage return (CR) alone outside quotes; line ends must be LF or CRLF');
  }
  return at + 1;
}

/** A growing list of pairs of offsets. */
class Places {
  starts: Uint32Array;
  ends: Uint32Array;
  count = 0;

  constructor(size: number) {
    this.starts = new Uint32Array(size);
    this.ends = new Uint32Array(size);
  }

  add(start: number, end: number): void {
    if (this.count === this.starts.length) {
      this.starts = grown(this.starts);
      this.ends = grown(this.ends);
    }
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count += 1;
  }

  isEmpty(place: number): boolean {
    return this.starts[place] === this.ends[place];
  }
}

function grown(values: Uint32Array): Uint32Array {
  const larger = new Uint32Array(2 * values.length);
  larger.set(values);
  return larger;
}

/** Whether a field is in quotes. */
export function isQuoted({ bytes, starts }: CsvFields, field: number): boolean {
  const start = starts[field] as number;
  return start > 0 && bytes[start - 1] === QUOTE;
}

/** The text of a field, without its quotes. */
export function textOfField(fields: CsvFields, field: number): string {
  const text = fields.bytes.toString('utf8', fields.starts[field], fields.ends[field]);
  return text.includes('""') && isQuoted(fields, field) ? text.replaceAll('""', '"') : text;
}

const [TAB, APOSTROPHE, MINUS, ZERO, NINE] = [9, 39, 45, 48, 57];
/** A quotient of two integers is correctly rounded as long as doubles hold both exactly. */
const MAX_DIGITS = 15;
const POWERS = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, power) => 10 ** power);

/** One column of a CSV file: its fields below the header. */
export class CsvCells {
  readonly #fields: CsvFields;
  readonly #first: number;
  readonly #nullText: string;
  /** Whether the file quotes every field, so that quotes do not mark text. */
  readonly #allQuoted: boolean;
  readonly #marks: CsvMarks;
  /** The mark before the decimals of a number, as a byte. */
  readonly #point: number;
  readonly #delimiter: number;
  /** Whether a tab before text that reads as a number is the writer's. */
  readonly #hasTabs: boolean;
  /** Whether a `'` before a formula is the writer's. */
  readonly #hasGuards: boolean;
  readonly rows: number;

  /**
   * @param place Index of the column.
   * @param header Number of header lines.
   * @param nullText Text of a missing value, besides an empty field.
   */
  constructor(fields: CsvFields, place: number, options: CellOptions) {
    const { header, nullText, allQuoted, decimal, thousands, delimiter, ids, formulas } = options;
    this.#fields = fields;
    this.#first = place + header * fields.width;
    this.#nullText = nullText;
    this.#allQuoted = allQuoted;
    this.#marks = { decimal, thousands };
    this.#point = decimal.charCodeAt(0);
    this.#delimiter = delimiter.charCodeAt(0);
    this.#hasTabs = ids === 'text';
    this.#hasGuards = formulas === 'guard';
    this.rows = fields.rows - header;
  }

  /** The text of a row; undefined if it is missing. */
  text(row: number): string | undefined {
    const field = this.#fieldAt(row);
    const text = textOfField(this.#fields, field);
    if ((text === '' || text === this.#nullText) && !isQuoted(this.#fields, field)) return undefined;
    const own = this.#hasGuards ? withoutGuard(text) : text;
    return this.#hasTabs && own === text ? withoutTab(text) : own;
  }

  /** The text of a row as {@link plainNumeral} gives it; undefined if it is missing. */
  numeral(row: number): string | undefined {
    const text = this.text(row);
    return text === undefined ? undefined : plainNumeral(text, this.#marks);
  }

  /** A number as the file would write it, in an error: 12.5 or 12,5. */
  get example(): string {
    return `12${String.fromCharCode(this.#point)}5`;
  }

  /** Whether quotes that the field would not need, or the writer's tab or `'`, mark a row as text, whatever it holds. */
  isText(row: number): boolean {
    const field = this.#fieldAt(row);
    const { bytes, starts, ends } = this.#fields;
    const [start, end] = [starts[field] as number, ends[field] as number];
    if (!this.#allQuoted && isQuoted(this.#fields, field)) {
      return !bytes.subarray(start, end).includes(this.#delimiter);
    }
    const first = start < end ? bytes[start] : undefined;
    return (this.#hasTabs && first === TAB) || (this.#hasGuards && first === APOSTROPHE);
  }

  /** Whether a row's field is in quotes. */
  isQuoted(row: number): boolean {
    return isQuoted(this.#fields, this.#fieldAt(row));
  }

  /** Offset of a row's field in the file. */
  placeOf(row: number): number {
    return this.#fields.starts[this.#fieldAt(row)] as number;
  }

  /** The number in a row if it is a plain decimal of up to 15 digits; otherwise undefined. */
  shortDecimal(row: number): number | undefined {
    const mark = this.#point;
    const { bytes, starts, ends } = this.#fields;
    const field = this.#fieldAt(row);
    const [start, end] = [starts[field] as number, ends[field] as number];
    const first = bytes[start] === MINUS ? start + 1 : start;
    let [digits, point] = [0, -1];
    for (let at = first; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte >= ZERO && byte <= NINE) digits = digits * 10 + (byte - ZERO);
      else if (byte === mark && point < 0 && at > first) point = at;
      else return undefined;
    }
    const places = point < 0 ? 0 : end - point - 1;
    const count = end - first - (point < 0 ? 0 : 1);
    if (count === 0 || count > MAX_DIGITS || (point >= 0 && places === 0)) return undefined;
    if (bytes[first] === ZERO && count - places > 1) return undefined;
    const size = places === 0 ? digits : digits / (POWERS[places] as number);
    return first > start ? -size : size;
  }

  #fieldAt(row: number): number {
    return this.#first + row * this.#fields.width;
  }
}

/** Properties of the file that a column is part of. */
interface CellOptions extends CsvMarks {
  header: 0 | 1;
  nullText: string;
  allQuoted: boolean;
  /** The character between two fields. */
  delimiter: string;
  /** `text` where a tab may stand before text that reads as a number. */
  ids: 'plain' | 'text';
  /** `guard` where a `'` may stand before text that a spreadsheet treats as a formula. */
  formulas: 'keep' | 'guard';
}
