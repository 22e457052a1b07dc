import { quote } from '../store/database.js';
import { AS_IT_IS, fileLiteral, parquetRows } from './file-literal.js';
import type { Format } from './format.js';
import type { Head } from './head.js';

/** A column's name as SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
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
    const column = identifier(name);
    if (!known.has(name)) return `NULL::VARCHAR AS ${column}`;
    return head.nested.has(name) ? `to_json(${column})::VARCHAR AS ${column}` : `${column}::VARCHAR AS ${column}`;
  });
  const rows = head.kind === 'csv' ? csvSource(file, head, format) : parquetRows(file);
  return `(SELECT ${fields.join(', ')}, ${row} FROM ${rows})`;
}

function jsonSource(file: string, head: Head, format: Format): string {
  const names = [...format.required, ...format.optional];
  if (!head.paged && (head.layout === 'array' || head.layout === 'newline_delimited')) {
    // The reader can skip malformed lines and values that are no objects, but not a malformed list.
    return readJson(file, head, RECORD_BYTES, `records = true, ignore_errors = true, columns = ${asText(names)}`);
  }
  const fields = names.map((name) => `json_extract_string(_record, ${quote(`$."${name}"`)}) AS ${identifier(name)}`);
  return `(SELECT ${fields.join(', ')} FROM (SELECT ${jsonRecords(file, head)}))`;
}

/** Selects the records as JSON. It fails on an error: skipping errors would lose the records after them. */
function jsonRecords(file: string, head: Head): string {
  // A page without a list, such as an error, becomes a row without a value, which is told.
  const whole = (data: string) => `coalesce(${data}, [NULL])`;
  const pages = (records: boolean, columns: string) =>
    readJson(file, head, PAGE_BYTES, `records = ${records}, columns = {${columns}}`);
  if (head.layout === 'lists' && head.paged) {
    return `unnest(${whole('page.data')}) AS _record FROM (SELECT unnest(list) AS page FROM ${pages(false, "list: 'STRUCT(data JSON[])[]'")})`;
  }
  if (head.layout === 'lists') return `unnest(list) AS _record FROM ${pages(false, "list: 'JSON[]'")}`;
  if (head.paged) return `unnest(${whole('data')}) AS _record FROM ${pages(true, "data: 'JSON[]'")}`;
  return `_record FROM ${readJson(file, head, RECORD_BYTES, `records = false, columns = {_record: 'JSON'}`)}`;
}

function readJson(file: string, head: Head, mostBytes: number, options: string): string {
  const format = head.layout === 'lists' ? 'unstructured' : head.layout;
  return `read_json(${fileLiteral(file)}, format = '${format}', compression = '${packing(head)}', ${AS_IT_IS},
    maximum_object_size = ${mostBytes}, ${options})`;
}

/** The largest record and, below, the largest page of records: the reader keeps several of this size in memory. */
const RECORD_BYTES = 1 << 24;
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
  return `{${names.map((name) => `${quote(name)}: 'VARCHAR'`).join(', ')}}`;
}

/** The compression, always stated: the engine would go by the file's name. */
function packing({ compression }: Head): string {
  return compression === 'none' ? 'uncompressed' : compression;
}
