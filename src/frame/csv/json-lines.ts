import { knownOptions } from '../../base/nearest.js';
import { writeWhole } from '../../base/whole-file.js';
import { rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { type Cell, isMissing, lengthOf, type MixedVector, type TextVector, type Vector } from '../vector/vector.js';
import { LONGEST_NUMBER, putAscii, putDouble, putExact } from './csv-number.js';
import { BytePiece, passingWords, type WordWriter, wordWriter } from './csv-words.js';
import { fullPath, type WriteOptions, type WrittenFile } from './named-file.js';

/**
 * Writes a frame as a file of JSON lines (NDJSON): one object for each row, with null for missing values and decimal
 * text for exact amounts. Infinity and -Infinity, which JSON cannot express, also become null; CSV, Parquet and Arrow
 * keep them. Half a surrogate pair, which UTF-8 cannot represent, becomes U+FFFD. The file appears complete or not at
 * all: an older file of that name remains until the new one is complete.
 *
 * @param path The file; its folder has to exist. If it ends in `.gz` the file is compressed, unless `gzip` says
 * otherwise.
 * @throws {DataError} If the file cannot be written there; then nothing is left behind.
 * @throws {UsageError} If an option is unknown.
 * @example await writeJsonLines(pnl, 'out/pnl.ndjson.gz');
 */
export async function writeJsonLines(frame: Tabular, path: string, options: WriteOptions = {}): Promise<WrittenFile> {
  knownOptions('writeJsonLines', options, ['gzip', 'onProgress']);
  const { gzip = /\.gz$/i.test(path), onProgress } = options;
  const target = fullPath(path);
  const total = rowCount(frame);
  let rows = 0;
  function* told(): Generator<Uint8Array> {
    for (const piece of jsonLinePieces(frame)) {
      yield piece;
      rows += linesIn(piece);
      onProgress?.({ rows, total });
    }
  }
  const bytes = await writeWhole(target, onProgress ? told() : jsonLinePieces(frame), { gzip });
  return { path: target, rows: total, bytes };
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/**
 * A frame as JSON lines (NDJSON) in UTF-8, in pieces of whole lines: one object for each row, with its keys in the
 * order of the columns. Missing values and infinite numbers are null; numbers are the shortest text that reads back to
 * the same double; exact amounts are decimal text in quotes. Without rows there are no pieces.
 *
 * @example for (const piece of jsonLinePieces(frame)) process.stdout.write(piece);
 */
export function* jsonLinePieces(frame: Tabular): Generator<Uint8Array> {
  for (const piece of jsonPieces(frame, '\n')) yield new Uint8Array(piece);
}

/**
 * Frames, one after another, as one JSON array in UTF-8, in pieces: the objects of {@link jsonLinePieces}, one on each
 * line. Without rows it is `[]`.
 */
export async function* jsonArrayPieces(frames: Iterable<Tabular> | AsyncIterable<Tabular>): AsyncGenerator<Uint8Array> {
  let held: Buffer | undefined;
  for await (const frame of frames) {
    for (const piece of jsonPieces(frame, ',\n')) {
      yield held ?? Buffer.from('[');
      held = Buffer.from(piece);
    }
  }
  // No comma follows the last object.
  yield Buffer.concat([held ? held.subarray(0, -2) : Buffer.from('['), Buffer.from(']\n')]);
}

const PIECE_BYTES = 1 << 16;
const QUOTE = 34;
const JSON_TEXT = { write: jsonText, special: '' };

/**
 * The rows of a frame as JSON objects in UTF-8, in pieces of whole rows. A piece is valid until the next one is asked
 * for. Keys are in the order of the columns; see {@link jsonLinePieces} for the values.
 *
 * @param end Text after each object.
 */
export function* jsonPieces(frame: Tabular, end: string): Generator<Uint8Array> {
  const names = frame.columns.map((name, at) => Buffer.from(`${at === 0 ? '{' : ','}${jsonText(name)}:`));
  const behind = Buffer.from(`${names.length === 0 ? '{}' : '}'}${end}`);
  const reserve = names.reduce((sum, { length }) => sum + length + LONGEST_NUMBER + 6, behind.length);
  const columns = vectorsOf(frame).map((vector) => columnOf(vector, reserve));
  const rows = rowCount(frame);
  const piece = new BytePiece(PIECE_BYTES);
  for (let row = 0; row < rows; ) {
    let at = 0;
    for (; row < rows && at < PIECE_BYTES; row += 1) {
      piece.reserve(at, reserve);
      for (let place = 0; place < columns.length; place += 1) {
        at = putBytes(piece.bytes, at, names[place]);
        at = putValue(columns[place], piece, at, row);
      }
      at = putBytes(piece.bytes, at, behind);
    }
    yield piece.bytes.subarray(0, at);
  }
}

type JsonColumn =
  | Exclude<Vector, TextVector | MixedVector>
  | { readonly kind: 'text'; readonly codes: Int32Array; readonly writer: WordWriter };

function columnOf(vector: Vector, reserve: number): JsonColumn {
  if (vector.kind === 'text') {
    return { kind: 'text', codes: vector.codes, writer: wordWriter(vector, JSON_TEXT, reserve) };
  }
  if (vector.kind !== 'mixed') return vector;
  const codes = Int32Array.from({ length: lengthOf(vector) }, (_, row) => (isMissing(vector.cells[row]) ? -1 : row));
  return { kind: 'text', codes, writer: passingWords((row) => jsonOf(vector.cells[row]), reserve) };
}

/** A cell as JSON. Bigints become text, since most readers would round them. */
function jsonOf(cell: Cell): string {
  if (Object.is(cell, -0)) return '-0';
  if (typeof cell === 'string') return jsonText(cell);
  return JSON.stringify(typeof cell === 'bigint' ? String(cell) : cell);
}

/** A text as JSON. A lone surrogate, for which most readers would refuse the whole text, becomes U+FFFD. */
function jsonText(text: string): string {
  const json = JSON.stringify(text);
  return json.includes('\\ud') ? JSON.stringify(Buffer.from(text).toString()) : json;
}

function putValue(column: JsonColumn | undefined, piece: BytePiece, at: number, row: number): number {
  const end = putPresent(column, piece, at, row);
  return end === at ? putAscii(piece.view, at, 'null') : end;
}

/** Writes a value; nothing if it is missing or infinite, which JSON cannot express. */
function putPresent(column: JsonColumn | undefined, piece: BytePiece, at: number, row: number): number {
  switch (column?.kind) {
    case 'number': {
      const value = column.values[row] as number;
      return Number.isFinite(value) ? putDouble(piece.view, at, value) : at;
    }
    case 'text': {
      const code = column.codes[row] as number;
      return code < 0 ? at : column.writer.put(piece, at, code);
    }
    case 'micros':
      return putQuotedExact(piece.view, at, column.values[row] as bigint);
    case 'boolean': {
      const value = column.values[row] as number;
      return value < 0 ? at : putAscii(piece.view, at, value === 1 ? 'true' : 'false');
    }
    default:
      return at;
  }
}

function putQuotedExact(target: DataView, at: number, value: bigint): number {
  const end = putExact(target, at + 1, value);
  if (end === at + 1) return at;
  target.setUint8(at, QUOTE);
  target.setUint8(end, QUOTE);
  return end + 1;
}

function putBytes(target: Uint8Array, at: number, bytes: Uint8Array | undefined): number {
  if (!bytes) return at;
  for (let place = 0; place < bytes.length; place += 1) target[at + place] = bytes[place] as number;
  return at + bytes.length;
}
