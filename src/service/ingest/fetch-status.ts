import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { quoteText } from '../../base/duckdb.js';
import { InputError } from '../../base/errors.js';
import type { Database } from '../store/database.js';
import { unreadable } from './compression.js';

/** The file that tells what a folder of `oddslab fetch` holds, and how complete it is. */
export const FETCH_STATUS = 'fetch.json';

const time = z.iso.datetime({ offset: true });

const statusSchema = z.object({
  oddslab_fetch: z.literal(1),
  kind: z.string().min(1),
  target: z.string(),
  started: time,
  ended: time.nullable(),
  complete: z.boolean(),
  /** Unix seconds up to which the record is known. */
  until: z.int().nullable(),
  missing: z.array(z.object({ what: z.string(), from: time.nullable(), until: time.nullable(), why: z.string() })),
});

/** What was fetched, and how complete it is. A fetch that was killed has not `ended`, and is not `complete`. */
export type FetchStatus = z.output<typeof statusSchema>;

/**
 * Reads the status of a folder that `oddslab fetch` wrote.
 *
 * @throws {InputError} If it cannot be read, is of another release, or is not what `oddslab fetch` writes.
 */
export async function readFetchStatus(folder: string): Promise<FetchStatus> {
  const path = join(folder, FETCH_STATUS);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(`${path} is no JSON: ${(cause as Error).message}. ${MEND}`, { cause });
  }
  const version = (value as { oddslab_fetch?: unknown } | null)?.oddslab_fetch;
  if (typeof version === 'number' && version !== 1) {
    throw new InputError(
      `${path} is of another release (layout ${version}, this one reads 1): ingest it with the release that fetched it.`,
    );
  }
  const { success, data, error } = statusSchema.safeParse(value);
  if (success) return data;
  const faults = error.issues.map(({ path: at, message }) => `  at /${at.map(String).join('/')}: ${message}`);
  throw new InputError(`${path} is not what oddslab fetch writes:\n${faults.join('\n')}\n${MEND}`, { cause: error });
}

const MEND = 'Fetch again into this folder, or remove the file to ingest the records without it.';

/** Columns of the table of statuses; times in Unix seconds and milliseconds, `missing` a JSON list. */
export const FETCHES =
  'kind VARCHAR, target VARCHAR, complete BOOLEAN, until BIGINT, missing VARCHAR, ended_ms BIGINT, started_ms BIGINT';

/** Fills the table `fetches` from that of an earlier version and from statuses: the latest of each kind and target. */
export async function loadFetches(db: Database, statuses: readonly FetchStatus[]): Promise<void> {
  await db.run(`INSERT INTO fetches ${latest(`FROM old_fetches UNION ALL ${rowsOf(statuses)}`)} ORDER BY kind, target`);
}

/**
 * Whether statuses tell of completeness what a version's database does not know yet. That a fetch ran again and found
 * nothing new is no reason for another version: it would take the place of an older one.
 */
export async function tellsMore(db: Database, statuses: readonly FetchStatus[]): Promise<boolean> {
  const [row] = await db.rows<{ n: bigint }>(`
    SELECT count(*) AS n FROM (
      SELECT kind, target, complete, missing FROM (${latest(`FROM fetches UNION ALL ${rowsOf(statuses)}`)})
      EXCEPT SELECT kind, target, complete, missing FROM fetches)`);
  return row !== undefined && row.n > 0n;
}

/** Of two runs that fetched the same, the one that began later counts; of one run, what it said at its end. */
function latest(rows: string): string {
  return `SELECT * FROM (${rows})
    QUALIFY row_number() OVER (PARTITION BY kind, target ORDER BY started_ms DESC, ended_ms DESC NULLS LAST, complete, until, missing) = 1`;
}

function rowsOf(statuses: readonly FetchStatus[]): string {
  const values = statuses.map(({ kind, target, started, ended, complete, until, missing }) => {
    const list = quoteText(JSON.stringify(missing));
    return `(${quoteText(kind)}, ${quoteText(target)}, ${complete}, ${until ?? 'NULL'}, ${list}, ${ended ? Date.parse(ended) : 'NULL'}, ${Date.parse(started)})`;
  });
  const names = FETCHES.split(', ').map((column) => column.split(' ')[0] ?? '');
  const typed = FETCHES.split(', ').map((column, n) => `${names[n]}::${column.split(' ')[1]} AS ${names[n]}`);
  if (values.length === 0)
    return `SELECT ${typed.map((column) => column.replace(/^\w+/, 'NULL')).join(', ')} WHERE false`;
  return `SELECT ${typed.join(', ')} FROM (VALUES ${values.join(', ')}) v(${names.join(', ')})`;
}
