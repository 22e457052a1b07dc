import { resolve } from 'node:path';
import { writeWhole } from '../whole-file.js';
import { type CsvOptions, csvPieces } from './csv.js';
import type { Tabular } from './tabular.js';

/** What {@link writeCsv} wrote. */
export interface WrittenFile {
  /** The file's absolute path. */
  path: string;
  /** Rows without the header. */
  rows: number;
  bytes: number;
}

/**
 * Writes a frame as a CSV file (see {@link toCsv} for the form). The file appears whole or not at all: an older file of
 * that name stays until the new one is complete.
 *
 * @param path The file; its folder has to exist.
 * @throws {DataError} If the file cannot be written there; nothing is left behind then.
 * @example await writeCsv(pnl, 'out/pnl.csv'); // { path: '…/out/pnl.csv', rows: 200, bytes: 18230 }
 */
export async function writeCsv(frame: Tabular, path: string, options: CsvOptions = {}): Promise<WrittenFile> {
  const target = resolve(path);
  const bytes = await writeWhole(target, csvPieces(frame, options));
  return { path: target, rows: frame.shape[0] ?? 0, bytes };
}
