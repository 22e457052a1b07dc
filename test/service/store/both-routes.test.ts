import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../../src/contract/dataset.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { GRANULARITIES } from '../../../src/contract/time.js';
import { pageFromRows } from '../../../src/service/query/answer.js';
import { Database } from '../../../src/service/store/database.js';
import { duckDbRows, openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import type { MarketRow, Slice, Store } from '../../../src/service/store/store.js';
import { writeMarketFiles } from '../../../src/service/store/write-market-files.js';
import { writeWalletFiles } from '../../../src/service/store/write-wallet-files.js';
import fc from '../../support/fast-check.js';
import { LIFETIMES, makeTables, RECORDS } from './made-tables.js';

let folder: string;
let quick: Store;
let rows: Store;
let wallets: string[];
let markets: MarketRow[];
/** Condition ids of markets that wallets have traded in. */
let played: string[];

const STRANGER = `0x${'ab'.repeat(20)}`;

/** Wallets at the edges: amounts beyond doubles, dates outside 1970 to 2059, the most days, and no address at all. */
const EDGES = `
  INSERT INTO wallet_days VALUES
    ('0x' || repeat('0', 40), 20000, 9007199254740993, -9007199254740993, 5, 1, 1, 0),
    ('0x' || repeat('0', 39) || '1', -719162, 4000000000000000, -500000000000000, 1, 1, 0, 1),
    ('0x' || repeat('0', 39) || '1', -3, 1, -1, 1, 1000000000, 1, 1000000000),
    ('0x' || repeat('0', 39) || '1', 2932896, 123456, -7, 1, 1, 100000000, 1),
    ('0x' || repeat('f', 40), 20001, 1000000, 0, 1, 1, 2, 1);
  INSERT INTO wallet_days
    SELECT '0x' || repeat('1', 40), d::INTEGER, d, -d, d, 1, d % 3, d % 2 FROM range(10000, 16000) t(d);
  INSERT INTO wallet_days VALUES ('someone', 20000, 1, 1, 1, 1, 1, 1);
  CREATE TABLE sorted AS SELECT * FROM wallet_days ORDER BY wallet, day;
  DROP TABLE wallet_days; ALTER TABLE sorted RENAME TO wallet_days;
  DROP TABLE lifetimes; CREATE TABLE lifetimes AS ${LIFETIMES};
  DROP TABLE wallet_records; CREATE TABLE wallet_records AS ${RECORDS};`;

const BOM = '\ufeff';

/** A market whose texts begin with a byte order mark, which belongs to them. */
const MARKED = `
  INSERT INTO market_rows SELECT * REPLACE ('0x${'b'.repeat(64)}' AS condition_id, '${BOM}bom' AS question,
    '${BOM}${BOM}slug' AS slug, '${BOM}Event' AS event_slug, '${BOM}1' AS token_a, '${BOM}2' AS token_b,
    '${BOM}Up' AS outcome_a, '${BOM}' AS outcome_b, '${BOM}${BOM}slug' || chr(0) || '${BOM}event' AS searched)
  FROM market_rows WHERE event_slug IS NOT NULL LIMIT 1;
  CREATE TABLE ordered AS SELECT * FROM market_rows ORDER BY volume DESC, condition_id;
  DROP TABLE market_rows; ALTER TABLE ordered RENAME TO market_rows;`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-routes-'));
  const path = join(folder, 'lab.duckdb');
  const db = await Database.open(path);
  await makeTables(db, { wallets: 300, days: 400, markets: 3000 });
  await db.run(EDGES);
  await db.run(MARKED);
  await writeWalletFiles(db, folder);
  await writeMarketFiles(db, folder);
  await db.run('CHECKPOINT');
  wallets = (await db.rows<{ wallet: string }>('SELECT wallet FROM lifetimes ORDER BY 1')).map(({ wallet }) => wallet);
  const ids = await db.rows<{ id: string }>('SELECT DISTINCT condition_id AS id FROM wallet_market_days ORDER BY 1');
  played = ids.map(({ id }) => id);
  db.close();
  quick = await openDuckDbStore(path);
  rows = duckDbRows(await Database.open(path, { locked: true, threads: 1 }));
  markets = await rows.markets({}, { limit: 10_000, offset: 0 });
});
afterAll(async () => {
  quick.close();
  rows.close();
  await rm(folder, { recursive: true, force: true });
});

const slices = fc.record({ limit: fc.integer({ min: 1, max: 250 }), offset: fc.oneof(fc.constant(0), fc.nat(700)) });

function someWallets(most = 12): fc.Arbitrary<string[]> {
  const wallet = fc.oneof(
    { weight: 9, arbitrary: fc.nat(wallets.length - 1).map((i) => wallets[i] ?? '') },
    fc.constant(STRANGER),
  );
  return fc.oneof(
    wallet.map((one) => [one]),
    fc.uniqueArray(wallet, { minLength: 1, maxLength: most, size: 'max' }),
  );
}

