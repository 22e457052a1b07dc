import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quoteText } from '../../../src/base/duckdb.js';
import { loadRaw, noneStaged } from '../../../src/service/ingest/load-raw.js';
import { Database } from '../../../src/service/store/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const FILLS = 300_000;
const MARKETS = 60_000;
const BLOCKS = 100_000;
/** Every second market has no record. */
const UNKNOWN = 120_000;

const FILL = `1::TINYINT AS kind, '0x' || md5(i::VARCHAR) AS wallet, NULL::VARCHAR AS condition_id,
  5::BIGINT AS shares, 2::BIGINT AS usd, sha256(i::VARCHAR) AS tx, 1::TINYINT AS fee, 400000 AS price`;
const TIMELESS = `${FILL}, sha256((i % 99)::VARCHAR) AS token, NULL::BIGINT AS ts, md5(i::VARCHAR)::UUID AS id,
  (i % ${BLOCKS})::BIGINT AS block, NULL::VARCHAR AS number, NULL::TINYINT AS side`;
const NUMBERED = `${FILL}, NULL::VARCHAR AS token, 1::BIGINT AS ts, NULL::UUID AS id, NULL::BIGINT AS block,
  (i % ${2 * MARKETS})::VARCHAR AS number, (i % 2)::TINYINT AS side`;
const MARKET = `sha256(i::VARCHAR) AS condition_id, 'q' AS question, 's' AS slug, NULL::VARCHAR AS event_slug,
  false AS closed, NULL::BIGINT AS volume, NULL::BIGINT AS start_ms, NULL::BIGINT AS end_ms, NULL::BIGINT AS close_ms,
  sha256('a' || i) AS token_a, sha256('b' || i) AS token_b, 'Yes' AS outcome_a, 'No' AS outcome_b,
  NULL::TINYINT AS winner, NULL::VARCHAR AS neg_risk_id, 0::BIGINT AS updated_ms, i::VARCHAR AS number,
  NULL::VARCHAR AS category, NULL::DOUBLE AS fee_rate, NULL::DOUBLE AS fee_exponent, NULL::BOOLEAN AS fee_taker_only,
  NULL::BOOLEAN AS end_close`;

it('completes fills, and drops repeats of all of them, in a part of the memory that they take', async () => {
  const folder = await temporaryFolder();
  const spillTo = join(folder, 'spill');
  const db = await Database.open(join(folder, 'lab.duckdb'), { memory: '100MB', threads: 1, spillTo });
  const put = async (name: string, columns: string, rows: number) => {
    const parquet = join(folder, `${name}.parquet`);
    await db.run(`COPY (SELECT ${columns}, NULL::VARCHAR AS reason FROM range(${rows}) r(i)) TO ${quoteText(parquet)}`);
    return parquet;
  };
  const timeless = await put('timeless', TIMELESS, FILLS);
  const staged = {
    ...noneStaged(),
    markets: [await put('markets', MARKET, MARKETS)],
    events: [timeless, timeless, await put('numbered', NUMBERED, FILLS)],
    blocks: [await put('blocks', 'i::BIGINT AS block, 7::BIGINT AS ts', BLOCKS)],
  };
  expect(await loadRaw(db, undefined, staged)).toEqual({
    doubtful: {
      'event with the id of another one (dropped: one of them stays)': FILLS,
      'fill kept aside: no input has a market of its number (ingest the markets, too)': UNKNOWN,
    },
    merged: {},
    replaced: [],
  });
  const found = `
    SELECT ts, count(*)::INTEGER AS fills, count(DISTINCT id)::INTEGER AS ids, count(token)::INTEGER AS tokens
    FROM events GROUP BY ts ORDER BY ts`;
  expect(await db.rows(found)).toEqual([
    { ts: 1n, fills: FILLS - UNKNOWN, ids: 0, tokens: FILLS - UNKNOWN },
    { ts: 7n, fills: FILLS, ids: FILLS, tokens: FILLS },
  ]);
  db.close();
});

it('drops each repeat and no other fill, also where the engine closes gaps between its parts', async () => {
  const folder = await temporaryFolder();
  const db = await Database.open(join(folder, 'lab.duckdb'));
  await db.run(`SET checkpoint_threshold = '1KB'`);
  const put = async (name: string, from: number, to: number) => {
    const parquet = join(folder, `${name}.parquet`);
    const rows = `SELECT ${TIMELESS}, NULL::VARCHAR AS reason FROM range(${from}, ${to}) r(i)`;
    await db.run(
      `COPY (SELECT * REPLACE (NULL::BIGINT AS block, 7::BIGINT AS ts) FROM (${rows})) TO ${quoteText(parquet)}`,
    );
    return parquet;
  };
  const known = await put('known', 0, 500_000);
  const staged = { ...noneStaged(), events: [known, known, await put('others', 500_000, 800_000)] };
  await loadRaw(db, undefined, staged, { repeatsAtOnce: 100_000 });
  expect(await db.rows('SELECT count(*)::INTEGER AS fills, count(DISTINCT id)::INTEGER AS ids FROM events')).toEqual([
    { fills: 800_000, ids: 800_000 },
  ]);
  db.close();
});
