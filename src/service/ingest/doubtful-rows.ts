import { quoteText } from '../../base/duckdb.js';
import type { Database } from '../store/database.js';
import type { DoubtfulRow } from './doubts.js';
import { blankLines, withLines } from './line-numbers.js';
import { type Input, NO_LINE, sourceOf } from './stage.js';

/**
 * Finds the rows of an input that were left out, in their order in the file, by reading it once more.
 *
 * @param even The same input, evened out if the engine needs it.
 * @param each The most rows for each reason. Default all.
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
  const found = db.each<DoubtfulRow>(`
    SELECT ${quoteText(path)} AS file, row::DOUBLE AS record, reason FROM left_out ${most} ORDER BY row, reason`);
  yield* head.kind === 'parquet' ? found : withLines(path, file, head, found);
}

/** The number of rows that one statement inserts. */
const BATCH = 1000;

/** Adds the broken lines of a CSV to the rows that were left out, and renumbers these among all records. */
async function addBroken(db: Database, { path, file, head }: Input): Promise<void> {
  await db.run('CREATE OR REPLACE TEMP TABLE blank (line BIGINT)');
  const [broken] = await db.rows<{ n: bigint }>('SELECT count(*) AS n FROM reject_errors');
  let batch: number[] = [];
  const add = async () => {
    if (batch.length > 0) await db.run(`INSERT INTO blank VALUES (${batch.join('), (')})`);
    batch = [];
  };
  for await (const line of broken?.n ? blankLines(path, file, head) : []) {
    if (batch.push(line) === BATCH) await add();
  }
  await add();
  await db.run(WITH_BROKEN);
}

/**
 * The reader counts readable rows without broken ones, but numbers a broken line among all lines, blank ones included.
 * The number of each among all records follows from both.
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
