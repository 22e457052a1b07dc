import { readFile } from 'node:fs/promises';
import type { Table } from '@uwdata/flechette';
import { InputError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { unreadable } from '../csv/unreadable.js';
import type { DataFrame } from '../danfo/danfo.js';
import { fullPath } from '../full-path.js';
import type { Arrow } from './arrow-column.js';
import { arrowVector } from './arrow-vector.js';
import { FACTS_KEY, momentForms, readFacts } from './column-facts.js';
import { restoredFrame } from './restored-frame.js';
import { streamParts } from './stream-parts.js';

/**
 * Reads a file in Arrow's IPC format, `file` (Feather, version 2) or `stream`. A file that `writeArrow` wrote gives the
 * same frame back: values, dtypes, units, meanings and provenance. In other files, whole numbers become `int32` if all
 * fit, else doubles if none is beyond ±2⁵³, else text; decimals of up to six places exact amounts; dates and timestamps
 * ISO 8601 text in UTC; lists and structs JSON text.
 *
 * @throws {InputError} If the file is missing, unreadable, compressed, truncated or not an Arrow file.
 * @example const pnl = await readArrow('out/pnl.arrow');
 */
export async function readArrow<Row extends object = object>(path: string): Promise<DataFrame<Row>> {
  const source = fullPath(path);
  try {
    const arrow = await import('@uwdata/flechette');
    const bytes = new Uint8Array(await readFile(source));
    const table = tableOf(arrow, bytes);
    const facts = readFacts(table.schema.metadata?.get(FACTS_KEY));
    if (facts && facts.columns.length > 0 && facts.rows !== table.numRows) {
      throw new InputError(`it is cut off: it holds ${table.numRows} of ${facts.rows} rows`);
    }
    const forms = momentForms(facts);
    const read = table.schema.fields.map(({ name }, at) => ({
      name,
      ...arrowVector(arrow, table.getChildAt(at), forms.get(name)),
    }));
    return restoredFrame<Row>(read, facts);
  } catch (cause) {
    throw unreadable(
      source,
      'Arrow',
      isOfDecoding(cause) ? new InputError('it is cut off or damaged', { cause }) : cause,
    );
  }
}

const NO_ARROW = 'it is no Arrow file: read a Parquet file by readParquet(), CSV by readCsv()';

const COMPRESSED =
  "it is compressed: write it uncompressed (pandas: to_feather(path, compression='uncompressed')), or as Parquet";

const AS_BIGINT = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true };

/** @throws {InputError} If the bytes cannot be decoded and do not begin like Arrow's, are compressed, or hold no table. */
function tableOf(arrow: Arrow, bytes: Uint8Array): Table {
  try {
    const table = arrow.tableFromIPC(bytes, AS_BIGINT);
    if (table.schema.version !== undefined) return isFile(bytes) ? table : tableOfParts(arrow, table, bytes);
  } catch (cause) {
    if (!isSigned(bytes)) throw new InputError(NO_ARROW, { cause });
    throw String(cause).includes('Missing compression codec') ? new InputError(COMPRESSED, { cause }) : cause;
  }
  throw new InputError(NO_ARROW);
}

/** The table of a stream, if some of its rows need a dictionary that is replaced later; else the same table. */
function tableOfParts(arrow: Arrow, table: Table, stream: Uint8Array): Table {
  const parts = streamParts(stream);
  if (parts.length === 1) return table;
  const tables = parts.map((part) => arrow.tableFromIPC(part, AS_BIGINT));
  const columns = table.children.map(({ type }, at) => {
    const batches = tables.flatMap(({ children }) => children[at]?.data ?? []);
    return new arrow.Column(batches, type);
  });
  return new arrow.Table(table.schema, columns);
}

/** Whether bytes begin like an Arrow file, or a stream since version 0.15; older streams begin with a length. */
function isSigned(bytes: Uint8Array): boolean {
  return isFile(bytes) || bytes.subarray(0, 4).every((byte) => byte === 0xff);
}

function isFile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 6)).toString('latin1') === 'ARROW1';
}

/** Whether an error comes from decoding invalid bytes, in which case its message would help nobody. */
function isOfDecoding(cause: unknown): boolean {
  return (cause instanceof TypeError || cause instanceof RangeError) && systemErrorCode(cause) === undefined;
}
