import type { Cell, Tabular } from '../tabular.js';
import { isMissing } from '../vector/is-missing.js';
import type { MixedVector, TextVector, Vector } from '../vector/vector.js';
import { vectorsOf } from '../vector/vectors-of.js';
import type { BytePiece } from './byte-piece.js';
import { quoted, type TextField, textFields } from './csv-field.js';
import { LONGEST_NUMBER, putAscii, putDouble, putExact } from './csv-number.js';
import { type CsvOptions, csvForm } from './csv-options.js';
import { passingWords, type WordWriter, wordWriter } from './csv-words.js';

const [LF, QUOTE] = [10, 34];

type BareColumn = Exclude<Vector, TextVector | MixedVector>;

/** A column of text that is ready to be written. */
class TextColumn {
  /** The engine drops the code that it compiled for a kind of object with the last one; so each kind keeps one. */
  static readonly kept = new TextColumn(new Int32Array(0), passingWords(String, 0));
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
  /** See {@link TextColumn}. */
  static readonly kept = new CsvEncoder({ columns: [], shape: [0, 0], getColumnData: [] }, csvForm({}));
  readonly #form: Required<CsvOptions>;
  readonly #fields: readonly (BareColumn | TextColumn)[];
  readonly #names: readonly string[];
  readonly #rows: number;
  /** Bytes that the fields of a row need at most, texts not counted. */
  readonly #reserve: number;
  #next = 0;

  constructor(frame: Tabular, form: Required<CsvOptions>) {
    const { text, name } = textFields(form);
    this.#form = form;
    this.#rows = frame.shape[0] ?? 0;
    this.#names = frame.columns.map(name);
    this.#reserve = (frame.columns.length + 1) * (LONGEST_NUMBER + 3 * form.nullText.length + 4);
    this.#fields = vectorsOf(frame).map((vector) => fieldOf(vector, text, form, this.#reserve));
  }

  /** Rows encoded so far. */
  get rows(): number {
    return this.#next;
  }

  /** What a file begins with: the byte order mark and the line of names, where they are wanted. */
  head(): Buffer {
    const { bom, header, delimiter } = this.#form;
    return Buffer.from(`${bom ? '\ufeff' : ''}${header ? `${this.#names.join(delimiter)}\n` : ''}`);
  }

  /**
   * Encodes further rows over what a piece held, up to its size.
   *
   * @returns The bytes, which are those of the piece; undefined where no row is left.
   */
  next(piece: BytePiece): Uint8Array | undefined {
    if (this.#next >= this.#rows) return undefined;
    return piece.bytes.subarray(0, this.#putRows(piece));
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
    const put = this.#form.quoting === 'all' ? putQuoted : putBare;
    let [at, row] = [0, this.#next];
    for (; row < rows && at < size; row += 1) {
      piece.reserve(at, reserve);
      for (const field of fields) {
        let end = field.kind === 'text' ? putText(field, piece, at, row) : put(field, piece.bytes, at, row);
        if (end === at && nullText !== '') end += piece.bytes.write(nullText, at);
        piece.bytes[end] = delimiter;
        at = end + 1;
      }
      if (fields.length === 0) at += 1;
      piece.bytes[at - 1] = LF;
    }
    this.#next = row;
    return at;
  }
}

function putText({ codes, writer }: TextColumn, piece: BytePiece, at: number, row: number): number {
  const code = codes[row] ?? -1;
  return code < 0 ? at : writer.put(piece, at, code);
}

/** Writes a value that is no text; nothing where it is missing. */
function putBare(field: BareColumn, bytes: Uint8Array, at: number, row: number): number {
  switch (field.kind) {
    case 'number':
      return putDouble(bytes, at, field.values[row] ?? Number.NaN);
    case 'micros':
      return putExact(bytes, at, field.values[row] ?? 0n);
    default: {
      const value = field.values[row] ?? -1;
      return value < 0 ? at : putAscii(bytes, at, value === 1 ? 'true' : 'false');
    }
  }
}

function putQuoted(field: BareColumn, bytes: Uint8Array, at: number, row: number): number {
  const end = putBare(field, bytes, at + 1, row);
  if (end === at + 1) return at;
  bytes[at] = QUOTE;
  bytes[end] = QUOTE;
  return end + 1;
}

function fieldOf(
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
    passingWords((row) => cellField(cells[row], text, form), reserve),
  );
}

function cellField(cell: Cell, text: TextField, { quoting }: Required<CsvOptions>): string {
  if (typeof cell === 'string') return text.write(cell);
  if (cell instanceof Date) return quoting === 'minimal' ? cell.toISOString() : quoted(cell.toISOString());
  return quoting === 'all' ? quoted(String(cell)) : String(cell);
}
