import type { Database, SqlValue } from '../store/database.js';
import { blankLines, withLines } from './line-numbers.js';
import { sourceOf } from './source.js';
import { type Input, NO_LINE } from './stage.js';

/** A row of an input that was left out. */
export interface DoubtfulRow {
  file: string;
  /** The line on which it begins, from 1; absent in Parquet, and where another record begins on the same one. */
  line?: number;
  /** Its number among the file's records, from 1. */
  record: number;
  reason: string;
}

/**
 * Finds the rows of an input that were left out, by reading it once more, in their order in the file.
 *
 * @param even The same, evened out where it has to be for the engine.
 * @param each How many of each reason at most. Default all.
 */
export async function* doubtfulRows(
  db: Database,
  input: Input,
  even: Input,
  each?: number,
): AsyncGenerator<DoubtfulRow> {
  const { path, file, head, format } = input;
  await db.run(`CREATE OR REPLACE TEMP TABLE left_out AS
    SELECT row, reason FROM (${format.select(sourceOf(even.file, even.head, format, true))}) WHERE reason IS NOT NULL`);
  if (head.kind === 'csv') await addBroken(db, input);
  const most = each === undefined ? '' : `QUALIFY row_number() OVER (PARTITION BY reason ORDER BY row) <= ${each}`;
  const found = rowsOf(path, db.chunks(`SELECT row::DOUBLE, reason FROM left_out ${most} ORDER BY row, reason`));
  yield* head.kind === 'parquet' ? found : withLines(path, file, head, found);
}

/** How many numbers one statement takes. */
const BATCH = 1000;

/** Adds the broken lines of a CSV to those that were left out, and gives these their numbers among all records. */
async function addBroken(db: Database, { path, file, head }: Input): Promise<void> {
  await db.run('CREATE OR REPLACE TEMP TABLE blank (line BIGINT)');
  const [broken] = await db.rows<{ n: bigint }>('SELECT count(*) AS n FROM reject_errors');
  let batch: number[] = [];
  const add = async () => {
    if (batch.length > 0) await db.run(`INSERT INTO blank VALUES (${batch.join('), (')})`);
    batch = [];
  };
  for await (const line of broken?.n ? blankLines(path, file, head) : []) {
    batch.push(line);
    if (batch.length === BATCH) await add();
  }
  await add();
  await db.run(WITH_BROKEN);
}

/**
 * The reader numbers the lines that it can split, and tells of the broken ones the number among all, blank ones too: from
 * the difference follows the number among all records of each.
 */
const WITH_BROKEN = `
  CREATE OR REPLACE TEMP TABLE broken AS
    SELECT r.line - 1 - coalesce(before, 0) AS record, row_number() OVER (ORDER BY r.line) AS nth
    FROM (SELECT DISTINCT line::BIGINT AS line FROM reject_errors) r
      ASOF LEFT JOIN (SELECT line, row_number() OVER (ORDER BY line) AS before FROM blank) b ON r.line > b.line;
  CREATE OR REPLACE TEMP TABLE left_out AS
    SELECT row + coalesce(nth, 0) AS row, reason FROM left_out
      ASOF LEFT JOIN (SELECT max(nth) AS nth, record - nth AS readable FROM broken GROUP BY readable) b
      ON row > readable
    UNION ALL SELECT record, '${NO_LINE}' FROM broken;
  DROP TABLE blank; DROP TABLE broken; DROP TABLE reject_errors; DROP TABLE reject_scans`;

async function* rowsOf(file: string, chunks: AsyncIterable<SqlValue[][]>): AsyncGenerator<DoubtfulRow> {
  for await (const [rows, reasons] of chunks) {
    for (const [i, record] of (rows ?? []).entries()) {
      yield { file, record: Number(record), reason: String(reasons?.[i]) };
    }
  }
}
