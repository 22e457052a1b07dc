import type { Tabular } from '../tabular.js';
import { BytePiece } from './byte-piece.js';
import { CsvEncoder } from './csv-encoder.js';
import { type CsvOptions, csvForm } from './csv-options.js';

export type { CsvOptions } from './csv-options.js';

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
