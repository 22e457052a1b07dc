import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { quoteName, quoteText } from '../../base/duckdb.js';
import { InputError, messageOf } from '../../base/errors.js';
import { makeFolder, writeWhole } from '../../base/whole-file.js';
import { hashFile, type InputReport } from '../folder/version.js';
import { KIND } from '../ledger/event.js';
import type { Database } from '../store/database.js';
import type { FetchStatus } from './fetch-status.js';
import { type Head, RECORD_BYTES } from './head.js';
import { namesOf, type Records, STAGED } from './load-raw.js';
import { AS_IT_IS, fileLiteral, parquetRows, pathLiteral } from './sql-text.js';

/**
 * An input format: how to recognize it, and the query that stages its records with the columns of `STAGED`, `reason`
 * and `row`. A row with a reason is left out and counted under it.
 */
export interface Format {
  /** Its name on the command line. */
  readonly id: string;
  readonly name: string;
  readonly into: Records;
  /** Fields that every record of this format has. */
  readonly required: readonly string[];
  /** Fields that are read if they exist. */
  readonly optional: readonly string[];
  /** Fields that no record of this format has. */
  readonly without?: readonly string[];
  /** SQL for the staged columns, from `source`, a query that gives all fields as text, and `_row`. */
  readonly select: (source: string) => string;
}

/** A format that is recognized by its fields; its id stands in the list of all. */
export type KnownFormat = Omit<Format, 'id'>;

/** An input whose format is known, ready to be read. */
export interface Input {
  /** Its name in messages and reports. */
  path: string;
  /** The file that holds its bytes. */
  file: string;
  head: Head;
  format: Format;
  /** What it is a page of, together with others; undefined for a download of its own. */
  download?: string | undefined;
  /** What the fetch says of itself that wrote it, or of the sample that it is of; undefined if it is of neither. */
  fetch?: FetchStatus | undefined;
}

/** The report of reading one input, without its name. */
export type Staged = Pick<InputReport, 'format' | 'rows' | 'kept' | 'income' | 'skipped'>;

/** The reason for leaving out a CSV line that does not have the header's columns. */
export const NO_LINE = 'not a line of this CSV';

/**
 * Reads one input into a Parquet file and counts what was kept and what was left out, by reason.
 *
 * @throws {InputError} If it cannot be read to its end, or has no readable row.
 */
export async function stageInput(db: Database, input: Input, parquet: string): Promise<Staged> {
  const { path, file, head, format } = input;
  const select = format.select(sourceOf(file, head, format));
  try {
    await db.run(`COPY (SELECT ${namesOf(STAGED[format.into])}, reason FROM (${select}))
      TO ${pathLiteral(parquet)} (FORMAT parquet, COMPRESSION zstd)`);
  } catch (cause) {
    const said = firstLine(cause);
    // A full disk or too little memory is no fault of the input.
    if (/no space|disk full|could not write|out of memory/i.test(said)) throw cause;
    throw new InputError(
      `${path} cannot be read to its end as ${format.name}: ${said} If it is cut off or damaged, fetch it again.`,
      { cause },
    );
  }
  const reasons = await db.rows<{ reason: string | null; n: bigint }>(
    `SELECT reason, count(*) AS n FROM ${parquetRows(parquet)} GROUP BY reason ORDER BY n DESC, reason`,
  );
  const skipped = Object.fromEntries(
    reasons.flatMap(({ reason, n }) => (reason === null ? [] : [[reason, Number(n)]])),
  );
  const broken = head.kind === 'csv' ? await brokenLines(db) : 0;
  if (broken > 0) skipped[NO_LINE] = broken;
  const kept = Number(reasons.find(({ reason }) => reason === null)?.n ?? 0);
  const rows = Object.values(skipped).reduce((sum, n) => sum + n, kept);
  if (rows > 0 && broken + (skipped['not a record'] ?? 0) === rows) {
    throw new InputError(`${path} holds no readable row of ${format.name}: each of its ${rows} is broken.`);
  }
  if (rows === 0 && head.kind === 'csv') {
    throw new InputError(`${path} holds no row beneath its header that could be read: mend it, or leave it out.`);
  }
  const income = format.into === 'events' ? await incomeIn(db, parquet) : undefined;
  return { format: format.name, rows, kept, ...(income ? { income } : {}), skipped };
}

/** Counts the rows of income that were kept, and their micro-USD; undefined if there is none. */
async function incomeIn(db: Database, parquet: string): Promise<Staged['income']> {
  const [sum] = await db.rows<{ n: bigint; usd: number | null }>(`
    SELECT count(*) AS n, sum(usd)::DOUBLE AS usd FROM ${parquetRows(parquet)}
    WHERE kind = ${KIND.income} AND reason IS NULL`);
  return sum?.n ? { rows: Number(sum.n), usd: sum.usd ?? 0 } : undefined;
}

