import { itemAt } from '../../base/item-at.js';
import { rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { dateText } from '../vector/iso-time.js';
import { type Cell, isMissing, type MixedVector, type TextVector, type Vector } from '../vector/vector.js';
import { LONGEST_NUMBER, putAscii, putDouble, putExact } from './csv-number.js';
import { type CsvOptions, csvForm } from './csv-options.js';
import {
  BytePiece,
  passingWords,
  quoted,
  type TextField,
  textFields,
  type WordWriter,
  wordWriter,
} from './csv-words.js';

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

type BareColumn = Exclude<Vector, TextVector | MixedVector>;

/** A text column that is ready to be written. */
class TextColumn {
  readonly kind = 'text';
  readonly codes: Int32Array;
  readonly writer: WordWriter;

  constructor(codes: Int32Array, writer: WordWriter) {
    this.codes = codes;
    this.writer = writer;
  }
}

/** Encodes the rows of one frame as lines of CSV, in order. */
export class CsvEncoder {
  readonly #form: Required<CsvOptions>;
  readonly #fields: readonly (BareColumn | TextColumn)[];
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
    this.#fields = vectorsOf(frame).map((vector, at) =>
      fieldOf(itemAt(frame.columns, at), vector, text, form, this.#reserve),
    );
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
    const [fields, rows, size, reserve, nullText] = [
      this.#fields,
      this.#rows,
      piece.size,
      this.#reserve,
      this.#form.nullText,
    ];
    const delimiter = this.#form.delimiter.charCodeAt(0);
    const isQuoted = this.#form.quoting === 'all';
    let [at, row] = [0, this.#next];
    for (; row < rows && at < size; row += 1) {
      piece.reserve(at, reserve);
      for (let place = 0; place < fields.length; place += 1) {
        const field = fields[place];
        if (!field) continue;
        let end = at;
        if (isQuoted) end = putQuoted(field, piece, at, row);
        // V8 inlines only small functions into this loop: those of the two kinds that most columns have.
        else if (field.kind === 'number') end = putDouble(piece.view, at, field.values[row] as number);
        else if (field.kind === 'text') end = putWord(field, piece, at, row);
        else end = putField(field, piece, at, row);
        if (end === at && nullText !== '') end += piece.bytes.write(nullText, at);
        piece.view.setUint8(end, delimiter);
        at = end + 1;
      }
      if (fields.length === 0) at += 1;
      piece.view.setUint8(at - 1, LF);
    }
    this.#next = row;
    return at;
  }
}

/** Writes a value; nothing if it is missing. */
function putField(field: BareColumn | TextColumn, piece: BytePiece, at: number, row: number): number {
  switch (field.kind) {
    case 'number':
      return putDouble(piece.view, at, field.values[row] as number);
    case 'text':
      return putWord(field, piece, at, row);
    case 'micros':
      return putExact(piece.view, at, field.values[row] as bigint);
    default: {
      const value = field.values[row] as number;
      return value < 0 ? at : putAscii(piece.view, at, value === 1 ? 'true' : 'false');
    }
  }
}

function putWord({ codes, writer }: TextColumn, piece: BytePiece, at: number, row: number): number {
  const code = codes[row] as number;
  return code < 0 ? at : writer.put(piece, at, code);
}

/** Writes a value in quotes; texts already have them. */
function putQuoted(field: BareColumn | TextColumn, piece: BytePiece, at: number, row: number): number {
  if (field.kind === 'text') return putField(field, piece, at, row);
  const end = putField(field, piece, at + 1, row);
  if (end === at + 1) return at;
  piece.view.setUint8(at, QUOTE);
  piece.view.setUint8(end, QUOTE);
  return end + 1;
}

function fieldOf(
  name: string,
  vector: Vector,
  text: TextField,
  form: Required<CsvOptions>,
  reserve: number,
): BareColumn | TextColumn {
  if (vector.kind === 'text') return new TextColumn(vector.codes, wordWriter(vector, text, reserve));
  if (vector.kind !== 'mixed') return vector;
  const { cells } = vector;
  return new TextColumn(
    Int32Array.from<Cell>(cells, (cell, row) => (isMissing(cell) ? -1 : row)),
    passingWords((row) => cellField(cells[row], text, form, (date) => dateText(date, name, row)), reserve),
  );
}

function cellField(
  cell: Cell,
  text: TextField,
  { quoting }: Required<CsvOptions>,
  isoOf: (date: Date) => string,
): string {
  if (typeof cell === 'string') return text.write(cell);
  if (cell instanceof Date) return quoting === 'minimal' ? isoOf(cell) : quoted(isoOf(cell));
  const plain = Object.is(cell, -0) ? '-0' : String(cell);
  return quoting === 'all' ? quoted(plain) : plain;
}
