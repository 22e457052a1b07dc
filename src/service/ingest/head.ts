import { InputError } from '../../base/errors.js';
import { Database } from '../store/database.js';
import { type Compression, compressionOf, readStart } from './compression.js';
import { fileLiteral, parquetRows } from './sql-text.js';

/** How an input file begins. Its format is recognized by this, never by its name. */
export interface Head {
  kind: 'json' | 'csv' | 'parquet';
  /** Of JSON: one list, several lists in a row, a record a line, or records that span or share lines. */
  layout: 'array' | 'lists' | 'newline_delimited' | 'unstructured';
  /** Where JSON records come in pages, such as `{"data": [...]}`, the key of their list. */
  page: string | undefined;
  compression: Compression;
  /** Fields of the first JSON record, or the columns of a CSV or Parquet file, in their order. */
  names: readonly string[];
  /** Columns of Parquet whose values are lists or structures. */
  nested: ReadonlySet<string>;
  /** Columns of Parquet that hold decimals with more digits than the engine reads. */
  tooWide: ReadonlySet<string>;
}

/** The most digits of a decimal that the engine reads. */
export const MOST_DIGITS = 38;

/**
 * Reads how an input begins: the fields of its first JSON record, or the names of a CSV's or Parquet file's columns.
 *
 * @param path The input's name in messages.
 * @param file The file that holds its bytes.
 * @throws {InputError} If the file is missing, unreadable or empty, or is neither JSON, CSV nor Parquet.
 */
export async function readHead(path: string, file: string): Promise<Head> {
  const compression = await compressionOf(path, file);
  const start = await readStart(path, file, compression, START_BYTES);
  const none = new Set<string>();
  const head = { layout: 'array' as const, page: undefined, compression, names: [], nested: none, tooWide: none };
  if (start.subarray(0, 4).toString('latin1') === 'PAR1') {
    return { ...head, kind: 'parquet', ...(compression === 'none' ? await parquetColumns(path, file) : {}) };
  }
  if (UTF_16.includes(start.toString('hex', 0, 2))) {
    throw new InputError(
      `${path} is text in UTF-16: ingest reads UTF-8, into which \`iconv -f UTF-16 -t UTF-8\` turns it.`,
    );
  }
  const text = textOf(start);
  if (text === '')
    throw new InputError(`${path} is empty: it should hold JSON records, a CSV with a header or Parquet.`);
  if (text.startsWith('[') || text.startsWith('{')) {
    // The first record may be long: an event tells all its markets.
    const more = async () => textOf(await readStart(path, file, compression, RECORD_BYTES));
    const found = jsonHead(path, text) ?? (start.length < START_BYTES ? undefined : jsonHead(path, await more()));
    if (found) return { ...head, kind: 'json', ...found };
    throw new InputError(`${path} is not a list of JSON records, or is cut off in its first one.`);
  }
  const header = text.split(/\r?\n/, 1)[0] ?? '';
  const names = csvNames(header);
  if (names.length < 2) throw new InputError(`${path} ${noCsv(header)}`);
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new InputError(`${path} names the column "${twice}" twice in its header.`);
  return { ...head, kind: 'csv', names };
}

/** The bytes by which most inputs are recognized. */
const START_BYTES = 1 << 20;

/** The size of the largest record that is read. */
export const RECORD_BYTES = 1 << 24;

function textOf(start: Buffer): string {
  return start
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
}

/** The byte order marks of text in UTF-16. */
const UTF_16 = ['fffe', 'feff'];

function noCsv(line: string): string {
  const marks = line.includes(';') ? 'semicolons' : line.includes('\t') ? 'tabs' : undefined;
  const hint = marks === undefined ? '' : ` The columns of a CSV stand between commas, not ${marks}.`;
  return `is neither JSON, CSV nor Parquet: it begins with ${JSON.stringify(line.slice(0, 40))}.${hint}`;
}

