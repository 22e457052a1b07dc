import { open, stat } from 'node:fs/promises';
import { InputError } from '../../base/errors.js';
import { isFolder, unreadable } from '../csv/unreadable.js';
import type { DataFrame } from '../danfo/danfo.js';
import { fullPath } from '../full-path.js';
import { type Engine, withEngine } from '../sql/engine.js';
import { quoteText } from '../sql/quote.js';
import { readRelation } from '../sql/read-relation.js';
import { FACTS_KEY, type FrameFacts, momentForms, readFacts } from './column-facts.js';
import { restoredFrame } from './restored-frame.js';

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
