import { quoteText } from '../../base/duckdb.js';
import type { Database } from '../store/database.js';
import { countOnce, dropRepeats, HELD, type Merged } from './count-once.js';
import { countDoubts, DROPPED, WAITING } from './doubts.js';
import { type InputOrigin, loadOrigins, ORIGINS, type OriginNumbers } from './fetch-origins.js';
import { FETCHES, type FetchStatus, loadFetches } from './fetch-status.js';
import { BEST_FIRST, keepLatestMarkets } from './resolved-markets.js';
import { parquetRows, pathLiteral } from './sql-text.js';
import { ON_PURPOSE } from './staged-columns.js';

/** Columns of a table, in the order of their definition. */
type Columns = readonly { readonly name: string; readonly type: string }[];

/** Reads the definition of columns as SQL. */
function columnsOf(definition: string): Columns {
  return definition.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().split(' ');
    return { name, type };
  });
}

const MARKET = columnsOf(`
  condition_id VARCHAR, question VARCHAR, slug VARCHAR, event_slug VARCHAR, closed BOOLEAN, volume BIGINT,
  start_ms BIGINT, end_ms BIGINT, close_ms BIGINT, token_a VARCHAR, token_b VARCHAR, outcome_a VARCHAR,
  outcome_b VARCHAR, winner TINYINT, neg_risk_id VARCHAR, updated_ms BIGINT, number VARCHAR, category VARCHAR,
  fee_rate DOUBLE, fee_exponent DOUBLE, fee_taker_only BOOLEAN, end_close BOOLEAN`);

/** A market's record as a version keeps it: `ingest` is the number of the last ingest that stated it. */
const RECORD = [...MARKET, ...columnsOf('ingest INTEGER')];

const EVENT = columnsOf(`
  kind TINYINT, wallet VARCHAR, condition_id VARCHAR, token VARCHAR, ts BIGINT, shares BIGINT, usd BIGINT,
  tx VARCHAR, id UUID, block BIGINT, number VARCHAR, side TINYINT, fee TINYINT`);

/** What versions of earlier releases lack of an event, and what does not tell it from another one. */
const LATER = columnsOf('price INTEGER');

/** An event as a version keeps it: `origin` is null unless only downloads of one fetch state it. */
const KEPT_EVENT = [...EVENT, ...LATER, ...columnsOf('origin INTEGER')];

/** Rows of a wallet that no event was made of, by their content: how many of the download with most of them. */
const SKIPPED = columnsOf('wallet VARCHAR, content UHUGEINT, n INTEGER, origin INTEGER');

const BLOCK = columnsOf('block BIGINT, ts BIGINT');

const TOKEN = columnsOf(`
  token VARCHAR, condition_id VARCHAR, side TINYINT, event_id VARCHAR, neg_risk BOOLEAN, question_index INTEGER,
  opposite VARCHAR`);

const RESOLUTION = columnsOf('condition_id VARCHAR, payout_a DOUBLE, payout_b DOUBLE, resolved_ms BIGINT');

/**
 * The raw records that a version keeps, so that the next ingest builds on them. `ts` is in Unix seconds, `…_ms` in Unix
 * milliseconds, `volume` and `usd` in micro-USD, `shares` in millionths. `winner` is 0, 1 or 2 for a tie. `id` is null
 * if the format has no true id. An event with a `block` takes its time from that block; one with the `number` of a
 * market and a `side` takes its token from that market. It stays in `pending` until that is known. `fee` is 1 for a fill
 * whose dollars include the fee, 2 for one whose dollars should include it but are its price times its shares, 0 for one
 * whose fee is not known, and null for what is no fill. `price` is that of a share as its record states it, in micro-USD;
 * null where it states none. Income has a wallet, a time and dollars alone.
 *
 * A market's `fee_…` columns are its fee schedule: a taker's fee is shares · rate · (p(1−p))^exponent. `end_close` tells
 * whether `close_ms` is only the end date, since its record states no close time; null where `close_ms` is. A token's
 * `side` is 0 or 1, `opposite` its market's other token, and `question_index` the place of its market in the event
 * `event_id`. A resolution's payouts are those of one share of either side, in dollars.
 *
 * A fetch states the whole record of what it fetches. When its file is read again with other content, it takes the
 * place of what only this fetch stated before, so that a row that changed or vanished at the source leaves. `origins`
 * numbers the fetches that state events, by the format of their files.
 */