/** Counts the lines that the CSV reader could not split into the header's columns, and drops its tables of them. */
async function brokenLines(db: Database): Promise<number> {
  const [row] = await db.rows<{ n: bigint }>('SELECT count(DISTINCT line) AS n FROM reject_errors');
  await db.run('DROP TABLE reject_errors; DROP TABLE reject_scans');
  return Number(row?.n ?? 0);
}

function firstLine(error: unknown): string {
  const text = messageOf(error);
  const line = (text.split('\n', 1)[0] ?? '').replace(/^[\w ]+Error: /, '');
  // The engine advises settings that users of Oddslab cannot reach.
  return line
    .replace(/\s*(Parse errors cannot|Try setting).*$/, '')
    .replace(/ in file "[^"]*",?/, '')
    .trim();
}

/**
 * The query that reads a file's fields as text, with `_row`. This is the number of the row, from 1, among those that
 * could be read; without `numbered` it is null, and the engine may read several parts of a file at once.
 */
export function sourceOf(file: string, head: Head, format: Format, numbered = false): string {
  const row = `${numbered ? 'row_number() OVER ()' : 'NULL::BIGINT'} AS _row`;
  if (head.kind === 'json') return `(SELECT *, ${row} FROM ${jsonSource(file, head, format)})`;
  const known = new Set(head.names);
  const fields = [...format.required, ...format.optional].map((name) => {
    const column = quoteName(name);
    if (!known.has(name)) return `NULL::VARCHAR AS ${column}`;
    return head.nested.has(name) ? `to_json(${column})::VARCHAR AS ${column}` : `${column}::VARCHAR AS ${column}`;
  });
  const rows = head.kind === 'csv' ? csvSource(file, head, format) : parquetRows(file);
  return `(SELECT ${fields.join(', ')}, ${row} FROM ${rows})`;
}

function jsonSource(file: string, head: Head, format: Format): string {
  const names = [...format.required, ...format.optional];
  if (!head.page && (head.layout === 'array' || head.layout === 'newline_delimited')) {
    // The reader can skip malformed lines and values that are no objects, but not a malformed list.
    return readJson(file, head, RECORD_BYTES, `records = true, ignore_errors = true, columns = ${asText(names)}`);
  }
  return `(SELECT ${fieldsOf('_fields', names)}
    FROM (SELECT ${extracted('_record', names)} AS _fields FROM (SELECT ${jsonRecords(file, head)})))`;
}

/** SQL for the list of a JSON record's fields as text: each record is parsed once. */
export function extracted(record: string, names: readonly string[]): string {
  return `json_extract_string(${record}, [${names.map((name) => quoteText(`$."${name}"`)).join(', ')}])`;
}

/** SQL for the columns that a list of {@link extracted} fields holds. */
export function fieldsOf(list: string, names: readonly string[]): string {
  return names.map((name, at) => `${list}[${at + 1}] AS ${quoteName(name)}`).join(', ');
}

/** Selects the records as JSON. It fails on an error: skipping errors would lose the records after them. */
function jsonRecords(file: string, head: Head): string {
  // A page without a list, such as an error, becomes a row without a value, which is told.
  const whole = (list: string) => `coalesce(${list}, [NULL])`;
  const pages = (records: boolean, columns: string) =>
    readJson(file, head, PAGE_BYTES, `records = ${records}, columns = {${columns}}`);
  if (head.layout === 'lists' && head.page) {
    return `unnest(${whole(`page.${head.page}`)}) AS _record FROM (SELECT unnest(list) AS page FROM ${pages(false, `list: 'STRUCT(${head.page} JSON[])[]'`)})`;
  }
  if (head.layout === 'lists') return `unnest(list) AS _record FROM ${pages(false, "list: 'JSON[]'")}`;
  if (head.page) return `unnest(${whole(head.page)}) AS _record FROM ${pages(true, `${head.page}: 'JSON[]'`)}`;
  return `_record FROM ${readJson(file, head, RECORD_BYTES, `records = false, columns = {_record: 'JSON'}`)}`;
}

function readJson(file: string, head: Head, mostBytes: number, options: string): string {
  const format = head.layout === 'lists' ? 'unstructured' : head.layout;
  return `read_json(${fileLiteral(file)}, format = '${format}', compression = '${packing(head)}', ${AS_IT_IS},
    maximum_object_size = ${mostBytes}, ${options})`;
}

