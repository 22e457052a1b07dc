import { type CsvFields, isQuoted, textOfField } from './csv-scanner.js';

const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57];
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
  readonly rows: number;

  /**
   * @param place Index of the column.
   * @param header Number of header lines.
   * @param nullText Text of a missing value, besides an empty field.
   */
  constructor(fields: CsvFields, place: number, { header, nullText, allQuoted }: CellOptions) {
    this.#fields = fields;
    this.#first = place + header * fields.width;
    this.#nullText = nullText;
    this.#allQuoted = allQuoted;
    this.rows = fields.rows - header;
  }

  /** The text of a row; undefined if it is missing. */
  text(row: number): string | undefined {
    const field = this.#fieldAt(row);
    const text = textOfField(this.#fields, field);
    return (text === '' || text === this.#nullText) && !isQuoted(this.#fields, field) ? undefined : text;
  }

  /** Whether quotes mark a row as text, whatever it holds. */
  isText(row: number): boolean {
    return !this.#allQuoted && isQuoted(this.#fields, this.#fieldAt(row));
  }

  /** Whether the field of a row is empty. */
  isEmpty(row: number): boolean {
    const field = this.#fieldAt(row);
    return this.#fields.starts[field] === this.#fields.ends[field];
  }

  /** Offset of a row's field in the file. */
  placeOf(row: number): number {
    return this.#fields.starts[this.#fieldAt(row)] ?? 0;
  }

  /** The number in a row if it is a plain decimal of up to 15 digits; otherwise undefined. */
  shortDecimal(row: number): number | undefined {
    const { bytes, starts, ends } = this.#fields;
    const field = this.#fieldAt(row);
    const [start, end] = [starts[field] ?? 0, ends[field] ?? 0];
    const first = bytes[start] === MINUS ? start + 1 : start;
    let [digits, point] = [0, -1];
    for (let at = first; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) digits = digits * 10 + (byte - ZERO);
      else if (byte === POINT && point < 0 && at > first) point = at;
      else return undefined;
    }
    const places = point < 0 ? 0 : end - point - 1;
    const count = end - first - (point < 0 ? 0 : 1);
    if (count === 0 || count > MAX_DIGITS || (point >= 0 && places === 0)) return undefined;
    if (bytes[first] === ZERO && count - places > 1) return undefined;
    const size = places === 0 ? digits : digits / (POWERS[places] ?? 1);
    return first > start ? -size : size;
  }

  #fieldAt(row: number): number {
    return this.#first + row * this.#fields.width;
  }
}

/** Properties of the file that a column is part of. */
export interface CellOptions {
  header: 0 | 1;
  nullText: string;
  allQuoted: boolean;
}