const RAW = {
  market_records: RECORD,
  blocks: BLOCK,
  tokens: TOKEN,
  resolutions: RESOLUTION,
  events: KEPT_EVENT,
  pending: KEPT_EVENT,
  skipped: SKIPPED,
  fetches: columnsOf(FETCHES),
  origins: columnsOf(ORIGINS),
};

/** The columns that a format stages, besides `reason` and `row`. */
export const STAGED: Readonly<Record<Records, Columns>> = {
  markets: MARKET,
  events: [...EVENT, ...LATER],
  blocks: BLOCK,
  tokens: TOKEN,
  resolutions: RESOLUTION,
};

/** No file of any kind of records. */
export function noneStaged(): Record<Records, string[]> {
  return { markets: [], events: [], blocks: [], tokens: [], resolutions: [] };
}

/** Column names as SQL. */
export function namesOf(columns: Columns): string {
  return columns.map(({ name }) => name).join(', ');
}

/** Makes the empty tables of raw records. */
export async function createRawTables(db: Database): Promise<void> {
  for (const [table, columns] of Object.entries(RAW)) await db.run(`CREATE TABLE ${table} AS ${empty(columns)}`);
}

/**
 * Makes views of the raw records of an earlier version (`old_…`) and of those that inputs staged (`new_…`).
 *
 * @param previous The earlier version's database, if there is one; attached as `previous`.
 * @param staged Parquet files by what they hold.
 * @param downloads The number of the download of each file of events.
 * @param origins The fetch of each file of events.
 */
async function offerRaw(
  db: Database,
  previous: string | undefined,
  staged: Readonly<Record<Records, readonly string[]>>,
  { downloads, origins }: { downloads: readonly number[]; origins: readonly (InputOrigin | undefined)[] },
): Promise<OriginNumbers> {
  if (previous) await db.run(`ATTACH ${pathLiteral(previous)} AS previous (READ_ONLY)`);
  const isPriced = previous !== undefined && (await hasPrices(db));
  const offerOld = async (table: string, columns: Columns, where = '') => {
    const names = columns.map(({ name }) => (name === 'price' && !isPriced ? 'NULL::INTEGER AS price' : name));
    const rows = previous ? `SELECT ${names.join(', ')} FROM previous.${table} ${where}` : empty(columns);
    await db.run(`CREATE OR REPLACE TEMP VIEW old_${table} AS ${rows}`);
  };
  for (const [table, columns] of Object.entries(RAW)) await offerOld(table, columns);
  const numbers = await loadOrigins(db, origins);
  if (numbers.replaced.length > 0) {
    const left = `WHERE origin IS NULL OR origin NOT IN (${numbers.replaced.map(({ origin }) => origin).join()})`;
    for (const table of OF_ORIGINS) await offerOld(table, RAW[table], left);
  }
  const ofFile = (values: readonly (number | string)[], type: string) =>
    `([${values.join()}]::${type}[])[file_index::INTEGER + 1]`;
  const download = ofFile(
    downloads.map((n) => n + HELD.inputs),
    'INTEGER',
  );
  const origin = ofFile(numbers.ofFiles, 'INTEGER');
  for (const [into, columns] of Object.entries(STAGED)) {
    const files = staged[into as Records];
    const added = into === 'events' ? `, ${origin} AS origin, ${download} AS download` : '';
    const rows =
      files.length > 0
        ? `SELECT ${namesOf(columns)}${added} FROM ${parquetRows(files)} WHERE reason IS NULL`
        : empty(into === 'events' ? [...KEPT_EVENT, ...columnsOf('download INTEGER')] : columns);
    await db.run(`CREATE TEMP VIEW new_${into} AS ${rows}`);
  }
  const target = ofFile(
    origins.map((of) => (of?.kind === 'wallet' ? quoteText(of.target) : 'NULL')),
    'VARCHAR',
  );
  await db.run(
    `CREATE TEMP VIEW new_skipped AS ${
      staged.events.length > 0
        ? `SELECT CASE WHEN regexp_full_match(wallet, '0x[0-9a-f]{40}') THEN wallet ELSE ${target} END AS wallet,
            md5_number(row(${namesOf(EVENT)}, reason)::VARCHAR) AS content, ${origin} AS origin, ${download} AS download
          FROM ${parquetRows(staged.events)} WHERE reason IS NOT NULL AND NOT ${ON_PURPOSE('reason')}`
        : empty([...SKIPPED, ...columnsOf('download INTEGER')])
    }`,
  );
  return numbers;
}