/** The largest page of records: the reader keeps several of this size in memory. */
const PAGE_BYTES = 1 << 26;

function csvSource(file: string, head: Head, format: Format): string {
  return `read_csv(${fileLiteral(file)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"',
    ignore_errors = true, store_rejects = true, compression = '${packing(head)}', ${AS_IT_IS},
    columns = ${asText(namesToRead(head, format))})`;
}

/** Replaces names of columns that the format does not read: they may be empty, or alike to the engine. */
function namesToRead({ names }: Head, { required, optional }: Format): string[] {
  const known = new Set([...required, ...optional]);
  // No real name begins with a space, since names are trimmed.
  return names.map((name, index) => (known.has(name) ? name : ` ${index}`));
}

function asText(names: readonly string[]): string {
  return `{${names.map((name) => `${quoteText(name)}: 'VARCHAR'`).join(', ')}}`;
}

/** The compression, always stated: the engine would go by the file's name. */
function packing({ compression }: Head): string {
  return compression === 'none' ? 'uncompressed' : compression;
}

/** The version of the staged files' layout. Inputs that were staged under another number are read again. */
const LAYOUT = 8;

/** The end of the name of an input that was not read to its end. */
const PART = '.part';

const reportSchema = z.object({
  staged: z.object({
    format: z.string(),
    rows: z.number(),
    kept: z.number(),
    income: z.object({ rows: z.number(), usd: z.number() }).optional(),
    skipped: z.record(z.string(), z.number()),
  }),
  /** The hash of the Parquet file. */
  sha256: z.string(),
});

/** An input that was read, and the Parquet file that holds its rows. */
interface StagedInput {
  staged: Staged;
  parquet: string;
}

/**
 * A folder of inputs that were read into Parquet, keyed by their content, so that the ingest after an interrupted one
 * does not read them again. Each is there completely or not at all.
 */
export class Staging {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Finds what was staged of a content before; undefined if nothing was, or its file has changed. */
  async find(sha256: string, format: Format): Promise<StagedInput | undefined> {
    const place = this.#place(sha256, format);
    try {
      const report = reportSchema.parse(JSON.parse(await readFile(join(place, 'report.json'), 'utf8')));
      const parquet = join(place, 'rows.parquet');
      const { sha256: found } = await hashFile(parquet);
      return found === report.sha256 ? { staged: report.staged, parquet } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stages a content; `write` is given the path of the Parquet file to write. */
  async put(sha256: string, format: Format, write: (parquet: string) => Promise<Staged>): Promise<StagedInput> {
    const place = this.#place(sha256, format);
    const part = `${place}${PART}`;
    await rm(part, { recursive: true, force: true });
    await makeFolder(part);
    try {
      const staged = await write(join(part, 'rows.parquet'));
      const rows = await open(join(part, 'rows.parquet'), 'r');
      await rows.sync().finally(() => rows.close());
      const report: z.infer<typeof reportSchema> = {
        staged,
        sha256: (await hashFile(join(part, 'rows.parquet'))).sha256,
      };
      await writeWhole(join(part, 'report.json'), JSON.stringify(report), { durable: true });
      await rm(place, { recursive: true, force: true });
      await rename(part, place);
      return { staged, parquet: join(place, 'rows.parquet') };
    } finally {
      await rm(part, { recursive: true, force: true });
    }
  }

  /** Removes a content: one without rows, or one left by an ingest that was killed right after its switch. */
  async remove(sha256: string, format: Format): Promise<void> {
    await rm(this.#place(sha256, format), { recursive: true, force: true });
  }

  #place(sha256: string, { id }: Format): string {
    const key = createHash('sha256').update(`${LAYOUT} ${id} ${sha256}`).digest('hex');
    return join(this.#folder, key.slice(0, 32));
  }
}

const SCRATCH = '.scratch-';

/** Makes a folder for scratch files inside the staging folder, after removing what a killed ingest left there. */
export async function makeScratch(staging: string): Promise<string> {
  await removeScratch(staging);
  await makeFolder(staging);
  const scratch = await mkdtemp(join(staging, SCRATCH));
  await makeFolder(join(scratch, 'spill'));
  return scratch;
}

/**
 * Removes scratch and half-staged inputs, which a killed ingest may leave, and the folder if nothing is staged there.
 */
export async function removeScratch(staging: string): Promise<void> {
  for (const name of await readdir(staging).catch(() => [])) {
    // This may fail while the engine still writes after an abort; the next ingest removes the rest.
    if (!name.startsWith(SCRATCH) && !name.endsWith(PART)) continue;
    await rm(join(staging, name), { recursive: true, force: true }).catch(() => {});
  }
  await rmdir(staging).catch(() => {});
}
