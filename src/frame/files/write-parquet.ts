import { knownOptions } from '../../contract/known-options.js';
import { UsageError } from '../../errors.js';
import type { WriteProgress } from '../csv/csv-options.js';
import type { WrittenFile } from '../csv/write-csv.js';
import { fullPath } from '../full-path.js';
import { rowCount } from '../row-count.js';
import { copyWhole } from '../sql/copy-whole.js';
import { withEngine } from '../sql/engine.js';
import { offerFrame } from '../sql/offer-frame.js';
import { quoteName, quoteText } from '../sql/quote.js';
import type { Tabular } from '../tabular.js';
import { FACTS_KEY, factsText } from './column-facts.js';
import type { MomentForm } from './moment-form.js';

/** How a Parquet file is written. */
export interface ParquetOptions {
  /** `zstd` is smaller, `snappy` what older readers know. Default `zstd`. */
  compression?: 'zstd' | 'snappy';
  /** Told now and then, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}

const COMPRESSIONS = ['zstd', 'snappy'];
const PROGRESS_ROWS = 2048 * 50;

/**
 * Writes a frame as a Parquet file, by an embedded DuckDB. Doubles are DOUBLE, `int32` columns INT32 (INT64 where a
 * value needs it), booleans BOOLEAN, text UTF8, exact amounts DECIMAL(18, 6), `datetime` columns TIMESTAMP in UTC, or
 * DATE where they hold days alone; what is missing is null. The file knows the columns' units and meanings, and where
 * the rows came from: {@link readParquet} gives the same frame back. It appears whole or not at all, and the rows are
 * handed over bit by bit, without a copy of the frame.
 *
 * Days that stand among times are written as their midnight, and come back so. Where a time has nine digits of a second,
 * the column is TIMESTAMP of nanoseconds, without the mark that it is in UTC; where it has them and another lies outside
 * the years 1677 to 2262, or it has more, the column is UTF8, and comes back as times all the same. Half a surrogate
 * pair in a text, which UTF-8 cannot say, becomes U+FFFD.
 *
 * @param path The file; its folder has to exist.
 * @throws {DataError} If the file cannot be written there; nothing is left behind then.
 * @throws {ColumnError} If the frame has no column, one without a name, one that mixes kinds of values, or two whose names
 * differ by case alone, such as `a` and `A`, which many readers of Parquet do not tell apart.
 * @throws {UsageError} If the compression is another one.
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

/** The columns as they are, but times as moments in UTC, which the file then says of them. */
function valuesOf(frame: Tabular, moments: readonly (MomentForm | undefined)[]): string {
  const values = frame.columns.map((column, at) => {
    const form = moments[at];
    const name = quoteName(column);
    // A time with a zone has microseconds alone.
    return form === undefined || form === 'day' || form === 'nanos' ? name : `${name}::TIMESTAMPTZ AS ${name}`;
  });
  return values.join(', ');
}