/** Whether the attached earlier version keeps the prices of its events, as those of earlier releases do not. */
async function hasPrices(db: Database): Promise<boolean> {
  const found = await db.rows(
    `SELECT 1 AS n FROM duckdb_columns() WHERE database_name = 'previous' AND table_name = 'events' AND column_name = 'price'`,
  );
  return found.length > 0;
}

/** The tables whose rows may be those of one fetch alone. */
const OF_ORIGINS = ['events', 'pending', 'skipped'] as const;

/** Removes what {@link offerRaw} made. */
async function withdrawRaw(db: Database, previous: string | undefined): Promise<void> {
  const views = [
    ...Object.keys(RAW).map((table) => `old_${table}`),
    ...[...Object.keys(STAGED), 'skipped'].map((into) => `new_${into}`),
  ];
  for (const view of views) await db.run(`DROP VIEW ${view}`);
  if (previous) await db.run('DETACH previous');
}

function empty(columns: Columns): string {
  return `SELECT ${columns.map(({ name, type }) => `NULL::${type} AS ${name}`).join(', ')} WHERE false`;
}

/** Options for loading raw records. */
interface LoadOptions {
  downloads?: readonly number[];
  /** The fetch that wrote each file of events; undefined for a file of another source. Default: none did. */
  origins?: readonly (InputOrigin | undefined)[];
  /** What folders of `oddslab fetch` say of themselves. */
  fetches?: readonly FetchStatus[];
  repeatsAtOnce?: number;
}

/** The number of doubts by reason, and of events that were dropped as others stand for them. */
interface Loaded {
  doubtful: Record<string, number>;
  merged: Merged;
  /** The fetches whose earlier files were replaced. */
  replaced: readonly InputOrigin[];
}

/**
 * Fills the tables of raw records from those of an earlier version and from staged ones. The result does not depend on
 * the order of the inputs.
 *
 * Events that lack a time or a token get it from the blocks and markets of all inputs; those that cannot are kept aside
 * in `pending`. Of events with the same true id, one stays. In `pending`, all that differ stay: which of them is
 * kept is decided once they are completed. Events without an id that several downloads hold count once.
 *
 * @param previous The earlier version's database, if there is one.
 * @param staged Parquet files by what they hold.
 * @param options.downloads The number of the download of each file of events. Default: each file is one.
 * @param options.origins The fetch of each file of events: what it stated before is replaced.
 * @param options.repeatsAtOnce How many rows to remove repeats from at a time: all at once would have to fit in memory.
 */
export async function loadRaw(
  db: Database,
  previous: string | undefined,
  staged: Readonly<Record<Records, readonly string[]>>,
  options: LoadOptions = {},
): Promise<Loaded> {
  const { downloads = staged.events.map((_, n) => n), fetches = [], repeatsAtOnce = 1_000_000 } = options;
  const { origins = staged.events.map(() => undefined) } = options;
  await createRawTables(db);
  for (const table of EVENT_TABLES) await db.run(`ALTER TABLE ${table} ADD COLUMN download INTEGER`);
  const { replaced } = await offerRaw(db, previous, staged, { downloads, origins });
  for (const statement of RECORDS) await db.run(statement);
  const given = await keepLatestMarkets(
    db,
    RECORD.map(({ name }) => name),
  );
  for (const statement of EVENTS) await db.run(statement);
  await loadFetches(db, fetches);
  await withdrawRaw(db, previous);
  let repeats = 0;
  const merged: Merged = {};
  for (const table of EVENT_TABLES) {
    const by = table === 'events' ? 'id' : 'id, content';
    repeats += await dropRepeats(db, table, { by, columns: namesOf(EVENT), atOnce: repeatsAtOnce });
    for (const [reason, n] of Object.entries(await countOnce(db, table, repeatsAtOnce))) {
      merged[reason] = (merged[reason] ?? 0) + n;
    }
    await db.run(`ALTER TABLE ${table} DROP COLUMN download`);
  }
  const doubtful = { ...given, ...(repeats > 0 ? { [DROPPED]: repeats } : {}), ...(await countDoubts(db, WAITING)) };
  return { doubtful, merged, replaced };
}

