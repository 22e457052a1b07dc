import { ColumnError } from '../../base/errors.js';
import { openWhole, type WholeFile } from '../../base/whole-file.js';
import { rowCount, type Tabular } from '../tabular/tabular.js';
import { type CsvFileOptions, csvForm } from './csv-options.js';
import { BytePiece } from './csv-words.js';
import { writtenPath } from './file-forms.js';
import type { WrittenFile } from './named-file.js';
import { CsvEncoder } from './to-csv.js';

/**
 * Writes a frame as a CSV file, in the form that `toCsv` describes. The file appears complete or not at all: an older
 * file of that name remains until the new one is complete. A large frame is written piece by piece. Half a surrogate
 * pair, which UTF-8 cannot represent, becomes U+FFFD.
 *
 * @param path The file; its folder has to exist. If it ends in `.gz` the file is compressed, unless `gzip` says
 * otherwise.
 * @throws {DataError} If the file cannot be written there; then nothing is left behind.
 * @throws {UsageError} If an option is unknown or has a value that it cannot have, or the name's ending is that of another
 * form.
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

/** A CSV file that grows frame by frame. */
export interface CsvFile {
  /**
   * Adds the rows of a frame. The header comes from the first frame, which may have no rows.
   *
   * @throws {ColumnError} If the frame's columns differ from those of the first; none of its rows are written.
   * @throws {DataError} If the file cannot be written; it is then discarded.
   */
  append(frame: Tabular): Promise<void>;
  /**
   * Puts the file in its place, replacing an older one. Without any frame it is empty.
   *
   * @throws {DataError} If the file cannot be written; it is then discarded.
   */
  finish(): Promise<WrittenFile>;
  /** Removes what was written; an older file with that name stays. */
  discard(): Promise<void>;
}

/** Large enough that calls cost next to nothing, small enough for the processor's cache. */
const PIECE_BYTES = 1 << 18;

/**
 * Begins a CSV file for rows that come frame by frame, in constant memory. It holds the same bytes as {@link writeCsv}
 * writes for one frame with all the rows, and it appears only once it is complete: call `finish` or `discard`.
 *
 * @param path Path of the file; its folder must exist.
 * @throws {UsageError} If an option has an invalid value.
 * @example
 * const file = openCsvFile('out/pnl.csv.gz');
 * for (const frame of frames) await file.append(frame);
 * await file.finish();
 */
export function openCsvFile(path: string, options: CsvFileOptions = {}): CsvFile {
  return new GrowingCsv(writtenPath(path, 'csv'), options);
}

class GrowingCsv implements CsvFile {
  readonly #path: string;
  readonly #form: ReturnType<typeof csvForm>;
  readonly #options: CsvFileOptions;
  /** One is filled while the other is being written. */
  #pieces = [new BytePiece(PIECE_BYTES), new BytePiece(PIECE_BYTES)] as const;
  #file: Promise<WholeFile> | undefined;
  #columns: readonly string[] | undefined;
  #rows = 0;

  constructor(path: string, options: CsvFileOptions) {
    this.#path = path;
    this.#form = csvForm(options);
    this.#options = options;
  }

  async append(frame: Tabular): Promise<void> {
    const encoder = new CsvEncoder(frame, this.#form);
    const before = this.#columns;
    if (before) checkColumns(this.#path, before, frame.columns);
    this.#columns ??= [...frame.columns];
    const file = await this.#opened();
    if (!before) await file.write(encoder.head());
    const from = this.#rows;
    for (let bytes = this.#next(encoder); bytes; bytes = this.#next(encoder)) {
      await file.write(bytes);
      this.#rows = from + encoder.rows;
      this.#options.onProgress?.({ rows: this.#rows });
    }
  }

  async finish(): Promise<WrittenFile> {
    const bytes = await (await this.#opened()).finish();
    return { path: this.#path, rows: this.#rows, bytes };
  }

  async discard(): Promise<void> {
    await (await this.#file?.catch(() => undefined))?.discard();
  }

  #next(encoder: CsvEncoder): Uint8Array | undefined {
    const [piece, other] = this.#pieces;
    const bytes = encoder.next(piece);
    // If no bytes were encoded, the other piece may still be being written.
    if (bytes) this.#pieces = [other, piece];
    return bytes;
  }

  #opened(): Promise<WholeFile> {
    this.#file ??= openWhole(this.#path, { gzip: this.#options.gzip ?? /\.gz$/i.test(this.#path) });
    return this.#file;
  }
}

function checkColumns(path: string, first: readonly string[], names: readonly string[]): void {
  const at = first.findIndex((name, place) => names[place] !== name);
  if (at < 0 && names.length === first.length) return;
  const differs =
    at < 0
      ? `it has "${names[first.length]}" behind the last column of the file`
      : `its column ${at + 1} is ${at < names.length ? `"${names[at]}"` : 'missing'} where the file has "${first[at]}"`;
  throw new ColumnError(`The frame has other columns than ${path}: ${differs}. Bring the columns into the same order.`);
}
