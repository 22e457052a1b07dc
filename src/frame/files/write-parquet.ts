import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import type { WriteProgress } from '../csv/csv-options.js';
import type { WrittenFile } from '../csv/written-file.js';
import { fullPath } from '../full-path.js';
import { rowCount } from '../row-count.js';
import { copyWhole } from '../sql/copy-whole.js';
import { withEngine } from '../sql/engine.js';
import { offerFrame } from '../sql/offer-frame.js';
import { quoteName, quoteText } from '../sql/quote.js';
import type { Tabular } from '../tabular.js';
import { FACTS_KEY, factsText } from './column-facts.js';
import type { MomentForm } from './moment-form.js';

/** Options of `writeParquet`. */
export interface ParquetOptions {
  /** `zstd` gives smaller files, `snappy` is understood by older readers. Default `zstd`. */
  compression?: 'zstd' | 'snappy';
  /** Called with the progress from time to time, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}

const COMPRESSIONS = ['zstd', 'snappy'];
const PROGRESS_ROWS = 2048 * 50;

/**
 * Writes a frame as a Parquet file, by an embedded DuckDB. Doubles become DOUBLE, `int32` columns INT32 (INT64 if a
 * value needs it), booleans BOOLEAN, text UTF8, exact amounts DECIMAL(18, 6), `datetime` columns TIMESTAMP in UTC, or
 * DATE if they hold only days; missing values are null. The file holds the columns' units and meanings and the
 * provenance of the rows, so that `readParquet` gives the same frame back. It appears complete or not at all. The rows
 * are passed on piece by piece, without a copy of the frame.
 *
 * Days among times become their midnight, and come back so. If a time has nine digits of a second, the column is a
 * TIMESTAMP of nanoseconds without the mark that it is in UTC. If such a column also has a time outside the years 1677
 * to 2262, or a time has more than nine digits, the column is UTF8, and comes back as times all the same. Half a
 * surrogate pair in a text, which UTF-8 cannot represent, becomes U+FFFD.
 *
 * @param path The file; its folder has to exist.
 * @throws {DataError} If the file cannot be written there; then nothing is left behind.
 * @throws {ColumnError} If the frame has no column, one without a name, one that mixes kinds of values, or two whose
 * names differ only by case, such as `a` and `A`, which many readers of Parquet do not distinguish.
 * @throws {UsageError} If an option is unknown, or the compression is another one.
 * @example await writeParquet(pnl, 'out/pnl.parquet'); // { path: '…/out/pnl.parquet', rows: 200, bytes: 6230 }
 */
export async function writeParquet(frame: Tabular, path: string, options: ParquetOptions = {}): Promise<WrittenFile> {
  knownOptions('writeParquet', options, ['compression', 'onProgress']);
  const { compression = 'zstd', onProgress } = options;
  if (!COMPRESSIONS.includes(compression)) {
    throw new UsageError(`There is no Parquet compression "${compression}" here: use ${COMPRESSIONS.join(' or ')}.`);
  }
  const total = rowCount(frame);
  const target = fullPath(path);
  return withEngine(async (engine) => {
    const onRows = (rows: number) => {
      if (rows % PROGRESS_ROWS === 0 || rows === total) onProgress?.({ rows, total });
    };
    const { rows, moments } = await offerFrame(engine, 'frame', frame, { to: 'Parquet', onRows: onProgress && onRows });
    const facts = `KV_METADATA { ${FACTS_KEY}: ${quoteText(factsText(frame, moments))} }`;
    const form = ['FORMAT parquet', `COMPRESSION ${compression}`, facts];
    const bytes = await copyWhole(engine, `SELECT ${valuesOf(frame, moments)} FROM frame`, target, form);
    return { path: target, rows, bytes };
  });
}

/** The SELECT list: the columns as they are, but times marked as UTC, as the file then says. */
function valuesOf(frame: Tabular, moments: readonly (MomentForm | undefined)[]): string {
  const values = frame.columns.map((column, at) => {
    const form = moments[at];
    const name = quoteName(column);
    // A timestamp with a zone has only microseconds.
    return form === undefined || form === 'day' || form === 'nanos' ? name : `${name}::TIMESTAMPTZ AS ${name}`;
  });
  return values.join(', ');
}
