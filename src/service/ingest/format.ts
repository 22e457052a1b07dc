import { InputError } from '../../errors.js';
import { quote } from '../store/database.js';
import { activityFormat } from './activity.js';
import { gammaFormat } from './gamma.js';
import type { Head } from './head.js';
import { tradesFormat } from './trades.js';

/**
 * A public input format: how to know it, and the query that stages its records. The staged rows of markets and of
 * events have the columns of `STAGE_TABLES`; a row with a `reason` is skipped and counted under it.
 */
export interface Format {
  readonly name: string;
  readonly into: 'markets' | 'events';
  readonly matches: (head: Head) => boolean;
  /** Selects the staged columns from `source`, a table function call over the file. */
  readonly select: (source: string) => string;
  /** The fields that are read, all as text. */
  readonly fields: readonly string[];
}

const FORMATS: readonly Format[] = [gammaFormat, activityFormat, tradesFormat];

/** The format that a file's opening shows, or an error that says which ones there are. */
export function recognize(path: string, head: Head): Format {
  const format = FORMATS.find((candidate) => candidate.matches(head));
  if (format) return format;
  const seen = head.kind === 'json' ? [...head.keys] : head.columns;
  throw new InputError(
    `${path} has no format that ingest knows (${FORMATS.map(({ name }) => name).join(', ')}): ` +
      `its first record has the fields ${seen.slice(0, 8).join(', ') || '(none)'}.`,
  );
}

/** The table function call that reads a file's fields as text. */
export function sourceOf(path: string, head: Head, format: Format): string {
  const asText = (names: readonly string[]) => `{${names.map((name) => `${quote(name)}: 'VARCHAR'`).join(', ')}}`;
  if (head.kind === 'json') {
    return `read_json(${quote(path)}, format = '${head.layout}', records = true, ignore_errors = true, maximum_object_size = 67108864, columns = ${asText(format.fields)})`;
  }
  const missing = format.fields.filter((name) => !head.columns.includes(name));
  const blanks = missing.map((name) => `, NULL::VARCHAR AS "${name}"`).join('');
  const csv = `read_csv(${quote(path)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', ignore_errors = true, store_rejects = true, columns = ${asText(head.columns)})`;
  return `(SELECT *${blanks} FROM ${csv})`;
}
