import { rowCount } from '../row-count.js';
import type { Tabular } from '../tabular.js';
import { openCsvFile } from './csv-file.js';
import { type CsvFileOptions, csvForm } from './csv-options.js';
import type { WrittenFile } from './written-file.js';

export type { WrittenFile } from './written-file.js';

/**
 * Writes a frame as a CSV file, in the form that `toCsv` describes. The file appears complete or not at all: an older
 * file of that name remains until the new one is complete. A large frame is written piece by piece. Half a surrogate
 * pair, which UTF-8 cannot represent, becomes U+FFFD.
 *
 * @param path The file; its folder has to exist. If it ends in `.gz` the file is compressed, unless `gzip` says
 * otherwise.
 * @throws {DataError} If the file cannot be written there; then nothing is left behind.
 * @throws {UsageError} If an option is unknown or has a value that it cannot have.
 * @throws {ColumnError} If a column holds an invalid date; then nothing is left behind.
 * @example await writeCsv(pnl, 'out/pnl.csv'); // { path: '…/out/pnl.csv', rows: 200, bytes: 18230 }
 */
export async function writeCsv(frame: Tabular, path: string, options: CsvFileOptions = {}): Promise<WrittenFile> {
  // Refuses unknown options before any is read.
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
