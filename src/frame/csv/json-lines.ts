import { decimalOf } from '../../base/decimal.js';
import { knownOptions } from '../../base/nearest.js';
import { writeWhole } from '../../base/whole-file.js';
import { rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { cellAt, missingAt, type Vector } from '../vector/vector.js';
import { writtenPath } from './file-forms.js';
import type { WriteOptions, WrittenFile } from './named-file.js';

/**
 * Writes a frame as a file of JSON lines (NDJSON): one object for each row, with null for missing values and decimal
 * text for exact amounts. Infinity and -Infinity, which JSON cannot express, also become null; CSV, Parquet and Arrow
 * keep them. Half a surrogate pair, which UTF-8 cannot represent, becomes U+FFFD. The file appears complete or not at
 * all: an older file of that name remains until the new one is complete.
 *
 * @param path The file; its folder has to exist. If it ends in `.gz` the file is compressed, unless `gzip` says
 * otherwise.
 * @throws {DataError} If the file cannot be written there; then nothing is left behind.
 * @throws {UsageError} If an option is unknown, or the name's ending is that of another form.
 * @example await writeJsonLines(pnl, 'out/pnl.ndjson.gz');
 */
export async function writeJsonLines(frame: Tabular, path: string, options: WriteOptions = {}): Promise<WrittenFile> {
  knownOptions('writeJsonLines', options, ['gzip', 'onProgress']);
  const target = writtenPath(path, 'ndjson');
  const { gzip = /\.gz$/i.test(target), onProgress } = options;
  const total = rowCount(frame);
  let rows = 0;
  function* told(): Generator<Uint8Array> {
    for (const piece of jsonLinePieces(frame)) {
      yield piece;
      rows += piece.filter((byte) => byte === LF).length;
      onProgress?.({ rows, total });
    }
  }
  const bytes = await writeWhole(target, onProgress ? told() : jsonLinePieces(frame), { gzip });
  return { path: target, rows: total, bytes };
}

/**
 * A frame as JSON lines (NDJSON) in UTF-8, in pieces of whole lines: one object for each row, with its keys in the
 * order of the columns. Missing values and infinite numbers are null; numbers are the shortest text that reads back to
 * the same double; exact amounts are decimal text in quotes. Without rows there are no pieces.
 *
 * @example for (const piece of jsonLinePieces(frame)) process.stdout.write(piece);
 */
export function* jsonLinePieces(frame: Tabular): Generator<Uint8Array> {
  yield* jsonPieces(frame, '\n');
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
      held = piece;
    }
  }
  // No comma follows the last object.
  yield Buffer.concat([held ? held.subarray(0, -2) : Buffer.from('['), Buffer.from(']\n')]);
}

const LF = 10;
/** Characters of a piece. */
const PIECE_SIZE = 1 << 16;

/**
 * The rows of a frame as JSON objects in UTF-8, in pieces of whole rows. Keys are in the order of the columns; see
 * {@link jsonLinePieces} for the values.
 *
 * @param end Text after each object.
 */
export function* jsonPieces(frame: Tabular, end: string): Generator<Buffer> {
  const keys = frame.columns.map((name) => `${jsonText(name)}:`);
  const vectors = vectorsOf(frame);
  const rows = rowCount(frame);
  let text = '';
  for (let row = 0; row < rows; row += 1) {
    text += `{${vectors.map((vector, at) => keys[at] + jsonOf(vector, row)).join(',')}}${end}`;
    if (text.length < PIECE_SIZE && row + 1 < rows) continue;
    yield Buffer.from(text);
    text = '';
  }
}

/** A value as JSON. Bigints become text, since most readers would round them. */
function jsonOf(vector: Vector, row: number): string {
  if (missingAt(vector, row)) return 'null';
  if (vector.kind === 'micros') return `"${decimalOf(vector.values[row] as bigint)}"`;
  const cell = cellAt(vector, row);
  if (Object.is(cell, -0)) return '-0';
  if (typeof cell === 'string') return jsonText(cell);
  return JSON.stringify(typeof cell === 'bigint' ? String(cell) : cell);
}

/** A text as JSON. A lone surrogate, for which most readers would refuse the whole text, becomes U+FFFD. */
function jsonText(text: string): string {
  const json = JSON.stringify(text);
  return json.includes('\\ud') ? JSON.stringify(Buffer.from(text).toString()) : json;
}
