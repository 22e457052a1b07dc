import { ColumnError } from '../../errors.js';
import { openWhole, type WholeFile } from '../../whole-file.js';
import { fullPath } from '../full-path.js';
import type { Tabular } from '../tabular.js';
import { BytePiece } from './byte-piece.js';
import { CsvEncoder } from './csv-encoder.js';
import { type CsvFileOptions, csvForm } from './csv-options.js';
import type { WrittenFile } from './written-file.js';

/** A CSV file that grows frame by frame. */
export interface CsvFile {
  /**
   * Adds the rows of a frame; the header comes from the first one, which may be without rows.
   *
   * @throws {ColumnError} If the frame has other columns than the first one: nothing of it is written then.
   * @throws {DataError} If the file cannot be written there: it is discarded then.
   */
  append(frame: Tabular): Promise<void>;
  /**
   * Puts the file in its place, over an older one. Without a frame it is empty.
   *
   * @throws {DataError} If the file cannot be written there: it is discarded then.
   */
  finish(): Promise<WrittenFile>;
  /** Removes what was written; an older file of that name stays. */
  discard(): Promise<void>;
}

/** Large enough that the calls cost nothing, small enough for the processor's cache. */
const PIECE_BYTES = 1 << 18;

/** One is filled while the other is being written. */
type Pieces = readonly [BytePiece, BytePiece];

/** The pieces of the last file, left for the next one: new memory costs time wherever it is written first. */
let idle: Pieces | undefined;

function takePieces(): Pieces {
  const pieces = idle ?? [new BytePiece(PIECE_BYTES), new BytePiece(PIECE_BYTES)];
  idle = undefined;
  return pieces;
}

function leavePieces(pieces: Pieces | undefined): void {
  if (pieces?.every((piece) => !piece.isGrown)) idle = pieces;
}

/**
 * Begins a CSV file for rows that come frame by frame, in constant memory. The same bytes come out as {@link writeCsv}
 * would write of all the rows in one frame, and the file appears whole or not at all: call either `finish` or `discard`.
 *
 * @param path The file; its folder has to exist.
 * @throws {UsageError} If an option has a value that it cannot have.
 * @example
 * const file = openCsvFile('out/pnl.csv.gz');
 * for (const frame of frames) await file.append(frame);
 * await file.finish();
 */
export function openCsvFile(path: string, options: CsvFileOptions = {}): CsvFile {
  return new GrowingCsv(fullPath(path), options);
}

class GrowingCsv implements CsvFile {
  readonly #path: string;
  readonly #form: ReturnType<typeof csvForm>;
  readonly #options: CsvFileOptions;
  #pieces: Pieces | undefined;
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
    leavePieces(this.#pieces);
    this.#pieces = undefined;
    return { path: this.#path, rows: this.#rows, bytes };
  }

  async discard(): Promise<void> {
    await (await this.#file?.catch(() => undefined))?.discard();
  }

  #next(encoder: CsvEncoder): Uint8Array | undefined {
    const [piece, other] = this.#pieces ?? takePieces();
    const bytes = encoder.next(piece);
    // Without bytes the other one may still be under way.
    this.#pieces = bytes ? [other, piece] : [piece, other];
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