/** Reads the columns of a Parquet file, and as much of their types as is needed to read each as text. */
export async function parquetColumns(path: string, file: string): Promise<Pick<Head, 'names' | 'nested' | 'tooWide'>> {
  const db = await Database.open(':memory:', { threads: 1 });
  try {
    const columns = await db.rows<{ column_name: string; column_type: string }>(
      `DESCRIBE SELECT * FROM ${parquetRows(file)}`,
    );
    // The engine takes wider decimals for doubles, and reads wrong values.
    const schema = await db.rows<SchemaNode>(
      `SELECT name, coalesce(num_children, 0)::INTEGER AS children, coalesce(precision > ${MOST_DIGITS}, false) AS is_wide
        FROM parquet_schema(${fileLiteral(file)})`,
    );
    const nested = columns.filter(({ column_type }) => /\[\]$|^(STRUCT|MAP|JSON)/.test(column_type));
    return {
      names: columns.map(({ column_name }) => column_name),
      nested: new Set(nested.map(({ column_name }) => column_name)),
      tooWide: wideColumns(schema),
    };
  } catch (cause) {
    throw new InputError(`${path} begins like Parquet but cannot be read as it: it is damaged or cut off.`, { cause });
  } finally {
    db.close();
  }
}

/** A column of a Parquet schema, or a part of one. Each comes right before its children, and the root before all. */
interface SchemaNode {
  name: string;
  children: number;
  is_wide: boolean;
}

function wideColumns([, ...nodes]: readonly SchemaNode[]): Set<string> {
  const wide = new Set<string>();
  let column = '';
  let left = 0;
  for (const { name, children, is_wide } of nodes) {
    if (left === 0) [column, left] = [name, 1];
    left += children - 1;
    if (is_wide) wide.add(column);
  }
  return wide;
}

/** The names in a CSV header; quoted names may hold commas. */
function csvNames(header: string): string[] {
  const fields = header.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  const names = fields.map((field) =>
    field
      .replace(/,$/, '')
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
  return header.endsWith(',') ? names : names.slice(0, -1);
}

/** A page without a record, such as the last one of a download: nothing is lost with it. */
export class EmptyPage extends InputError {}

/** The start of a page, with the members before its list and the key of the list. */
const PAGE =
  /^\s*\[?\s*\{((?:\s*"[^"]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+|\{[^{}]*\})\s*,)*)\s*"(data|markets|events)"\s*:\s*\[/;

/** What else a page tells: the members of a record that itself has a list of markets or events are others. */
const PAGING = new Set(['next_cursor', 'pagination', 'limit', 'offset', 'count', 'has_more']);

function pageOf(text: string): { key: string; start: number } | undefined {
  const [start, before = '', key] = PAGE.exec(text) ?? [];
  if (start === undefined || key === undefined) return undefined;
  const members = Array.from(before.matchAll(/"([^"]*)"\s*:/g), ([, name = '']) => name);
  return key === 'data' || members.every((name) => PAGING.has(name)) ? { key, start: start.length } : undefined;
}

/**
 * Reads the first record, whose end is found by counting braces, since the text is only the start of the file.
 * Undefined if that end is not there.
 */
function jsonHead(path: string, text: string): Pick<Head, 'layout' | 'page' | 'names'> | undefined {
  if (/^\[\s*\]\s*$/.test(text)) throw new InputError(`${path} is an empty list, without a record: leave it out.`);
  const inPage = pageOf(text);
  if (inPage && /^\s*\]/.test(text.slice(inPage.start))) {
    throw new EmptyPage(`${path} is a page without a record: leave it out.`);
  }
  const start = text.indexOf('{', inPage?.start);
  const end = start === -1 ? -1 : endOfObject(text, start);
  if (end === -1) return undefined;
  const spread = /\n/.test(text.slice(inPage ? 0 : start, end));
  const layout = text.startsWith('[') ? 'array' : inPage || spread ? 'unstructured' : 'newline_delimited';
  return { layout, page: inPage?.key, names: keysOf(path, text.slice(start, end)) };
}

function keysOf(path: string, record: string): string[] {
  try {
    return Object.keys(JSON.parse(record));
  } catch (cause) {
    throw new InputError(`${path} holds malformed JSON in its first record: ${(cause as Error).message}.`, { cause });
  }
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === '\\') i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i + 1;
  }
  return -1;
}
