import { itemAt } from '../../base/item-at.js';
import { refuseLocalDays } from '../../base/local-midnight.js';
import { columnsOf } from '../tabular/columns-of.js';
import { rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { dateText, toIsoTime } from '../vector/iso-time.js';
import { type Cell, isMissing, type MixedVector, type TextVector, type Vector } from '../vector/vector.js';
import { LONGEST_NUMBER, putAscii, putDouble, putExact } from './csv-number.js';
import { type CsvOptions, csvForm } from './csv-options.js';
import { BytePiece, type FieldWriter, fieldWriter, quoted, textFields, wordWriter } from './csv-words.js';

const PIECE_BYTES = 1 << 16;

/**
 * A frame as CSV text by RFC 4180, but with LF line ends. Fields with commas, quotes or line breaks are quoted, and so
 * is text that would read as a number or as true or false. NaN and null are empty, an empty string is `""`, dates are
 * ISO 8601, numbers the shortest text that reads back to the same double, and exact amounts their decimal text. A frame
 * without rows gives its header.
 *
 * One thing does not come back: half a surrogate pair, which UTF-8 cannot represent, is written as U+FFFD.
 *
 * @throws {UsageError} If an option is unknown or has a value that it cannot have.
 * @throws {ColumnError} If a column holds an invalid date.
 * @example toCsv(new DataFrame({ question: ['Yes, or no?'], volume: [1200.5] })); // 'question,volume\n"Yes, or no?",1200.5\n'
 */
export function toCsv(frame: Tabular, options: CsvOptions = {}): string {
  return Array.from(csvPieces(frame, options), (piece) => Buffer.from(piece.buffer).toString()).join('');
}

/** The text of {@link toCsv} in UTF-8, in pieces of whole lines, for writing large frames. */
export function* csvPieces(frame: Tabular, options: CsvOptions = {}): Generator<Uint8Array> {
  const encoder = new CsvEncoder(frame, csvForm(options));
  const head = encoder.head();
  if (head.length > 0) yield new Uint8Array(head);
  const piece = new BytePiece(PIECE_BYTES);
  for (let bytes = encoder.next(piece); bytes; bytes = encoder.next(piece)) yield new Uint8Array(bytes);
}

const [LF, QUOTE] = [10, 34];

/** A column that is ready to be written. */
type CsvColumn =
  | Exclude<Vector, TextVector | MixedVector>
  | { readonly kind: 'text'; readonly codes: Int32Array; readonly put: FieldWriter };

/** Encodes the rows of one frame as lines of CSV, in order. */
export class CsvEncoder {
  readonly #form: Required<CsvOptions>;
  readonly #columns: readonly CsvColumn[];
  readonly #names: readonly string[];
  readonly #rows: number;
  /** The most bytes that the fields of a row need, not counting texts. */
  readonly #reserve: number;
  #next = 0;

  constructor(frame: Tabular, form: Required<CsvOptions>) {
    const { text, name } = textFields(form);
    this.#form = form;
    this.#rows = rowCount(frame);
    this.#names = frame.columns.map(name);
    this.#reserve = (frame.columns.length + 1) * (LONGEST_NUMBER + 3 * form.nullText.length + 4);
    const isTime = form.dates === 'day' ? columnsOf(frame).map(({ dtype }) => dtype === 'datetime') : [];
    this.#columns = vectorsOf(frame).map((vector, at) => {
      if (vector.kind === 'text') {
        const field = isTime[at] ? (word: string) => text(dayOf(word)) : text;
        return { kind: 'text', codes: vector.codes, put: wordWriter(vector, field, this.#reserve) };
      }
      if (vector.kind === 'mixed' && isTime[at])
        refuseLocalDays(`the column "${itemAt(frame.columns, at)}"`, vector.cells, false);
      return vector.kind === 'mixed' ? this.#mixedColumn(itemAt(frame.columns, at), vector, text) : vector;
    });
  }

  /** Rows encoded so far. */
  get rows(): number {
    return this.#next;
  }

  /** The beginning of a file: the byte order mark and the header, if the options ask for them. */
  head(): Buffer {
    const { bom, header, delimiter } = this.#form;
    return Buffer.from(`${bom ? '\ufeff' : ''}${header ? `${this.#names.join(delimiter)}\n` : ''}`);
  }

  /**
   * Encodes the next rows into a piece, up to its size, over its old content.
   *
   * @returns The bytes, which are those of the piece; undefined if no row is left.
   */
  next(piece: BytePiece): Uint8Array | undefined {
    if (this.#next >= this.#rows) return undefined;
    // `piece.bytes` must be read afterwards, since the piece may have grown.
    const end = this.#putRows(piece);
    return piece.bytes.subarray(0, end);
  }

  #putRows(piece: BytePiece): number {
    const { delimiter, quoting, nullText } = this.#form;
    const separator = delimiter.charCodeAt(0);
    const hasComma = this.#form.decimal === ',';
    const put = quoting === 'all' ? putQuoted : putField;
    let at = 0;
    for (; this.#next < this.#rows && at < piece.size; this.#next += 1) {
      piece.reserve(at, this.#reserve);
      for (const column of this.#columns) {
        let end = put(column, piece, at, this.#next);
        if (hasComma && (column.kind === 'number' || column.kind === 'micros')) commaForPoint(piece.bytes, at, end);
        if (end === at && nullText !== '') end += piece.bytes.write(nullText, at);
        piece.view.setUint8(end, separator);
        at = end + 1;
      }
      if (this.#columns.length === 0) at += 1;
      piece.view.setUint8(at - 1, LF);
    }
    return at;
  }

  #mixedColumn(name: string, { cells }: MixedVector, text: (text: string) => string): CsvColumn {
    const fieldOf = (cell: Cell, row: number): string => {
      if (typeof cell === 'string') return text(cell);
      const { quoting, decimal, dates } = this.#form;
      const whole = cell instanceof Date ? dateText(cell, name, row) : Object.is(cell, -0) ? '-0' : String(cell);
      const plain = cell instanceof Date ? (dates === 'day' ? dayOf(whole) : whole) : whole.replace('.', decimal);
      return quoting === 'all' || (quoting === 'text' && cell instanceof Date) ? quoted(plain) : plain;
    };
    return {
      kind: 'text',
      codes: Int32Array.from<Cell>(cells, (cell, row) => (isMissing(cell) ? -1 : row)),
      put: fieldWriter((row) => fieldOf(cells[row], row), this.#reserve),
    };
  }
}

/** The day of a time in UTC; another text, as in a column of text, as it is. */
function dayOf(text: string): string {
  const time = toIsoTime(text);
  return time === undefined ? text : time.slice(0, 10);
}

const [COMMA, POINT] = [44, 46];

/** Puts a comma before the decimals of the number that was just written. */
function commaForPoint(bytes: Buffer, from: number, end: number): void {
  for (let at = from; at < end; at += 1) {
    if (bytes[at] !== POINT) continue;
    bytes[at] = COMMA;
    return;
  }
}

/** Writes a value; nothing if it is missing. */
function putField(column: CsvColumn, piece: BytePiece, at: number, row: number): number {
  switch (column.kind) {
    case 'number':
      return putDouble(piece.view, at, column.values[row] as number);
    case 'text': {
      const code = column.codes[row] as number;
      return code < 0 ? at : column.put(piece, at, code);
    }
    case 'micros':
      return putExact(piece.view, at, column.values[row] as bigint);
    default: {
      const value = column.values[row] as number;
      return value < 0 ? at : putAscii(piece.view, at, value === 1 ? 'true' : 'false');
    }
  }
}

/** Writes a value in quotes; texts already have them. */
function putQuoted(column: CsvColumn, piece: BytePiece, at: number, row: number): number {
  if (column.kind === 'text') return putField(column, piece, at, row);
  const end = putField(column, piece, at + 1, row);
  if (end === at + 1) return at;
  piece.view.setUint8(at, QUOTE);
  piece.view.setUint8(end, QUOTE);
  return end + 1;
}
