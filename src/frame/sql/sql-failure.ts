import { nearest } from '../../contract/nearest.js';
import { ColumnError, UsageError } from '../../errors.js';
import type { Tabular } from '../tabular.js';

const NO_NETWORK = 'it needs an extension of DuckDB, such as the one for the network; only local files can be read.';

/** The error of a query that failed: DuckDB's reason, and what there is where a table or a column was not found. */
export function sqlFailure(cause: unknown, frames: Readonly<Record<string, Tabular>>): Error {
  if (cause instanceof UsageError || cause instanceof ColumnError) return cause;
  const text = messageOf(cause);
  const table = /Table with name (.+?) does not exist/.exec(text)?.[1];
  if (table !== undefined) return new UsageError(noTable(table, Object.keys(frames)), { cause });
  if (/requires the extension/.test(text)) return new UsageError(`The query failed: ${NO_NETWORK}`, { cause });
  const column = /Referenced column "(.+?)" not found/.exec(text)?.[1];
  const shown = column === undefined ? reasonOf(text) : `${firstLine(text)} ${tablesOf(frames)}`;
  return new UsageError(`The query failed: ${shown}`, { cause });
}

function messageOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace('Failed to extract statements: ', '');
}

function noTable(name: string, tables: readonly string[]): string {
  const near = nearest(name, tables);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const list = tables.length === 0 ? 'no frame was given' : `the tables are ${tables.join(', ')}`;
  return `The query names a table "${name}" that there is not: ${list}.${hint}`;
}

function tablesOf(frames: Readonly<Record<string, Tabular>>): string {
  return Object.entries(frames)
    .map(([name, { columns }]) => `"${name}" has ${columns.join(', ')}.`)
    .join(' ');
}

/** DuckDB's reason with the place in the query, without the statement that we put before it. */
function reasonOf(text: string): string {
  return text.includes('oddslab result') ? firstLine(text) : text.trim();
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
