import { InputError } from '../../base/errors.js';
import type { InputReport } from '../folder/manifest.js';
import type { Database } from '../store/database.js';
import { parquetRows, pathLiteral } from './file-literal.js';
import type { Format } from './format.js';
import type { Head } from './head.js';
import { namesOf, STAGED } from './raw-tables.js';
import { sourceOf } from './source.js';

/** An input whose format is known, ready to be read. */
export interface Input {
  /** Its name in messages and reports. */
  path: string;
  /** The file that holds its bytes. */
  file: string;
  head: Head;
  format: Format;
}

/** The report of reading one input, without its name. */
export type Staged = Pick<InputReport, 'format' | 'rows' | 'kept' | 'skipped'>;

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
  return { format: format.name, rows, kept, skipped };
}

/** Counts the lines that the CSV reader could not split into the header's columns, and drops its tables of them. */
async function brokenLines(db: Database): Promise<number> {
  const [row] = await db.rows<{ n: bigint }>('SELECT count(DISTINCT line) AS n FROM reject_errors');
  await db.run('DROP TABLE reject_errors; DROP TABLE reject_scans');
  return Number(row?.n ?? 0);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = (text.split('\n', 1)[0] ?? '').replace(/^[\w ]+Error: /, '');
  // The engine advises settings that users of Oddslab cannot reach.
  return line
    .replace(/\s*(Parse errors cannot|Try setting).*$/, '')
    .replace(/ in file "[^"]*",?/, '')
    .trim();
}
