import { InputError } from '../../errors.js';
import type { InputReport } from '../folder/versions.js';
import type { Database } from '../store/database.js';
import { type Format, recognize, sourceOf } from './format.js';
import { type Head, readHead } from './head.js';

/** An input whose format was recognized, ready to be read. */
export interface Input {
  path: string;
  head: Head;
  format: Format;
}

/** Looks at how an input begins. @throws {InputError} If it is missing, empty or of no known format. */
export async function openInput(path: string): Promise<Input> {
  const head = await readHead(path);
  return { path, head, format: recognize(path, head) };
}

/** Reads one input into its table and counts what was kept and what was skipped, by reason. */
export async function stageInput(db: Database, input: Input, sha256: string): Promise<InputReport> {
  const { format } = input;
  const columns = format.into === 'markets' ? MARKETS : EVENTS;
  try {
    await db.run(`CREATE OR REPLACE TEMP TABLE staged AS ${format.select(sourceOf(input.path, input.head, format))}`);
  } catch (cause) {
    throw new InputError(
      `${input.path} cannot be read to its end as ${format.name}: ${firstLine(cause)} Download it again.`,
      {
        cause,
      },
    );
  }
  const reasons = await db.rows<{ reason: string | null; n: bigint }>(
    'SELECT reason, count(*) AS n FROM staged GROUP BY reason ORDER BY n DESC, reason',
  );
  const skipped = Object.fromEntries(
    reasons.flatMap(({ reason, n }) => (reason === null ? [] : [[reason, Number(n)]])),
  );
  const broken = input.head.kind === 'csv' ? await brokenLines(db) : 0;
  if (broken > 0) skipped[NO_LINE] = broken;
  const kept = Number(reasons.find(({ reason }) => reason === null)?.n ?? 0);
  await db.run(`INSERT INTO ${format.into} (${columns}) SELECT ${columns} FROM staged WHERE reason IS NULL`);
  await db.run('DROP TABLE staged');
  const unreadable = (skipped[NO_LINE] ?? 0) + (skipped['not a record'] ?? 0);
  const rows = Object.values(skipped).reduce((sum, n) => sum + n, kept);
  if (rows > 0 && unreadable === rows) {
    throw new InputError(`${input.path} holds no readable row of ${format.name}: each of its ${rows} is broken.`);
  }
  return { file: input.path, sha256, format: format.name, rows, kept, skipped, doubtful: {} };
}

const MARKETS =
  'condition_id, question, slug, event_slug, closed, volume, start_ms, end_ms, close_ms, token_a, token_b, outcome_a, outcome_b, winner, neg_risk_id, updated_ms';
const EVENTS = 'kind, wallet, condition_id, token, ts, shares, usd, tx';

const NO_LINE = 'not a line of this CSV';

/** Lines that the CSV reader could not split into the header's columns; it keeps them in a table of its own. */
async function brokenLines(db: Database): Promise<number> {
  const [row] = await db.rows<{ n: bigint }>('SELECT count(DISTINCT line) AS n FROM reject_errors');
  await db.run('DROP TABLE reject_errors; DROP TABLE reject_scans');
  return Number(row?.n ?? 0);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = (text.split('\n', 1)[0] ?? '').replace(/^[\w ]+Error: /, '');
  // What the engine advises to set is nothing that a user of ours can.
  return line
    .replace(/\s*(Parse errors cannot|Try setting).*$/, '')
    .replace(/ in file "[^"]*",?/, '')
    .trim();
}
