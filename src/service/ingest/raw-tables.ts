import type { Database } from '../store/database.js';
import { parquetRows, pathLiteral } from './file-literal.js';
import type { Records } from './format.js';

type Columns = readonly (readonly [name: string, type: string])[];

const MARKET: Columns = [
  ['condition_id', 'VARCHAR'],
  ['question', 'VARCHAR'],
  ['slug', 'VARCHAR'],
  ['event_slug', 'VARCHAR'],
  ['closed', 'BOOLEAN'],
  ['volume', 'BIGINT'],
  ['start_ms', 'BIGINT'],
  ['end_ms', 'BIGINT'],
  ['close_ms', 'BIGINT'],
  ['token_a', 'VARCHAR'],
  ['token_b', 'VARCHAR'],
  ['outcome_a', 'VARCHAR'],
  ['outcome_b', 'VARCHAR'],
  ['winner', 'TINYINT'],
  ['neg_risk_id', 'VARCHAR'],
  ['updated_ms', 'BIGINT'],
  ['number', 'VARCHAR'],
];

const EVENT: Columns = [
  ['kind', 'TINYINT'],
  ['wallet', 'VARCHAR'],
  ['condition_id', 'VARCHAR'],
  ['token', 'VARCHAR'],
  ['ts', 'BIGINT'],
  ['shares', 'BIGINT'],
  ['usd', 'BIGINT'],
  ['tx', 'VARCHAR'],
  ['id', 'UUID'],
  ['block', 'BIGINT'],
  ['number', 'VARCHAR'],
  ['side', 'TINYINT'],
];

const BLOCK: Columns = [
  ['block', 'BIGINT'],
  ['ts', 'BIGINT'],
];

/**
 * The raw records that a version keeps, so that the next ingest builds on them. `ts` is in Unix seconds, `…_ms` in Unix
 * milliseconds, `volume` and `usd` in micro-USD, `shares` in millionths. `winner` is 0, 1 or 2 for a tie. `id` is null
 * if the format has no true id. An event with a `block` takes its time from that block; one with the `number` of a
 * market and a `side` takes its token from that market. It stays in `pending` until that is known.
 */
const RAW = { market_records: MARKET, blocks: BLOCK, events: EVENT, pending: EVENT };

/** The columns that a format stages, besides `reason` and `row`. */
export const STAGED: Readonly<Record<Records, Columns>> = {
  markets: MARKET,
  events: EVENT,
  blocks: BLOCK,
};

/** Column names as SQL. */
export function namesOf(columns: Columns): string {
  return columns.map(([name]) => name).join(', ');
}

/** Makes the empty tables of raw records. */
export async function createRawTables(db: Database): Promise<void> {
  for (const [table, columns] of Object.entries(RAW)) await db.run(`CREATE TABLE ${table} ${typed(columns)}`);
}

/**
 * Makes views of the raw records of an earlier version (`old_…`) and of those that inputs staged (`new_…`).
 *
 * @param previous The earlier version's database, if there is one; attached as `previous`.
 * @param staged Parquet files by what they hold.
 */
export async function offerRaw(
  db: Database,
  previous: string | undefined,
  staged: Readonly<Record<Records, readonly string[]>>,
): Promise<void> {
  if (previous) await db.run(`ATTACH ${pathLiteral(previous)} AS previous (READ_ONLY)`);
  for (const [table, columns] of Object.entries(RAW)) {
    const rows = previous ? `SELECT ${namesOf(columns)} FROM previous.${table}` : empty(columns);
    await db.run(`CREATE TEMP VIEW old_${table} AS ${rows}`);
  }
  for (const into of ['markets', 'events', 'blocks'] as const) {
    const files = staged[into];
    const names = namesOf(STAGED[into]);
    const rows =
      files.length > 0 ? `SELECT ${names} FROM ${parquetRows(...files)} WHERE reason IS NULL` : empty(STAGED[into]);
    await db.run(`CREATE TEMP VIEW new_${into} AS ${rows}`);
  }
}

/** Removes what {@link offerRaw} made. */
export async function withdrawRaw(db: Database, previous: string | undefined): Promise<void> {
  const views = [...Object.keys(RAW).map((table) => `old_${table}`), 'new_markets', 'new_events', 'new_blocks'];
  for (const view of views) await db.run(`DROP VIEW ${view}`);
  if (previous) await db.run('DETACH previous');
}

function typed(columns: Columns): string {
  return `(${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`;
}

function empty(columns: Columns): string {
  return `SELECT ${columns.map(([name, type]) => `NULL::${type} AS ${name}`).join(', ')} WHERE false`;
}

/** The columns of a market, in the order of its table. */
export const MARKET_NAMES = namesOf(MARKET);