/** How many of the queries were answered without the database. */
async function expectSame(dataset: Dataset, filters: object, slice: Slice): Promise<boolean> {
  const expected = await pageFromRows(rows, dataset, { ...filters }, slice);
  const page = quick.page?.(dataset, { ...filters }, slice);
  const found = page ?? (await pageFromRows(quick, dataset, { ...filters }, slice));
  expect({ ...found, results: found.results.toString(), frame: undefined }).toEqual({
    ...expected,
    results: expected.results.toString(),
    frame: undefined,
  });
  return page !== undefined;
}

describe('both routes give the same bytes', () => {
  it('of a wallet’s days, in every bucket', async () => {
    const day = fc.option(
      fc.oneof(fc.integer({ min: 19700, max: 20150 }), fc.integer({ min: -719162, max: 2932896 })),
      {
        nil: undefined,
      },
    );
    const filters = fc.record({
      wallet: someWallets(),
      granularity: fc.constantFrom(...GRANULARITIES),
      start_time: day,
      end_time: day,
      condition_id: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 2, arbitrary: fc.constantFrom(...played, `0x${'0'.repeat(64)}`).map((one) => [one]) },
        { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...played), { minLength: 2, maxLength: 3 }) },
      ),
    });
    let straight = 0;
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(filters, slices, async (query, slice) => {
        asked++;
        if (await expectSame(PNL, query, slice)) straight++;
      }),
      { numRuns: 800 },
    );
    expect(straight).toBeGreaterThan(0.7 * asked);
  });

  it('of lifetimes', async () => {
    await fc.assert(
      fc.asyncProperty(someWallets(100), slices, async (wallet_address, slice) => {
        await expectSame(LIFETIME, { wallet_address }, slice);
      }),
      { numRuns: 250 },
    );
  });

  it('of markets, by every filter', async () => {
    const market = fc.nat(markets.length - 1).map((i) => markets[i]);
    const piece = fc
      .tuple(market, fc.nat(60), fc.integer({ min: 1, max: 14 }), fc.boolean())
      .map(([one, from, length, loud]) => {
        const text = `${one?.slug} ${one?.question}`.slice(from, from + length).trim();
        return loud ? text.toUpperCase() : text;
      });
    const seconds = fc.integer({ min: 1_709_990_000, max: 1_770_010_000 });
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });
    const filters = fc.record({
      closed: maybe(fc.boolean()),
      min_volume: maybe(
        fc.oneof(
          fc.bigInt(0n, 1_000_000_000_000n),
          market.map((one) => one?.volume ?? 0n),
        ),
      ),
      market_slug: maybe(fc.oneof(piece, fc.constantFrom('%', '_', 'zzz', 'café', "'; --"))),
      end_date_min: maybe(seconds),
      end_date_max: maybe(seconds),
      condition_id: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(undefined, 'ALL') },
        fc.oneof(
          market.map((one) => one?.condition_id),
          fc.constant(`0x${'0'.repeat(64)}`),
        ),
      ),
      event_slug: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        market.map((one) => one?.event_slug?.toUpperCase()),
      ),
    });
    await fc.assert(
      fc.asyncProperty(filters, slices, async (query, slice) => {
        await expectSame(MARKETS, query, slice);
      }),
      { numRuns: 400 },
    );
  });

  it('with every byte order mark that a text begins with', async () => {
    const [market] = await rows.markets({ condition_id: `0x${'b'.repeat(64)}` }, { limit: 1, offset: 0 });
    expect(market).toMatchObject({ question: `${BOM}bom`, slug: `${BOM}${BOM}slug`, event_slug: `${BOM}Event` });
    expect(market).toMatchObject({ token_a: `${BOM}1`, token_b: `${BOM}2`, outcome_a: `${BOM}Up`, outcome_b: BOM });
    for (const filters of [{ market_slug: `${BOM}${BOM}SLUG` }, { event_slug: `${BOM}event` }]) {
      const { results } = await pageFromRows(rows, MARKETS, filters, { limit: 2, offset: 0 });
      expect(JSON.parse(results.toString())).toMatchObject([{ question: `${BOM}bom` }]);
      expect(await expectSame(MARKETS, filters, { limit: 2, offset: 0 })).toBe(true);
    }
    expect(await rows.markets({ event_slug: 'event' }, { limit: 2, offset: 0 })).toEqual([]);
  });

  it('at the edges', async () => {
    for (const wallet of [...wallets.slice(0, 2), `0x${'1'.repeat(40)}`, wallets.at(-2) ?? '', 'someone', STRANGER]) {
      for (const granularity of GRANULARITIES) {
        await expectSame(PNL, { wallet: [wallet], granularity }, { limit: 1000, offset: 0 });
        await expectSame(PNL, { wallet: [wallet, STRANGER], granularity }, { limit: 1, offset: 1 });
      }
      await expectSame(LIFETIME, { wallet_address: [wallet] }, { limit: 1, offset: 0 });
    }
  });
});
