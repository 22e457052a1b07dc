import { rowCount } from '../row-count.js';
import type { Tabular } from '../tabular.js';
import { openCsvFile } from './csv-file.js';
import { type CsvFileOptions, csvForm } from './csv-options.js';
import type { WrittenFile } from './written-file.js';

export type { WrittenFile } from './written-file.js';

/**
 * Writes a frame as a CSV file (see {@link toCsv} for the form). The file appears whole or not at all: an older file of
 * that name stays until the new one is complete. A large frame is encoded and written piece by piece. Half a surrogate
 * pair, which UTF-8 cannot say, becomes U+FFFD.
 *
 * @param path The file; its folder has to exist. Ends in `.gz` for a compressed file, unless the options say otherwise.
 * @throws {DataError} If the file cannot be written there; nothing is left behind then.
 * @throws {UsageError} If an option has a value that it cannot have.
 * @throws {ColumnError} If a column holds an invalid date; nothing is left behind then.
 * @example await writeCsv(pnl, 'out/pnl.csv'); // { path: '…/out/pnl.csv', rows: 200, bytes: 18230 }
 */
export async function writeCsv(frame: Tabular, path: string, options: CsvFileOptions = {}): Promise<WrittenFile> {
  // Refuses options that are none, before one is read.
  csvForm(options);
  const { onProgress } = options;
  const total = rowCount(frame);
  const file = openCsvFile(
    path,
    onProgress ? { ...options, onProgress: (progress) => onProgress({ ...progress, total }) } : options,
  );
  try {
    await file.append(frame);
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