const EVENT_TABLES = ['events', 'pending'] as const;

/** Events kept aside count as downloads apart: other inputs may have told them in another form. */
const STATED = `(
  SELECT *, ${HELD.events} AS download FROM old_events
  UNION ALL SELECT *, CASE WHEN number IS NULL THEN ${HELD.timeless} ELSE ${HELD.numbered} END FROM old_pending
  UNION ALL FROM new_events)`;
const NUMBERED = `(FROM ${STATED} WHERE number IS NOT NULL)`;
const TIMELESS = `(FROM ${STATED} WHERE block IS NOT NULL AND number IS NULL)`;

const RECORDS = [
  // Equal records are kept once: downloads of one market overlap.
  `INSERT INTO market_records SELECT ${namesOf(MARKET)}, max(ingest) FROM (
      FROM old_market_records
      UNION ALL SELECT *, (SELECT coalesce(max(ingest), 0) + 1 FROM old_market_records) FROM new_markets)
    GROUP BY ${namesOf(MARKET)}`,
  'INSERT INTO tokens FROM old_tokens UNION FROM new_tokens ORDER BY ALL',
  'INSERT INTO resolutions FROM old_resolutions UNION FROM new_resolutions ORDER BY ALL',
  `INSERT INTO blocks SELECT block, min(ts) FROM (FROM old_blocks UNION ALL FROM new_blocks)
    GROUP BY block ORDER BY block`,
  `INSERT INTO skipped SELECT wallet, content, max(n), CASE WHEN count(*) = count(origin) THEN min(origin) END FROM (
      FROM old_skipped
      UNION ALL SELECT wallet, content, count(*), any_value(origin) FROM new_skipped
        WHERE wallet IS NOT NULL GROUP BY wallet, content, download)
    GROUP BY wallet, content ORDER BY wallet, content`,
  // The side of an event is the position of its token in the record that states the market's number.
  `CREATE TEMP TABLE market_numbers AS SELECT number, condition_id, token_a, token_b FROM market_records r
    WHERE number IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY number ORDER BY condition_id, ${BEST_FIRST}) = 1`,
  // Some events name their market by its condition id: its tokens are those of its best record, else those of `tokens`.
  `CREATE TEMP TABLE named AS SELECT DISTINCT number FROM ${NUMBERED} WHERE number LIKE '0x%'`,
  `INSERT INTO market_numbers SELECT condition_id, condition_id, token_a, token_b FROM market_records r
    WHERE condition_id IN (FROM named) QUALIFY row_number() OVER (PARTITION BY condition_id ORDER BY ${BEST_FIRST}) = 1`,
  `INSERT INTO market_numbers SELECT condition_id, condition_id, min(token) FILTER (side = 0), min(token) FILTER (side = 1)
    FROM tokens WHERE condition_id IN (FROM named) AND condition_id NOT IN (SELECT condition_id FROM market_records)
    GROUP BY condition_id HAVING count(DISTINCT token) = 2 AND count(DISTINCT side) = 2`,
  'DROP TABLE named',
];

/**
 * Events are completed again even if they were before, since another input may correct them. Each kind has its own
 * join: in a common one, all events without the key would fall into one partition, which the engine cannot spill.
 */
const EVENTS = [
  `INSERT INTO events FROM ${STATED} WHERE block IS NULL AND number IS NULL`,
  `INSERT INTO events SELECT p.* REPLACE (b.ts AS ts) FROM ${TIMELESS} p JOIN blocks b ON p.block = b.block`,
  `INSERT INTO events SELECT p.* REPLACE (n.condition_id AS condition_id,
      CASE p.side WHEN 0 THEN n.token_a ELSE n.token_b END AS token)
    FROM ${NUMBERED} p JOIN market_numbers n ON p.number = n.number`,
  `INSERT INTO pending SELECT p.* FROM ${TIMELESS} p ANTI JOIN blocks b ON p.block = b.block`,
  `INSERT INTO pending SELECT p.* FROM ${NUMBERED} p ANTI JOIN market_numbers n ON p.number = n.number`,
];

/** What an input's records are. `STAGED` has the columns that they are staged with. */
export type Records = 'markets' | 'events' | 'blocks' | 'tokens' | 'resolutions';
