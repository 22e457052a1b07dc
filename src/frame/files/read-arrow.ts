import { readFile } from 'node:fs/promises';
import type { Table } from '@uwdata/flechette';
import { InputError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { fullPath, unreadable } from '../csv/named-file.js';
import type { DataFrame } from '../danfo/danfo.js';
import { registerCodecs } from './arrow-codecs.js';
import type { Arrow } from './arrow-column.js';
import { arrowVector } from './arrow-vector.js';
import { FACTS_KEY, momentForms, readFacts, restoredFrame } from './frame-facts.js';

/**
 * Reads a file in Arrow's IPC format, `file` (Feather, version 2) or `stream`, also one compressed by LZ4 or Zstandard. A
 * file that `writeArrow` wrote gives the
 * same frame back: values, dtypes, units, meanings and provenance. In other files, whole numbers become `int32` if all
 * fit, else doubles if none is beyond ±2⁵³, else text; decimals of up to six places exact amounts; dates and timestamps
 * ISO 8601 text in UTC; lists and structs JSON text.
 *
 * @throws {InputError} If the file is missing, unreadable, truncated or not an Arrow file.
 * @example const pnl = await readArrow('out/pnl.arrow');
 */
export async function readArrow<Row extends object = object>(path: string): Promise<DataFrame<Row>> {
  const source = fullPath(path);
  try {
    const arrow = await import('@uwdata/flechette');
    const bytes = new Uint8Array(await readFile(source));
    const table = await readTable(arrow, bytes);
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

const AS_BIGINT = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true };

/** The table of a file. What compressed ones need is loaded with the first of them. */
async function readTable(arrow: Arrow, bytes: Uint8Array): Promise<Table> {
  try {
    return tableOf(arrow, bytes);
  } catch (cause) {
    if (!String(cause).includes('Missing compression codec')) throw cause;
    await registerCodecs(arrow);
    return tableOf(arrow, bytes);
  }
}

/** @throws {InputError} If the bytes cannot be decoded and do not begin like Arrow's, or hold no table. */
function tableOf(arrow: Arrow, bytes: Uint8Array): Table {
  try {
    const table = arrow.tableFromIPC(bytes, AS_BIGINT);
    if (table.schema.version !== undefined) return isFile(bytes) ? table : tableOfParts(arrow, table, bytes);
  } catch (cause) {
    const isPacked = String(cause).includes('Missing compression codec');
    if (!isSigned(bytes) && !isPacked) throw new InputError(NO_ARROW, { cause });
    throw cause;
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
  const isOut = cause instanceof Error && systemErrorCode(cause) === 'ERR_OUT_OF_RANGE';
  return isOut || ((cause instanceof TypeError || cause instanceof RangeError) && systemErrorCode(cause) === undefined);
}

/** Numbers of kinds of Arrow's messages. */
const SCHEMA = 1;
const DICTIONARY = 2;

/** Numbers of fields in the tables of Arrow's messages. */
const FIELD = { kind: 1, header: 2, bodyBytes: 3, id: 0, isDelta: 2 };

/**
 * The parts of an Arrow stream, each a stream of its own: a new one begins where a dictionary is replaced. The library
 * would read all rows by the last dictionary.
 *
 * @param bytes A stream that the library can read.
 * @returns The pieces of each part, which are views of the stream.
 */
function streamParts(bytes: Uint8Array): Uint8Array[][] {
  const stream = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const schemas: Uint8Array[] = [];
  const dictionaries = new Map<bigint, Uint8Array[]>();
  const parts: Uint8Array[][] = [];
  let rows: Uint8Array[] = [];
  const endPart = () => {
    parts.push([...schemas, ...[...dictionaries.values()].flat(), ...rows]);
    rows = [];
  };
  for (let from = 0; from + 8 <= stream.length; ) {
    // Since version 0.15, a mark comes before the length.
    const start = from + (stream.readInt32LE(from) === -1 ? 8 : 4);
    const body = start + stream.readInt32LE(start - 4);
    if (body === start) break;
    const message = start + stream.readInt32LE(start);
    const sizeAt = fieldAt(stream, message, FIELD.bodyBytes);
    const to = body + (sizeAt ? Number(stream.readBigInt64LE(sizeAt)) : 0);
    const piece = bytes.subarray(from, to);
    from = to;
    const kind = stream[fieldAt(stream, message, FIELD.kind)];
    if (kind === SCHEMA) schemas.push(piece);
    else if (kind === DICTIONARY) {
      const headerAt = fieldAt(stream, message, FIELD.header);
      const header = headerAt + stream.readInt32LE(headerAt);
      const idAt = fieldAt(stream, header, FIELD.id);
      const id = idAt ? stream.readBigInt64LE(idAt) : 0n;
      const deltaAt = fieldAt(stream, header, FIELD.isDelta);
      const earlier = dictionaries.get(id);
      if (deltaAt && stream[deltaAt] === 1) earlier?.push(piece);
      else {
        if (earlier && rows.length > 0) endPart();
        dictionaries.set(id, [piece]);
      }
    } else rows.push(piece);
  }
  endPart();
  return parts;
}

/** Where a field of a table of a message stands; 0 if it has its default. */
function fieldAt(stream: Buffer, table: number, field: number): number {
  const fields = table - stream.readInt32LE(table);
  const place = 4 + 2 * field;
  const offset = place < stream.readUInt16LE(fields) ? stream.readUInt16LE(fields + place) : 0;
  return offset === 0 ? 0 : table + offset;
}
