import { ColumnError, messageOf, UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { sessionFrames } from '../../base/session-frames.js';
import type { Tabular } from '../tabular/tabular.js';

const NO_NETWORK = 'it needs an extension of DuckDB, such as the one for the network; only local files can be read.';

/** Of the functions that DuckDB would take instead, those that are named. */
const MOST_CANDIDATES = 6;

/**
 * The error of a query that failed: DuckDB's reason, what there is where a table or a column was not found, and the
 * place in the query. DuckDB's own error is not its cause: it says nothing more, and would be read twice.
 */
export function sqlFailure(cause: unknown, frames: Readonly<Record<string, Tabular>>): Error {
  if (cause instanceof UsageError || cause instanceof ColumnError) return cause;
  const text = messageOf(cause);
  const [reason = ''] = text.replace('Failed to extract statements: ', '').split(/\n+LINE \d+: /, 1);
  return new UsageError([saidOf(reason.trim(), frames), placeOfFailure(text)].filter(Boolean).join('\n\n'));
}

function saidOf(reason: string, frames: Readonly<Record<string, Tabular>>): string {
  const table = /Table with name "?(.+?)"? does not exist/.exec(reason)?.[1];
  if (table !== undefined) return noTable(table, Object.keys(frames), sessionFrames(frames));
  if (/requires the extension/.test(reason)) return `The query failed: ${NO_NETWORK}`;
  const reader = /Macro (parquet_scan|read_\w+_auto)\(\) does not support/.exec(reason)?.[1];
  if (reader !== undefined)
    return `The query failed: ${reader}() takes a path alone; read_parquet(), read_csv() and read_json() take options.`;
  const alias = /Referenced table "(.+?)" not found/.exec(reason)?.[1];
  if (alias !== undefined) return noAlias(alias, candidatesIn(reason));
  const [, of, lacking] = /(?:Table|Values list) "(.+?)" does not have a column named "(.+?)"/.exec(reason) ?? [];
  if (of !== undefined && lacking !== undefined) return noColumnOf(of, lacking, frames, candidatesIn(reason));
  // So DuckDB sees it where a frame has a column of its own name, as `pnl` has.
  const [, field, owner] = /Cannot extract field '(.+?)' from expression "(.+?)"/.exec(reason) ?? [];
  if (field !== undefined && owner !== undefined && Object.hasOwn(frames, owner))
    return noColumnOf(owner, field, frames, []);
  const column = /Referenced column "(.+?)" not found/.exec(reason)?.[1];
  if (column !== undefined) return noColumn(column, frames, candidatesIn(reason));
  return `The query failed: ${fewCandidates(reason)}`;
}

/** @param session The frames that a cell could name, where the query is one. */
function noTable(name: string, given: readonly string[], session: readonly string[] | undefined): string {
  const tables = session ?? given;
  const none = session
    ? `the session has no frame yet. A cell such as const ${name} = … makes one`
    : `no frame was given. Give it: query(sql, { ${name} }); or begin a cell with %%sql, which finds the session's frames`;
  const list = tables.length === 0 ? none : `the ${session ? 'frames' : 'tables'} are ${tables.join(', ')}`;
  return `The query names a table "${name}" that does not exist: ${list}.${hintOf(name, tables)}`;
}

/** @param read Of the names by which the query reads its tables, those that DuckDB tells: not always all. */
function noAlias(name: string, read: readonly string[]): string {
  const list = read.length === 0 ? '' : ` It reads ${read.map((table) => `"${table}"`).join(', ')}, for one.`;
  return `The query names a table "${name}" that it does not read from.${hintOf(name, read) || list}`;
}

/** @param table As the query names it: a frame, or an alias, whose frame DuckDB does not tell. */
function noColumnOf(
  table: string,
  name: string,
  frames: Readonly<Record<string, Tabular>>,
  others: readonly string[],
): string {
  const named = Object.entries(frames).filter(([frame]) => frame === table);
  const tables = named.length > 0 ? named : Object.entries(frames);
  const known = [...tables.flatMap(([, { columns }]) => columns), ...others];
  // Another table may have the very column: to name that one again would help nobody.
  const hint = hintOf(
    name,
    known.filter((column) => column.toLowerCase() !== name.toLowerCase()),
  );
  return `The query names a column "${name}" that "${table}" does not have.${hint || readerFor(name)}${columnsOfEach(tables)}`;
}

/** @param others Columns that DuckDB knows: they may be those of a file. */
function noColumn(name: string, frames: Readonly<Record<string, Tabular>>, others: readonly string[]): string {
  const tables = Object.entries(frames);
  const hint = hintOf(name, [...tables.flatMap(([, { columns }]) => columns), ...others]);
  return `The query names a column "${name}" that is not in what it reads.${hint || readerFor(name)}${columnsOfEach(tables)}`;
}

/** What reads a column that DuckDB adds to those of a file; empty where it is none. */
function readerFor(name: string): string {
  if (!/^(filename|file_row_number|file_index)$/i.test(name)) return '';
  return ` A file named as a table has its own columns alone: FROM read_parquet('…') has ${name}, too.`;
}

function columnsOfEach(tables: readonly (readonly [name: string, frame: Tabular])[]): string {
  return tables.map(([table, { columns }]) => ` "${table}" has ${columns.join(', ')}.`).join('');
}

function candidatesIn(reason: string): string[] {
  const [, list = ''] = /Candidate (?:bindings|tables): (.*)/.exec(reason) ?? [];
  return Array.from(list.matchAll(/"([^"]+)"/g), ([, name]) => name ?? '');
}

function hintOf(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}

/** A reason with the first few of the functions that DuckDB lists: of an operator there are dozens. */
function fewCandidates(reason: string): string {
  const lines = reason.split('\n');
  const isCandidate = (line: string) => line.startsWith('\t') && !line.endsWith(':');
  const candidates = lines.filter(isCandidate);
  const left = new Set(candidates.slice(MOST_CANDIDATES));
  if (left.size === 0) return reason;
  return [...lines.filter((line) => !left.has(line)), `\t… and ${candidates.length - MOST_CANDIDATES} others`].join(
    '\n',
  );
}

/** The start of the statement that a query runs in, and of the one that DuckDB makes of a PIVOT. */
const [OURS, PIVOT] = [/^.*"oddslab result" AS (?:FROM \()?/, '__pivot_enum'];

/**
 * The line of a query that is wrong, with a caret under it, from DuckDB's message. The statement that precedes the
 * query is removed.
 *
 * @returns An empty string if DuckDB names no place, or one that is not in the query as its user wrote it.
 */
function placeOfFailure(message: string): string {
  const [, number, line = '', caret] = /^LINE (\d+): (.*)\n( *)\^/m.exec(message) ?? [];
  if (number === undefined || caret === undefined || line.includes(PIVOT)) return '';
  const ours = OURS.exec(line)?.[0].length ?? 0;
  const at = caret.length - `LINE ${number}: `.length - ours;
  return at < 0 ? '' : `line ${number}: ${line.slice(ours)}\n${' '.repeat(`line ${number}: `.length + at)}^`;
}
