import { knownOptions } from '../../base/nearest.js';
import { writeWhole } from '../../base/whole-file.js';
import { fullPath } from '../full-path.js';
import { rowCount } from '../row-count.js';
import type { Tabular } from '../tabular.js';
import type { WriteOptions } from './csv-options.js';
import { jsonLinePieces } from './json-lines.js';
import type { WrittenFile } from './written-file.js';

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
