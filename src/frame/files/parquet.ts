import { open, stat } from 'node:fs/promises';
import { quoteText } from '../../base/duckdb.js';
import { DataError, InputError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { openBeside, writeFailure } from '../../base/whole-file.js';
import { writtenPath } from '../csv/file-forms.js';
import { fullPath, isFolder, unreadable, type WriteProgress, type WrittenFile } from '../csv/named-file.js';
import type { DataFrame } from '../danfo/danfo.js';
import { type Engine, withEngine } from '../sql/engine.js';
import { offerFrame } from '../sql/offer-frame.js';
import { readRelation } from '../sql/read-relation.js';
import { rowCount, type Tabular } from '../tabular/tabular.js';
import { FACTS_KEY, type FrameFacts, factsText, momentForms, readFacts, restoredFrame } from './frame-facts.js';

/**
 * Reads a Parquet file. A file that `writeParquet` wrote gives the same frame back: values, dtypes, units, meanings and
 * provenance. In other files, whole numbers become `int32` if all fit, else doubles if none is beyond ±2⁵³, else text;
 * decimals of up to six places exact amounts; dates and times ISO 8601 text in UTC; lists and structs JSON text.
 *
 * @throws {InputError} If the file is missing, unreadable or not a Parquet file; has decimals of more than 38 digits,
 * which `query` reads as other numbers; or has decimals of up to six places beyond ±9.2 trillion: these can be read by
 * `query("SELECT total::DOUBLE FROM 'file.parquet'")`.
 * @example const pnl = await readParquet('out/pnl.parquet');
 */
export async function readParquet<Row extends object = object>(path: string): Promise<DataFrame<Row>> {
  const source = fullPath(path);
  try {
    if (await isFolder(source)) throw new InputError('it is a folder; name a file');
    return await withEngine(async (engine) => {
      await refuseWideDecimals(engine, source);
      const facts = await factsOf(engine, source);
      const relation = `read_parquet(${quoteText(literalPath(source))}, hive_partitioning = false)`;
      return restoredFrame<Row>(await readRelation(engine, relation, momentForms(facts)), facts);
    });
  } catch (cause) {
    throw unreadable(source, 'Parquet', (await isOther(source)) ? new InputError(NO_PARQUET, { cause }) : cause);
  }
}

const NO_PARQUET = 'it is no Parquet file: read an Arrow file by readArrow(), CSV by readCsv()';

/** Whether a plain file does not begin like a Parquet file, with or without an encrypted footer. */
async function isOther(path: string): Promise<boolean> {
  const isPlain = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  const handle = isPlain ? await open(path).catch(() => undefined) : undefined;
  const head = await handle?.read(Buffer.alloc(4)).catch(() => undefined);
  await handle?.close();
  return head !== undefined && !['PAR1', 'PARE'].includes(head.buffer.toString('latin1'));
}

/** Refuses decimals of more than 38 digits: the database reads them as doubles, and with wrong values. */
async function refuseWideDecimals({ connection }: Engine, path: string): Promise<void> {
  const reader = await connection.runAndReadAll(
    `SELECT name FROM parquet_schema(${quoteText(literalPath(path))}) WHERE precision > 38 LIMIT 1`,
  );
  const name = reader.getRows()[0]?.[0];
  if (typeof name !== 'string') return;
  throw new InputError(
    `"${name}" has decimals of more than 38 digits, which cannot be read; write it as DECIMAL(38, …) or as text`,
  );
}

async function factsOf({ connection }: Engine, path: string): Promise<FrameFacts | undefined> {
  const reader = await connection.runAndReadAll(
    `SELECT decode(value) FROM parquet_kv_metadata(${quoteText(literalPath(path))}) WHERE key = encode($1)`,
    [FACTS_KEY],
  );
  const text = reader.getRows()[0]?.[0];
  return readFacts(typeof text === 'string' ? text : undefined);
}

/** A path whose wildcards are escaped, so that it names only one file. */
function literalPath(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

/** Options of `writeParquet`. */
export interface ParquetOptions {
  /** `zstd` gives smaller files, `snappy` is understood by older readers. Default `zstd`. */
  compression?: 'zstd' | 'snappy';
  /** Called with the progress from time to time, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}

const COMPRESSIONS = ['zstd', 'snappy'];
const PROGRESS_ROWS = 2048 * 50;
/** Of zstd. By the default, 3, files are no smaller, and take a tenth longer. */
const ZSTD_LEVEL = 2;

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
 * @throws {UsageError} If an option is unknown, the compression is another one, a column's name has U+0000, or the file's
 * name ends as that of another form.
 * @throws What `onProgress` throws; then nothing is left behind.
 * @example await writeParquet(pnl, 'out/pnl.parquet'); // { path: '…/out/pnl.parquet', rows: 200, bytes: 6230 }
 */
export async function writeParquet(frame: Tabular, path: string, options: ParquetOptions = {}): Promise<WrittenFile> {
  knownOptions('writeParquet', options, ['compression', 'onProgress']);
  const { compression = 'zstd', onProgress } = options;
  if (!COMPRESSIONS.includes(compression)) {
    throw new UsageError(`There is no Parquet compression "${compression}" here: use ${COMPRESSIONS.join(' or ')}.`);
  }
  const total = rowCount(frame);
  const target = writtenPath(path, 'parquet');
  return withEngine(async (engine) => {
    let thrown: { error: unknown } | undefined;
    const onRows = (rows: number) => {
      if (rows % PROGRESS_ROWS !== 0 && rows !== total) return;
      try {
        onProgress?.({ rows, total });
      } catch (error) {
        thrown ??= { error };
        throw error;
      }
    };
    const { rows, moments } = await offerFrame(engine, 'frame', frame, { to: 'Parquet', onRows: onProgress && onRows });
    const facts = `KV_METADATA { ${FACTS_KEY}: ${quoteText(factsText(frame, moments))} }`;
    const form = ['FORMAT parquet', `COMPRESSION ${compression}`, facts];
    if (compression === 'zstd') form.push(`COMPRESSION_LEVEL ${ZSTD_LEVEL}`);
    const bytes = await copyWhole(engine, 'FROM frame', target, form).catch((failure: unknown) => {
      // The database made a message of the callback's own error.
      throw thrown ? thrown.error : failure;
    });
    return { path: target, rows, bytes };
  });
}

/**
 * Makes the database write rows to a file that appears only once it is complete: it is written beside its place and
 * then renamed.
 *
 * @param rows A SELECT statement.
 * @param options Options of COPY, as in its parentheses.
 * @returns The number of bytes written.
 * @throws {DataError} If the file cannot be written; nothing is left behind.
 */
async function copyWhole(
  { connection }: Engine,
  rows: string,
  path: string,
  options: readonly string[],
): Promise<number> {
  const file = await openBeside(path);
  try {
    const copy = [...options, 'USE_TMP_FILE false'].join(', ');
    await connection.run(`COPY (${rows}) TO ${quoteText(file.beside)} (${copy})`).catch((cause) => {
      throw new DataError(`Cannot write ${path}: ${writeFailure(cause)}.`, { cause });
    });
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
